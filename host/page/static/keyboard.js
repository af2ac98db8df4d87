// The keyboard as a pad: real presses and releases, no auto-repeat.

const PLAIN = {
  ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", Enter: "play", NumpadEnter: "play", Space: "pass",
  Backspace: "clear", Escape: "clear", KeyP: "pass", KeyH: "hint", KeyB: "bomb", KeyS: "sort", KeyT: "trustee", KeyM: "menu",
};
// 003's keys, held with Ctrl.
const CONTROL = { KeyC: "hint", KeyV: "play", KeyS: "pass", KeyZ: "clear", KeyB: "bomb" };

export const HELP = [
  ["← →", "left_", "right_"], ["↑ ↓", "up_", "down_"], ["Enter · Ctrl+V", "play_"], ["Space · P · Ctrl+S", "pass_"], ["H · Ctrl+C", "hint_"],
  ["B · Ctrl+B", "bomb_"], ["Esc · Backspace · Ctrl+Z", "clear_"], ["S", "sort_"], ["T", "trustee_"], ["M", "menu_"],
];

// The letter that a layout prints on the key, or the key's place where a layout or an input method prints none.
function codeOf(event) {
  return /^[a-z]$/i.test(event.key) ? `Key${event.key.toUpperCase()}` : event.code;
}

const belongsToControl = (event, code) => {
  const focus = document.activeElement;
  if (!focus || focus === document.body) return false;
  if (focus.closest("#bench, select, input")) return true;
  return focus.matches("button, a, [tabindex]") && ["Enter", "NumpadEnter", "Space"].includes(code)
    || focus.id === "log" && ["ArrowUp", "ArrowDown"].includes(code);
};

// press(key, down) reaches the pad of the chosen seat; choose(n) chooses a seat by a digit.
export function listen(press, choose) {
  const held = new Map();
  const release = (place) => {
    if (held.has(place)) {
      press(held.get(place), false);
      held.delete(place);
    }
  };
  addEventListener("keydown", (event) => {
    const code = codeOf(event);
    if (event.altKey || event.metaKey || belongsToControl(event, code)) return;
    if (!event.ctrlKey && /^Digit[1-4]$/.test(event.code)) return choose(Number(event.code[5]) - 1);
    const key = (event.ctrlKey ? CONTROL : PLAIN)[code];
    if (!key || event.ctrlKey && code === "KeyC" && String(getSelection())) return;
    event.preventDefault();
    if (event.repeat || held.has(event.code)) return;
    held.set(event.code, key);
    press(key, true);
  });
  addEventListener("keyup", (event) => release(event.code));
  const releaseAll = () => [...held.keys()].forEach(release);
  addEventListener("blur", releaseAll);
  document.addEventListener("visibilitychange", () => document.hidden && releaseAll());
}
