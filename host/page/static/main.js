// The page: four seats around the hub, the record, and what belongs to the table itself.
// What may be seen is decided by the server; here is only how it is laid out.

import { HandReader } from "./hand.js";
import { HELP, listen } from "./keyboard.js";
import { Pad } from "./pads.js";
import { RecordLog } from "./record.js";
import { Ring } from "./ring.js";
import { HEIGHT, paintMessage, Screen, WIDTH } from "./screens.js";
import { samples, setSound, setVolume, sound } from "./sound.js";
import { LANG_NAMES, LANGS, langIndex, setLang, t } from "./texts.js";
import { Wire } from "./wire.js";

const SEATS = [0, 1, 2, 3];
const LONG_TOUCH_MS = 450, TOAST_MS = 4000, READ_AFTER_MS = 250;
const PLACES = ["bottom", "right", "top", "left"];
const $ = (id) => document.getElementById(id);
const make = (tag, values = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), values);
  element.append(...children);
  return element;
};
// What this tab remembers over a reload; a browser that forbids it forgets.
const remember = (name, value) => { try { sessionStorage.setItem(name, value); } catch { /* private mode */ } };
const remembered = (name) => { try { return sessionStorage.getItem(name); } catch { return null; } };
// What this browser remembers for every table.
const prefer = (name, value) => { try { localStorage.setItem(name, value); } catch { /* private mode */ } };
const preferred = (name) => { try { return localStorage.getItem(name); } catch { return null; } };

const state = {
  grant: { seats: [], own: null, operator: false }, status: {}, speeds: [], rules: {}, crash: "", welcomed: false, known: true, lost: false,
  view: remembered("view"), seat: remembered("seat") === null ? null : Number(remembered("seat")),
  turn: null, leading: false, totals: null, left: [null, null, null, null], lamps: { lights: SEATS.map(() => []), ring: [] }, lang: remembered("lang"),
  volume: Number(preferred("volume") ?? 0.8), fresh: { number: "", lead: "", rules: null }, sure: false, code: null,
};
const paused = () => state.status.pace === "pause";
const stoppable = () => state.grant.operator && state.status.pace !== undefined;
const renewable = () => stoppable() && !state.status.keeps;

// A seat of the grant.
const may = (seat) => state.grant.seats.includes(seat);
// The seat at the bottom of the picture: one's own, or South for an onlooker.
const bottom = () => (state.view === "one" ? state.seat : state.grant.own) ?? 0;
const name = (seat) => state.status.names?.[seat]?.[langIndex()] || t(`seat${seat}`);
const mine = (seat) => seat === state.grant.own && state.grant.person;
const subject = (seat) => (mine(seat) ? t("you") : name(seat));
const side = (seat) => (seat === bottom() ? "me" : (seat + bottom()) % 2 ? "foe" : "team");

// Seats

const seats = SEATS.map((seat) => {
  const canvas = make("canvas", { className: "screen" });
  canvas.setAttribute("role", "img");
  const cover = make("p", { className: "cover", hidden: true });
  const device = make("div", { className: "device" }, canvas, cover);
  const pad = new Pad((key, down) => press(seat, key, down));
  const element = make("section", { className: "seat" }, device, pad.element);
  element.dataset.seat = seat;
  $("hub").before(element);
  const at = (event, all) => {
    if (!may(seat)) return;
    if (state.view === "all" && seat !== state.seat) return choose(seat);
    if (paused()) return toast(t("pausedHow"));
    const box = canvas.getBoundingClientRect();
    const point = [(event.clientX - box.left) * WIDTH / box.width, (event.clientY - box.top) * HEIGHT / box.height];
    wire.send({ point: point.map(Math.floor), seat, all });
  };
  // A finger has no Ctrl key: a long touch raises all of a rank.
  let long = null, done = false;
  canvas.addEventListener("pointerdown", (event) => {
    done = false;
    if (event.pointerType !== "mouse") long = setTimeout(() => { done = true; at(event, true); }, LONG_TOUCH_MS);
  });
  ["pointerup", "pointercancel", "pointerleave"].forEach((kind) => canvas.addEventListener(kind, () => clearTimeout(long)));
  canvas.addEventListener("click", (event) => done || at(event, event.ctrlKey || event.metaKey));
  canvas.addEventListener("contextmenu", (event) => (event.ctrlKey || event.pointerType !== "mouse") && event.preventDefault());
  return { seat, canvas, cover, pad, element, screen: new Screen(canvas) };
});
const chips = SEATS.map((seat) => {
  const button = make("button", { type: "button", onclick: () => may(seat) && choose(seat) });
  $("chips").append(make("li", {}, button));
  return button;
});
const ring = new Ring($("ring"));
const log = new RecordLog($("log"), subject, side, numberOf);

