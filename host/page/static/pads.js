// The pads: twelve keys and four lights each; a finger or a mouse presses, holds and lets go.

import { t } from "./texts.js";

// As the keys lie on the pad: two blocks of three by two, side by side or one above the other.
const BLOCKS = [["sort", "up", "clear", "left", "down", "right"], ["hint", "bomb", "menu", "pass", "play", "trustee"]];
const ARROWS = { left: "M15 5l-7 7 7 7", right: "M9 5l7 7-7 7", up: "M5 15l7-7 7 7", down: "M5 9l7 7 7-7" };
// In the order of the pad's lines.
const LIGHTS = ["turn", "legal", "trustee", "notice"];
const CAPS = { clear: "Esc", play: "Enter", pass: "Space", hint: "H", bomb: "B", sort: "S", trustee: "T", menu: "M" };

export class Pad {
  // press(key, down) is called on every change.
  constructor(press) {
    this.press = press;
    this.element = document.createElement("div");
    this.element.className = "pad";
    this.element.setAttribute("role", "group");
    this.element.innerHTML = `<div class="plate"><span class="name"></span><span class="lights" role="img">${LIGHTS.map(() => "<i></i><small></small>").join("")}</span></div>
      ${BLOCKS.map((keys) => `<div class="keys">${keys.map((key) => `<button type="button" class="key ${key}" data-key="${key}">${
        ARROWS[key] ? `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ARROWS[key]}"/></svg>` : "<span></span>"
      }${CAPS[key] ? `<kbd aria-hidden="true">${CAPS[key]}</kbd>` : ""}</button>`).join("")}</div>`).join("")}`;
    this.lit = [];
    this.lights = this.element.querySelector(".lights");
    this.buttons = [...this.element.querySelectorAll("button")];
    this.buttons.forEach((button) => this.wire(button));
  }

  wire(button) {
    const key = button.dataset.key;
    let pointer = null, byKey = false;
    const set = (down) => {
      button.classList.toggle("pressed", down);
      this.press(key, down);
    };
    const up = (event) => {
      if (event.pointerId !== pointer) return;
      pointer = null;
      set(false);
    };
    button.addEventListener("pointerdown", (event) => {
      // Not the focus: the keyboard stays with the pad as a whole.
      event.preventDefault();
      if (event.button !== 0 || pointer !== null) return;
      pointer = event.pointerId;
      // Without capture the pointer that slides off tells us so; that lets the key go, as a finger does.
      if (button.hasPointerCapture(pointer)) button.releasePointerCapture(pointer);
      set(true);
    });
    ["pointerup", "pointercancel", "pointerleave"].forEach((name) => button.addEventListener(name, up));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!event.repeat && !byKey) set(byKey = true);
    });
    const upKey = () => byKey && set(byKey = false);
    button.addEventListener("keyup", (event) => (event.key === "Enter" || event.key === " ") && upKey());
    button.addEventListener("blur", upKey);
    // A screen reader or a script activates a button without pointer or key: one short press.
    button.addEventListener("click", (event) => {
      if (event.detail === 0 && pointer === null && !byKey) {
        set(true);
        setTimeout(() => set(false), 60);
      }
    });
  }

  show(key, down) {
    this.element.querySelector(`[data-key=${key}]`).classList.toggle("pressed", down);
  }

  label(name) {
    this.element.setAttribute("aria-label", t("padOf", { seat: name }));
    this.element.querySelector(".name").textContent = name;
    for (const button of this.buttons) {
      const text = t(`${button.dataset.key}_`), span = button.querySelector("span");
      if (span) span.textContent = text;
      button.setAttribute("aria-label", text);
    }
  }

  light(lights) {
    this.lit = lights;
    const names = LIGHTS.map((name) => t(`light_${name}`));
    LIGHTS.forEach((_, k) => {
      const [light, label] = [this.lights.children[2 * k], this.lights.children[2 * k + 1]];
      light.classList.toggle("on", Boolean(lights[k]));
      if (label.textContent !== names[k]) label.textContent = light.title = names[k];
    });
    const lit = names.filter((_, k) => lights[k]);
    this.lights.setAttribute("aria-label", t("lightsOf", { lit: lit.length ? lit.join(", ") : t("none") }));
  }

  letGo() {
    this.buttons.forEach((button) => button.classList.remove("pressed"));
  }
}
