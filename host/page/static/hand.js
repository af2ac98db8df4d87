// The hand in words, for who cannot see it: read from the picture that this page has anyway, by the glyphs of the ranks.

import { colour, HEIGHT, WIDTH } from "./screens.js";

const TOP = 131, CURSOR_ROW = 238, HIGHEST = 120, NEAR = 6;
const INK = colour(0x10E3), RED = colour(0xC144), TEXT = colour(0xF77B), EDGE = colour(0x6B2A), LIFT = colour(0xFEF0);
const CARDS = new Set([colour(0xF79B), LIFT, colour(0xDE97)]);
const PRINTED = new Set([...CARDS, INK, RED]);

export class HandReader {
  // glyphs: {rank: rows of "0" and "1"}
  constructor(glyphs) {
    this.glyphs = Object.entries(glyphs).map(([rank, rows]) => {
      const cells = rows.map((row) => [...row].map(Number));
      return { rank, cells, width: cells[0].length, first: cells[0].indexOf(1), inks: { x: [INK], X: [RED] }[rank] || [INK, RED] };
    });
  }

  // pixels: Uint32Array of a screen. [{rank, count, raised, cursor}] from left to right.
  read(pixels) {
    const found = [], places = new Map([[INK, []], [RED, []]]);
    for (let at = TOP * WIDTH; at < HEIGHT * WIDTH; at++) places.get(pixels[at])?.push(at);
    for (const glyph of this.glyphs) {
      for (const ink of glyph.inks) {
        for (const at of places.get(ink)) {
          const ground = this.stands(pixels, glyph, ink, at - glyph.first);
          if (ground !== null) found.push({ rank: glyph.rank, x: (at - glyph.first) % WIDTH + (glyph.width >> 1), y: Math.floor(at / WIDTH), ground });
        }
      }
    }
    // The front card of a column is the lowest.
    found.sort((a, b) => b.y - a.y);
    const fronts = found.filter((card, k) => !found.slice(0, k).some((other) => Math.abs(other.x - card.x) < NEAR));
    return fronts.sort((a, b) => a.x - b.x).map((front) => this.column(pixels, front));
  }

  // The colour around a glyph whose box begins at a place, or null if it does not stand there, alone, on a card.
  stands(pixels, { cells, width }, ink, corner) {
    const x = corner % WIDTH;
    if (corner < 0 || x + width > WIDTH || corner + cells.length * WIDTH > pixels.length) return null;
    let ground = null;
    for (const [j, row] of cells.entries()) {
      const at = corner + j * WIDTH;
      if (x > 0 && pixels[at - 1] === ink || x + width < WIDTH && pixels[at + width] === ink) return null;
      for (let i = 0; i < width; i++) {
        if ((pixels[at + i] === ink) !== Boolean(row[i])) return null;
        if (!row[i]) ground ??= pixels[at + i];
      }
    }
    return CARDS.has(ground) ? ground : null;
  }

  column(pixels, { rank, x, y, ground }) {
    let left = x, row = y;
    while (left > 0 && PRINTED.has(pixels[y * WIDTH + left - 1])) left--;
    while (CARDS.has(pixels[(row - 1) * WIDTH + left + 1])) row--;
    // Cards behind it: each shows an edge above the next one.
    let count = 1, raised = Number(ground === LIFT);
    for (row--; row > HIGHEST; row--) {
      const pixel = pixels[row * WIDTH + left + 1];
      if (pixel === EDGE) {
        count++;
        raised += Number(pixels[(row - 1) * WIDTH + left + 1] === LIFT);
      } else if (!CARDS.has(pixel)) {
        break;
      }
    }
    return { rank, count, raised, cursor: pixels[CURSOR_ROW * WIDTH + x] === TEXT };
  }
}