// Under the end of a deal: its number, which deals it again.
function numberOf(event) {
  if (event.ev !== "end" || !event.seed) return null;
  const number = event.seed.replace(/^0+(?=.)/, "");
  const more = make("span", { className: "number", title: event.seed }, `${t("number")} `, make("code", { textContent: number.length > 12 ? `${number.slice(0, 12)}…` : number }));
  if (renewable()) {
    more.append(" ", make("button", { type: "button", textContent: t("again"), onclick() {
      state.fresh = { number, lead: event.lead ?? "", rules: null };
      openBench(true);
      $("bench-body").querySelector("[data-part=begin]").focus();
    } }));
  }
  return more;
}

// The own hand in words: all of it is the name of its picture, and what a key has changed is told.
let reader = null, reading = null;
const rankName = (rank) => (rank === "T" ? "10" : "xX".includes(rank) ? t(`${rank}Card`) : rank);
const several = (list, n) => list.map((column) => rankName(column.rank) + (column[n] > 1 ? ` ×${column[n]}` : "")).join(", ");
const readSoon = () => { reading ??= setTimeout(readHand, READ_AFTER_MS); };
function readHand() {
  reading = null;
  const own = state.view === "one" || may(state.seat) ? state.seat : null;
  if (!reader || own === null) return;
  const { canvas, screen } = seats[own], columns = reader.read(screen.pixels);
  const named = t("screenOf", { seat: name(own) });
  canvas.setAttribute("aria-label", columns.length ? t("handIs", { screen: named, cards: several(columns, "count") }) : named);
  const cursor = columns.find((column) => column.cursor), raised = columns.filter((column) => column.raised);
  const told = [
    cursor && t("cursorAt", { card: rankName(cursor.rank), count: cursor.count }),
    raised.length && t("raisedAre", { cards: several(raised, "raised") }),
    raised.length && state.lamps.lights[own][1] && t("light_legal"),
  ].filter(Boolean).join(". ");
  if ($("hand").textContent !== told) $("hand").textContent = told;
}

let toasted = null;
function toast(text) {
  $("toast").textContent = text;
  clearTimeout(toasted);
  toasted = setTimeout(() => { $("toast").textContent = ""; }, TOAST_MS);
}

function press(seat, key, down) {
  if (!may(seat)) return;
  if (down && paused()) return toast(t("pausedHow"));
  seats[seat].pad.show(key, down);
  wire.send({ key, seat, down });
}

function choose(seat) {
  if (!may(seat)) return;
  state.seat = seat;
  remember("seat", seat);
  look();
}

// What this tab looks at, told to the server, and laid out.
function look() {
  wire.send({ view: looked() });
  arrange();
  readSoon();
}

const looked = () => (state.view === "all" ? state.grant.seats : state.grant.seats.filter((seat) => seat === state.seat));

// Layout: the largest whole number of device pixels a panel pixel that fits.

// A phone that lies: lower than that.
const LOW = 480;
const BEZEL = 16, GAP = 16, SIDE = 320, PAD_UNDER = 170, MIDDLE = 160;

