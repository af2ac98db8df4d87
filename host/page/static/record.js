// The record of play as live text.

import { langIndex } from "./texts.js";

const LINES = 400;

export class RecordLog {
  // subject(seat) -> the name of a seat or "you"; side(seat) -> "me", "team" or "foe"; more(event) -> what stands
  // under its line, or null
  constructor(list, subject, side, more) {
    Object.assign(this, { list, subject, side, more });
    this.events = [];
    // Whoever has scrolled back to read is left there; else the newest line stays in sight.
    this.follows = true;
    this.top = 0;
    list.addEventListener("scroll", () => {
      // Only a way up is someone's wish; a box that changes its size also moves away from the end.
      if (list.scrollHeight - list.scrollTop - list.clientHeight < 24) this.follows = true;
      else if (list.scrollTop < this.top) this.follows = false;
      this.top = list.scrollTop;
    });
    new ResizeObserver(() => this.toEnd()).observe(list);
  }

  toEnd() {
    if (!this.follows) return;
    this.list.scrollTop = this.list.scrollHeight;
    this.top = this.list.scrollTop;
  }

  // All events anew, without having them read out.
  fill(events) {
    this.events = events.filter((event) => event.words).slice(-LINES);
    this.redraw();
  }

  redraw() {
    this.list.setAttribute("aria-live", "off");
    this.list.replaceChildren(...this.events.map((event) => this.line(event)));
    this.toEnd();
    requestAnimationFrame(() => this.list.setAttribute("aria-live", "polite"));
  }

  add(event) {
    if (!event.words) return;
    const { list } = this;
    this.events.push(event);
    list.append(this.line(event));
    if (this.events.length > LINES) {
      this.events.shift();
      list.firstChild.remove();
    }
    this.toEnd();
  }

  line(event) {
    const line = document.createElement("p");
    line.className = `ev-${event.ev}`;
    const words = event.words[langIndex()].replace(/\{([0-3])\}/g, (_, seat) => this.subject(Number(seat)));
    if (Number.isInteger(event.seat)) {
      const who = document.createElement("b");
      who.className = this.side(event.seat);
      who.textContent = this.subject(event.seat);
      line.append(who, " ");
    }
    // Red suits in red; the suit itself says it too.
    for (const part of words.split(/(\S+[♦♥])/)) {
      if (/[♦♥]$/.test(part)) {
        const red = document.createElement("span");
        red.className = "red";
        red.textContent = part;
        line.append(red);
      } else {
        line.append(part);
      }
    }
    const more = this.more(event);
    if (more) line.append(more);
    return line;
  }
}
