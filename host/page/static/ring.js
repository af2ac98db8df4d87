// The ring of lights in the middle, drawn as it stands on the table: turned so that the viewer's seat is at the bottom.

const SIZE = 264, CENTRE = SIZE / 2, RADIUS = 104, DOT = 9;

export class Ring {
  constructor(canvas) {
    this.context = canvas.getContext("2d");
    this.colours = [];
    this.bottom = 0;
  }

  show(colours, bottom) {
    this.colours = colours;
    this.bottom = bottom;
    const c = this.context;
    c.clearRect(0, 0, SIZE, SIZE);
    c.lineWidth = 26;
    c.strokeStyle = "#0B1A16";
    c.beginPath();
    c.arc(CENTRE, CENTRE, RADIUS, 0, 2 * Math.PI);
    c.stroke();
    colours.forEach((hex, k) => {
      // A quarter of the lights lies before each seat, in turn order: against the clock seen from above.
      const angle = Math.PI / 2 - 2 * Math.PI * ((k + 0.5) / colours.length - (bottom + 0.5) / 4);
      const x = CENTRE + RADIUS * Math.cos(angle), y = CENTRE + RADIUS * Math.sin(angle);
      const [r, g, b] = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
      const brightest = Math.max(r, g, b);
      if (brightest) {
        // Diodes are driven dim; the eye sees hue and glow. The glow says how strong, the dot which colour.
        const lift = 255 / brightest, strength = Math.min(1, 0.5 + brightest / 96);
        const colour = [r, g, b].map((v) => Math.round(v * lift)).join(",");
        const glow = c.createRadialGradient(x, y, 2, x, y, 3 * DOT);
        glow.addColorStop(0, `rgba(${colour},${0.55 * strength})`);
        glow.addColorStop(1, `rgba(${colour},0)`);
        c.fillStyle = glow;
        c.fillRect(x - 3 * DOT, y - 3 * DOT, 6 * DOT, 6 * DOT);
        c.fillStyle = `rgba(${colour},${strength})`;
      } else {
        c.fillStyle = "#1C302C";
      }
      c.beginPath();
      c.arc(x, y, DOT, 0, 2 * Math.PI);
      c.fill();
    });
  }
}