function arrange() {
  const table = $("table");
  const ratio = devicePixelRatio || 1;
  const width = document.documentElement.clientWidth - GAP, height = innerHeight - $("top").offsetHeight - ($("banner").hidden ? 0 : $("banner").offsetHeight) - GAP;
  const whole = (w, h) => Math.max(1 / ratio, Math.floor(Math.min(w / WIDTH, h / HEIGHT) * ratio) / ratio);
  // On a fine display uneven pixels are too small to be seen: there a phone's whole width is used.
  const across = (w) => (ratio >= 2 ? w / WIDTH : whole(w, HEIGHT * 4));
  let scale = 1, form = "narrow", record = "";
  const narrow = width < 700, lying = innerHeight < LOW && width > 1.3 * innerHeight;
  // An onlooker with a phone gets the ring and the record, not four covers.
  const view = (narrow || lying) && state.welcomed && state.grant.own === null ? "one" : state.view;
  if (view === "one") {
    if (lying) {
      form = "low";
      const tall = (height - BEZEL) / HEIGHT;
      scale = ratio >= 2 ? Math.min(tall, (width - SIDE) / WIDTH) : whole(width - SIDE, height - BEZEL);
    } else if (narrow) {
      scale = across(width + GAP);
    } else {
      const beside = whole(width - SIDE - GAP - BEZEL, height - BEZEL);
      const under = whole(width - SIDE - GAP - BEZEL, height - BEZEL - PAD_UNDER);
      form = beside > under ? "beside" : "under";
      scale = Math.max(beside, under);
    }
  } else if (width >= 3 * (WIDTH + 8) + 2 * 8) {
    const withRecord = whole((width - SIDE - GAP) / 3 - BEZEL, (height - MIDDLE) / 2 - BEZEL);
    record = withRecord >= 1 && width - SIDE - GAP >= 3 * (WIDTH + BEZEL) ? "beside" : "corner";
    scale = record === "beside" ? withRecord : Math.max(1, whole(width / 3 - 8, (height - MIDDLE) / 2 - BEZEL));
    form = "cross";
  } else if (!narrow) {
    form = "pairs";
  } else {
    scale = across(width + GAP);
  }
  Object.assign(table.dataset, { view, form, record, onlooker: state.welcomed && state.grant.own === null });
  table.style.setProperty("--scale", scale);
  for (const { seat, element } of seats) {
    element.dataset.place = PLACES[(seat - bottom() + 4) % 4];
    element.hidden = view === "one" && (seat !== (state.seat ?? 0) || view !== state.view);
    element.classList.toggle("chosen", state.view === "all" && state.grant.seats.length > 1 && seat === state.seat);
  }
  chips.forEach((chip, seat) => { chip.parentElement.dataset.place = PLACES[(seat - bottom() + 4) % 4]; });
  show();
}

// Everything that is text or a mark.
function show() {
  const { grant, status } = state;
  document.documentElement.lang = LANGS[langIndex()];
  $("title").textContent = t("title");
  const asked = state.turn !== null && mine(state.turn) && status.powered !== false;
  document.title = asked ? `▶ ${t("yourTurn")} · ${t("title")}` : t("title");
  // For who hears the page: the record tells what others did, this that one is asked oneself.
  const call = asked ? t(state.leading ? "yourLead" : "yourTurn") : "";
  if ($("call").textContent !== call) $("call").textContent = call;
  const rules = state.rules[status.rules]?.[langIndex()];
  const where = [status.deal ? t("deal", { n: status.deal }) : "", paused() ? t("paused") : "", state.welcomed && grant.own === null ? t("onlooker") : ""].filter(Boolean).join(" · ");
  $("deal").replaceChildren(where, make("i", { textContent: rules ? `${where ? " · " : ""}${rules}` : "" }));
  $("view-one").textContent = t(grant.seats.length > 1 ? "oneSeat" : "mySeat");
  $("view-all").textContent = t("allSeats");
  $("views").setAttribute("aria-label", t("views"));
  $("views").hidden = grant.own === null;
  $("view-one").setAttribute("aria-pressed", state.view === "one");
  $("view-all").setAttribute("aria-pressed", state.view === "all");
  $("record-title").textContent = t("record");
  $("as-text").textContent = t("asText");
  $("as-text").href = `record.txt?lang=${LANGS[langIndex()]}`;
  $("as-lines").textContent = t("asLines");
  for (const [id, text] of [["as-text", "asTextHow"], ["as-lines", "asLinesHow"], ["pause", paused() ? "goOn" : "pause"], ["step", "step"], ["sound", "sound"], ["bench-open", "bench"], ["bench-close", "close"], ["power", "power"]]) {
    $(id).setAttribute("aria-label", t(text));
    $(id).title = t(text);
  }
  $("pace").hidden = !stoppable();
  $("pace").setAttribute("aria-label", t("pace"));
  $("pause").setAttribute("aria-pressed", paused());
  $("power").hidden = !grant.operator;
  $("power").setAttribute("aria-pressed", status.powered !== false);
  $("ring").setAttribute("aria-label", t("ring"));
  for (const { seat, canvas, cover, pad, element } of seats) {
    const who = name(seat);
    element.setAttribute("aria-label", who);
    if (seat !== state.seat || !reader) canvas.setAttribute("aria-label", t("screenOf", { seat: who }));
    pad.label(mine(seat) && grant.seats.length > 1 ? `${who} · ${t("you")}` : who);
    pad.light(state.lamps.lights[seat]);
    pad.element.hidden = !may(seat);
    pad.element.classList.toggle("out", status.pads?.[seat] === false);
    cover.hidden = !state.welcomed || may(seat) && status.displays?.[seat] !== false;
    if (!cover.hidden) {
      const count = state.left[seat] === null ? "" : t("left", { n: state.left[seat] });
      cover.replaceChildren(...may(seat) ? [t("displayOut")] : [make("b", { textContent: who, className: side(seat) }), make("span", { textContent: count }), t("private")]);
    }
    element.classList.toggle("turn", state.turn === seat && status.powered !== false);
  }
  chips.forEach((chip, seat) => {
    const total = state.totals?.[seat], sum = Number.isFinite(total) ? ` · ${total > 0 ? "+" : ""}${String(total).replace("-", "−")}` : "";
    const kind = (mine(seat) ? t("you") : t(status.seats?.[seat] === "bot" ? "bot" : "human")) + sum;
    const count = state.left[seat] === null ? "" : state.left[seat];
    chip.replaceChildren(make("b", { textContent: name(seat), className: side(seat) }), make("span", { textContent: kind }), make("em", { textContent: count }));
    chip.className = state.turn === seat && status.powered !== false ? "turn" : "";
    chip.disabled = !may(seat) || grant.seats.length < 2;
    chip.setAttribute("aria-label", [name(seat), kind, count === "" ? "" : t("left", { n: count }), state.turn === seat ? t("turn") : ""].filter(Boolean).join(", "));
    if (state.view === "one" && seat === state.seat) chip.setAttribute("aria-current", "true");
    else chip.removeAttribute("aria-current");
  });
  ring.show(state.lamps.ring, bottom());
  showBanner();
  if (!$("bench").hidden) fillBench();
}

