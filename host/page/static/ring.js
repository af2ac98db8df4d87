// The ring of lights in the middle, drawn as it stands on the table: turned so that the viewer's seat is at the bottom.
// A light glows up and dies away as the eye sees it on the table; where motion is unwanted it changes at once.

const SIZE = 264, CENTRE = SIZE / 2, RADIUS = 104, DOT = 9;
const FADE_MS = 140;
const DARK = [28, 48, 44];
const still = matchMedia("(prefers-reduced-motion: reduce)");

// [r, g, b, strength] of what the eye sees of a diode. Diodes are driven dim; the eye sees hue and glow. The glow says
// how strong, the dot which colour.
function seen(hex) {
  const rgb = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const brightest = Math.max(...rgb);
  return brightest ? [...rgb.map((v) => v * 255 / brightest), Math.min(1, 0.5 + brightest / 96)] : null;
}

const mix = (a, b, part) => a.map((v, k) => v + (b[k] - v) * part);

export class Ring {
  constructor(canvas) {
    this.context = canvas.getContext("2d");
    this.colours = [];
    this.bottom = 0;
    this.lit = [];
    this.frame = null;
  }

  show(colours, bottom) {
    const same = colours.join() === this.colours.join();
    if (same && bottom === this.bottom && this.lit.length) return;
    this.colours = colours;
    this.bottom = bottom;
    const target = colours.map(seen);
    // A light that goes on or off keeps its colour on the way.
    this.from = target.map((to, k) => this.lit[k] || to && [...to.slice(0, 3), 0] || [...DARK, 0]);
    this.to = target.map((to, k) => to || [...this.from[k].slice(0, 3), 0]);
    this.begun = performance.now();
    if (same || still.matches || this.lit.length !== colours.length) this.begun -= FADE_MS;
    cancelAnimationFrame(this.frame);
    this.step(performance.now());
  }

  step(now) {
    const part = Math.min(1, Math.max(0, (now - this.begun) / FADE_MS));
    this.lit = this.to.map((to, k) => mix(this.from[k], to, part));
    this.draw();
    this.frame = part < 1 ? requestAnimationFrame((later) => this.step(later)) : null;
  }

  draw() {
    const c = this.context;
    c.clearRect(0, 0, SIZE, SIZE);
    c.lineWidth = 26;
    c.strokeStyle = "#0B1A16";
    c.beginPath();
    c.arc(CENTRE, CENTRE, RADIUS, 0, 2 * Math.PI);
    c.stroke();
    this.lit.forEach(([r, g, b, strength], k) => {
      // A quarter of the lights lies before each seat, in turn order: against the clock seen from above.
      const angle = Math.PI / 2 - 2 * Math.PI * ((k + 0.5) / this.lit.length - (this.bottom + 0.5) / 4);
      const x = CENTRE + RADIUS * Math.cos(angle), y = CENTRE + RADIUS * Math.sin(angle);
      const colour = [r, g, b].map(Math.round).join(",");
      if (strength > 0.02) {
        const glow = c.createRadialGradient(x, y, 2, x, y, 3 * DOT);
        glow.addColorStop(0, `rgba(${colour},${0.55 * strength})`);
        glow.addColorStop(1, `rgba(${colour},0)`);
        c.fillStyle = glow;
        c.fillRect(x - 3 * DOT, y - 3 * DOT, 6 * DOT, 6 * DOT);
      }
      c.beginPath();
      c.arc(x, y, DOT, 0, 2 * Math.PI);
      c.fillStyle = `rgb(${DARK})`;
      c.fill();
      c.fillStyle = `rgba(${colour},${strength})`;
      c.fill();
    });
  }
}
