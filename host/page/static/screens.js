// The displays: rectangles of RGB565, as the panel's memory holds them, onto a canvas of 320 x 240.

export const WIDTH = 320, HEIGHT = 240;
const HEADER_WORDS = 5;

// Colour of a panel pixel (big-endian, read here as a little-endian word) as a canvas pixel.
const COLOURS = new Uint32Array(65536);
for (let word = 0; word < 65536; word++) {
  const pixel = ((word & 255) << 8) | (word >> 8);
  const r = pixel >> 11, g = (pixel >> 5) & 63, b = pixel & 31;
  COLOURS[word] = (255 << 24) | (((b << 3) | (b >> 2)) << 16) | (((g << 2) | (g >> 4)) << 8) | ((r << 3) | (r >> 2));
}

// The canvas pixel of a colour of the panel (RGB565).
export const colour = (pixel) => COLOURS[pixel >> 8 | (pixel & 255) << 8];

export class Screen {
  constructor(canvas) {
    canvas.width = WIDTH;
    canvas.height = HEIGHT;
    this.context = canvas.getContext("2d", { alpha: false });
    this.image = this.context.createImageData(WIDTH, HEIGHT);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.blank();
  }

  blank() {
    this.pixels.fill(255 << 24);
    this.context.putImageData(this.image, 0, 0);
  }

  paint(x, y, w, h, words) {
    let from = 0;
    for (let row = y; row < y + h; row++) {
      let to = row * WIDTH + x;
      for (const end = from + w; from < end; from++, to++) this.pixels[to] = COLOURS[words[from]];
    }
    this.context.putImageData(this.image, 0, 0, x, y, w, h);
  }
}

// A picture message: its number, then (seat x y w h, pixels) for each rectangle.
export function paintMessage(buffer, screens) {
  const words = new Uint16Array(buffer);
  for (let at = 1; at < words.length;) {
    const [seat, x, y, w, h] = words.subarray(at, at + HEADER_WORDS);
    at += HEADER_WORDS;
    screens[seat].paint(x, y, w, h, words.subarray(at, at + w * h));
    at += w * h;
  }
}