function showBanner() {
  const { status } = state;
  const [text, does, kind] = state.lost ? [t("lost"), null, "lost"]
    : status.crashed ? [t("crashed"), state.grant.operator && t("restart"), "crashed"]
      : status.powered === false ? [t("off"), state.grant.operator && t("powerOn"), "off"]
        : !state.known ? [t("oldLink"), null, "old"]
          : state.welcomed && state.grant.own === null ? [t("onlookerHow"), null, "onlooker"] : ["", null, ""];
  const banner = $("banner"), before = banner.hidden;
  if ($("banner-text").textContent !== text) $("banner-text").textContent = text;
  $("banner-do").hidden = !does;
  $("banner-do").textContent = does || "";
  banner.dataset.kind = kind;
  const trouble = kind === "crashed" ? state.crash : "";
  $("trouble").hidden = !trouble;
  $("trouble").firstElementChild.textContent = t("details");
  if ($("trouble").lastElementChild.textContent !== trouble) $("trouble").lastElementChild.textContent = trouble;
  banner.hidden = !text;
  $("table").classList.toggle("stale", state.lost);
  if (before !== banner.hidden) requestAnimationFrame(arrange);
}

// The table's own switches

// rows of "0" and "1" as a picture.
function codePicture(rows, label) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS(svg.namespaceURI, "path");
  const d = rows.flatMap((row, y) => [...row].map((dark, x) => (dark === "1" ? `M${x} ${y}h1v1h-1z` : "")));
  path.setAttribute("d", d.join(""));
  // Four modules of quiet zone on every side.
  svg.setAttribute("viewBox", `-4 -4 ${rows.length + 8} ${rows.length + 8}`);
  svg.setAttribute("class", "code");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  svg.append(path);
  return svg;
}

const command = (what) => wire.send({ command: what });
const power = (on) => command({ power: on ? "on" : "cut" });

let filled = "";

