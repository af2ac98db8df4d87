// Short tones for what happens at the table; silent until switched on.

let context = null, master = null, on = false, volume = 0.8;

function tone(frequency, at, length, { type = "triangle", loud = 0.12, to = frequency } = {}) {
  const start = context.currentTime + at;
  const oscillator = context.createOscillator(), gain = context.createGain();
  oscillator.type = type;
  oscillator.frequency.setValueAtTime(frequency, start);
  oscillator.frequency.exponentialRampToValueAtTime(to, start + length);
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(loud, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  oscillator.connect(gain).connect(master);
  oscillator.start(start);
  oscillator.stop(start + length + 0.02);
}

function rumble(length, loud) {
  const samples = context.sampleRate * length;
  const buffer = context.createBuffer(1, samples, context.sampleRate), data = buffer.getChannelData(0);
  for (let k = 0; k < samples; k++) data[k] = (Math.random() * 2 - 1) * (1 - k / samples) ** 2;
  const source = context.createBufferSource(), filter = context.createBiquadFilter(), gain = context.createGain();
  source.buffer = buffer;
  filter.type = "lowpass";
  filter.frequency.value = 320;
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(master);
  source.start();
}

const BOMB = /^(bomb|chain|jokers)/;

// event: (event, whether it is about this browser's own seat)
const SOUNDS = {
  play(e) {
    if (BOMB.test(e.meld)) {
      rumble(0.7, 0.9);
      tone(180, 0, 0.5, { type: "sawtooth", loud: 0.1, to: 50 });
    } else {
      tone(520, 0, 0.08);
      tone(780, 0.03, 0.08, { loud: 0.07 });
    }
  },
  pass() { tone(260, 0, 0.07, { loud: 0.06, to: 220 }); },
  turn(e, mine) { if (mine) { tone(660, 0, 0.1); tone(880, 0.11, 0.16); } },
  refused(e, mine) { if (mine) tone(160, 0, 0.18, { type: "square", loud: 0.05, to: 120 }); },
  warning(e, mine) { if (mine) [0, 0.16, 0.32].forEach((at) => tone(990, at, 0.1, { loud: 0.1 })); },
  out() { [523, 659, 784].forEach((f, k) => tone(f, k * 0.09, 0.2)); },
  deal() { for (let k = 0; k < 6; k++) tone(900 + 40 * k, k * 0.05, 0.04, { loud: 0.05 }); },
  end() { [523, 659, 784, 1047].forEach((f, k) => tone(f, k * 0.13, 0.35)); },
};

export function setSound(wanted) {
  on = wanted;
  if (!on) return;
  if (!context) {
    context = new AudioContext();
    master = context.createGain();
    master.connect(context.destination);
  }
  setVolume(volume);
  context.resume();
}

// 0 to 1; the ear hears the square of it.
export function setVolume(wanted) {
  volume = wanted;
  if (master) master.gain.value = volume ** 2;
}

export function sound(event, mine) {
  if (on && context?.state === "running") SOUNDS[event.ev]?.(event, mine);
}

// What the hub's loudspeaker got: speed of the table, rate, samples (host/page/pictures.py).
const AHEAD_S = 0.06, LATEST_S = 0.6;
let due = 0;

export function samples(message) {
  if (!on || context?.state !== "running") return;
  const head = new DataView(message), speed = head.getUint16(2, true) / 100, rate = head.getUint32(4, true);
  const pcm = new Int16Array(message, 8), block = context.createBuffer(1, pcm.length, rate);
  block.getChannelData(0).set(Float32Array.from(pcm, (v) => v / 32768));
  const now = context.currentTime;
  // A little later than it comes, so that blocks join; whoever has fallen far behind leaves some out.
  if (due < now + 0.005) due = now + AHEAD_S;
  if (due > now + LATEST_S) return;
  const source = context.createBufferSource();
  source.buffer = block;
  source.playbackRate.value = speed;
  source.connect(master);
  source.start(due);
  due += block.duration / speed;
}