function fillBench() {
  const { grant, status } = state;
  // Built anew only when it says something else: a field that one writes in, or a slider that one holds, stays.
  const { turn, deal, ...rest } = status;
  const says = JSON.stringify([grant, rest, state.speeds, state.sure, state.code, state.fresh.rules, langIndex()]);
  if (says === filled && $("bench-body").childElementCount) return;
  filled = says;
  const focused = document.activeElement?.closest("#bench-body")?.querySelectorAll && document.activeElement.dataset.part;
  $("bench-title").textContent = t("bench");
  const parts = [];
  const choice = (part, label, options, value, change) => {
    const select = make("select", { onchange: () => change(select.value) }, ...options.map(([v, text]) => make("option", { value: v, textContent: text, selected: String(v) === String(value) })));
    select.dataset.part = part;
    return make("label", {}, make("span", { textContent: label }), select);
  };
  const toggle = (part, label, on, act) => {
    const button = make("button", { type: "button", className: "switch", onclick: act });
    button.dataset.part = part;
    button.setAttribute("role", "switch");
    button.setAttribute("aria-checked", on);
    button.setAttribute("aria-label", label);
    return button;
  };
  parts.push(choice("lang", t("language"), LANG_NAMES.map((text, k) => [k, text]), langIndex(), (k) => { remember("lang", k); speak(Number(k)); }));
  const slider = (part, label, values, value, tell, change) => {
    const said = make("output", { textContent: tell(value) });
    const input = make("input", { type: "range", ...values, oninput: () => { said.textContent = tell(input.valueAsNumber); }, onchange: () => change(input.valueAsNumber) });
    input.value = value;
    input.dataset.part = part;
    input.setAttribute("aria-valuetext", tell(value));
    input.addEventListener("input", () => input.setAttribute("aria-valuetext", tell(input.valueAsNumber)));
    return make("label", {}, make("span", { textContent: label }), input, said);
  };
  const push = (part, text, act) => {
    const button = make("button", { type: "button", textContent: text, className: "push", onclick: act });
    button.dataset.part = part;
    return button;
  };
  parts.push(slider("volume", t("volume"), { min: 0, max: 100, step: 5 }, Math.round(state.volume * 100), (v) => `${v} %`, (v) => {
    state.volume = v / 100;
    prefer("volume", state.volume);
    setVolume(state.volume);
    sounds(v > 0);
  }));
  if (grant.operator && state.speeds.length) {
    const speeds = state.speeds, name = (k) => `${({ 0.25: "¼", 0.5: "½" })[speeds[k]] ?? speeds[k]}×`;
    parts.push(slider("speed", t("speed"), { min: 0, max: speeds.length - 1, step: 1 }, Math.max(0, speeds.indexOf(status.speed ?? 1)), name, (k) => wire.send({ speed: speeds[k] })));
  }
  if (stoppable()) {
    parts.push(make("div", { className: "row" }, make("span", { textContent: t("pace") }), make("span", {}, push("pause", t(paused() ? "goOn" : "pause"), pause), " ", push("step", t("step"), step))));
  }
  if (grant.operator) {
    const on = status.powered !== false && !status.crashed;
    parts.push(make("div", { className: "row" }, make("span", { textContent: t("power") }), toggle("power", t("power"), on, () => power(!on))));
  }
  if (grant.seats.length) {
    const table = make("table", {}, make("thead", {}, make("tr", {}, make("th", { textContent: t("plugs") }), make("th", { textContent: t("pad") }), make("th", { textContent: t("display") }))));
    const body = make("tbody");
    for (const seat of grant.operator ? SEATS : grant.seats) {
      const cell = (what, present) => make("td", {}, toggle(`${what}${seat}`, `${name(seat)}: ${t(what)}`, present, () =>
        command({ [present ? "unplug" : "plug"]: what === "pad" ? { seat } : { seat, what } })));
      body.append(make("tr", {}, make("th", { textContent: name(seat), scope: "row" }), cell("pad", status.pads?.[seat] !== false), cell("display", status.displays?.[seat] !== false)));
    }
    table.append(body);
    parts.push(table);
  }
  if (stoppable()) {
    parts.push(make("h3", { textContent: t("fresh") }), make("p", { className: "note", textContent: t(status.keeps ? "freshKept" : "freshHow") }));
  }
  if (renewable()) {
    const { fresh } = state;
    const number = make("input", { value: fresh.number, placeholder: t("anyNumber"), maxLength: 64, spellcheck: false, autocomplete: "off", oninput: () => { fresh.number = number.value; } });
    number.dataset.part = "number";
    parts.push(
      choice("rules", t("rules"), Object.entries(state.rules).map(([id, names]) => [id, names[langIndex()]]), fresh.rules ?? status.rules, (id) => { fresh.rules = id; }),
      make("label", {}, make("span", { textContent: t("number") }), number),
      choice("lead", t("lead"), [["", t("anyLead")], ...SEATS.map((seat) => [seat, name(seat)])], fresh.lead, (seat) => { fresh.lead = seat; }),
      make("div", { className: "row" }, make("span"), push("begin", t(state.sure ? "sure" : "begin"), begin)),
    );
  }
  if (grant.links) {
    parts.push(make("h3", { textContent: t("links") }), make("p", { className: "note", textContent: t("linksHow") }));
    for (const seat of SEATS) {
      const link = grant.address + grant.links[seat];
      const field = make("input", { readOnly: true, value: link, onfocus: () => field.select() });
      field.setAttribute("aria-label", `${t("links")}: ${name(seat)}`);
      const copy = make("button", { type: "button", textContent: t("copy"), onclick: async () => {
        field.select();
        // Without a secure context there is no clipboard object; the old way works everywhere.
        try { await navigator.clipboard.writeText(link); } catch { document.execCommand("copy"); }
        copy.textContent = t("copied");
      } });
      copy.setAttribute("aria-label", `${t("copy")}: ${name(seat)}`);
      field.dataset.part = `link${seat}`;
      copy.dataset.part = `copy${seat}`;
      const row = make("div", { className: "link" }, make("b", { textContent: name(seat) }), field, copy);
      parts.push(row);
      if (!grant.codes) continue;
      const show = make("button", { type: "button", textContent: t("code"), onclick() {
        state.code = state.code === seat ? null : seat;
        fillBench();
      } });
      show.setAttribute("aria-label", `${t("code")}: ${name(seat)}`);
      show.setAttribute("aria-expanded", state.code === seat);
      show.dataset.part = `code${seat}`;
      row.append(show);
      if (state.code === seat) parts.push(codePicture(grant.codes[seat], `${t("code")}: ${name(seat)}`));
    }
  }
  const help = make("dl");
  for (const [caps, ...keys] of HELP) help.append(make("dt", { textContent: caps }), make("dd", { textContent: keys.map((key) => t(key)).join(" · ") }));
  help.append(make("dt", { textContent: "1–4" }), make("dd", { textContent: t("helpSeat") }), make("dt", { textContent: t("click") }), make("dd", { textContent: t("helpClick") }), make("dt"), make("dd", { textContent: t("helpReading") }));
  parts.push(make("h3", { textContent: t("keysHelp"), className: "keyboard" }), help);
  $("bench-body").replaceChildren(...parts);
  if (focused) $("bench-body").querySelector(`[data-part="${focused}"]`)?.focus();
}

const pause = () => wire.send({ pace: paused() ? "run" : "pause" });
const step = () => wire.send({ pace: "step" });

// Twice, because it takes something away.
function begin() {
  const { number, lead, rules } = state.fresh;
  if (!/^[0-9a-f]{0,64}$/i.test(number.trim())) return toast(t("badNumber"));
  state.sure = !state.sure;
  if (!state.sure) {
    wire.send({ new: { number: number.trim(), lead: lead === "" ? null : Number(lead), rules: rules ?? state.status.rules } });
    openBench(false);
  } else {
    fillBench();
  }
}

function openBench(open) {
  state.sure = false;
  $("bench").hidden = !open;
  $("bench-open").setAttribute("aria-expanded", open);
  if (open) {
    fillBench();
    $("bench-close").focus();
  } else {
    $("bench-open").focus();
  }
}

function speak(index) {
  setLang(index);
  log.redraw();
  show();
  readSoon();
}

// What happens at the table

function follow(event) {
  if (event.ev === "turn") Object.assign(state, { turn: event.seat, leading: event.leading });
  // Emptied between two turns of one's own, so that the second is called out again.
  if (event.ev === "play" || event.ev === "pass") state.turn = null;
  if (event.ev === "resumed") state.turn = event.turn;
  if (event.ev === "deal") state.left = [27, 27, 27, 27];
  if (event.ev === "end" && event.totals) state.totals = event.totals;
  if (event.ev === "deal" && event.n === 1) state.totals = null;
  if (event.ev === "play") state.left[event.seat] = event.left;
  if (event.ev === "end") state.turn = null;
}

const heard = {
  welcome({ grant, known, lang, speeds, rules, ranks, sounds, crash, status, events }) {
    reader = Object.keys(ranks).length ? new HandReader(ranks) : null;
    Object.assign(state, { grant, known, speeds, rules, sounds, crash, status, welcomed: true, lost: false, turn: null, totals: null, left: [null, null, null, null] });
    if (state.lang === null) setLang(Math.max(0, LANGS.indexOf(lang)));
    if (!may(state.seat)) state.seat = grant.own;
    if (state.view !== "all" || !grant.seats.length) state.view = grant.seats.length ? state.view || "one" : "all";
    $("table").removeAttribute("aria-busy");
    events.forEach(follow);
    // A deal that goes on after a power cut was told in a boot before this record began.
    if (Number.isInteger(status.turn)) state.turn = status.turn;
    log.fill(events);
    hear();
    look();
  },
  grant(grant) {
    state.grant = grant;
    if (!may(state.seat)) state.seat = grant.own;
    seats.forEach(({ seat, screen }) => may(seat) || screen.blank());
    look();
  },
  crash(text) {
    state.crash = text;
    showBanner();
  },
  answer({ ok, why }) {
    if (!ok) toast(why);
  },
  status(status) {
    const renamed = JSON.stringify(status.names) !== JSON.stringify(state.status.names);
    state.status = status;
    if (renamed) log.redraw();
    show();
  },
  lamps(lamps) {
    state.lamps = lamps;
    seats.forEach(({ seat, pad }) => pad.light(lamps.lights[seat]));
    ring.show(lamps.ring, bottom());
    readSoon();
  },
  event(event) {
    follow(event);
    log.add(event);
    if (!state.sounds) sound(event, event.seat === state.grant.own);
    show();
  },
};

const wire = new Wire({
  open: () => null,
  samples,
  picture(buffer) {
    paintMessage(buffer, seats.map(({ screen }) => screen));
    readSoon();
  },
  message: (kind, body) => heard[kind]?.(body),
  lost() {
    state.lost = true;
    seats.forEach(({ pad }) => pad.letGo());
    showBanner();
  },
});

// Controls

function setView(view) {
  state.view = view;
  remember("view", view);
  look();
}
$("view-one").onclick = () => setView("one");
$("view-all").onclick = () => setView("all");
function sounds(on) {
  $("sound").setAttribute("aria-pressed", on);
  prefer("sound", on);
  setVolume(state.volume);
  setSound(on);
  hear();
}
const hear = () => wire.send({ hear: $("sound").getAttribute("aria-pressed") === "true" });
$("sound").onclick = () => sounds($("sound").getAttribute("aria-pressed") !== "true");
// A browser lets a page make sounds only after the first touch or key.
if (preferred("sound") === "true") {
  $("sound").setAttribute("aria-pressed", true);
  ["pointerdown", "keydown"].forEach((kind) => addEventListener(kind, () => $("sound").getAttribute("aria-pressed") === "true" && setSound(true), { once: true, capture: true }));
}
$("pause").onclick = pause;
$("step").onclick = step;
$("power").onclick = () => power(state.status.powered === false || Boolean(state.status.crashed));
$("banner-do").onclick = () => power(true);
$("bench-open").onclick = () => openBench($("bench").hidden);
$("bench-close").onclick = () => openBench(false);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !$("bench").hidden) {
    event.preventDefault();
    event.stopImmediatePropagation();
    openBench(false);
  }
}, { capture: true });
// A mouse leaves no focus behind on the header's buttons, so that Enter and Space stay keys of the pad.
document.addEventListener("click", (event) => {
  const control = event.target.closest("header button, #banner button, #chips button");
  if (control && event.detail > 0 && control.id !== "bench-open" && control.id !== "bench-close") control.blur();
});
listen((key, down) => press(state.seat, key, down), (seat) => state.view === "all" && choose(seat));
addEventListener("resize", arrange);
addEventListener("hashchange", () => location.reload());
if (state.lang !== null) setLang(Number(state.lang));
if (!state.view) state.view = "one";
arrange();
