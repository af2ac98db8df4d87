// The WebSocket to the table: says hello with the link's token, hands on what comes, and connects again by itself.

const FIRST_RETRY_MS = 300, LONGEST_RETRY_MS = 4000;
// What a message of sound begins with; a picture has a smaller number there.
const SOUND = 0xFFFF;
// A network can be gone without a word: whoever hears nothing for so many pings takes the line for cut.
const PING_EVERY_MS = 5000, UNANSWERED = 3;

export class Wire {
  // handlers: { open() -> seats to look at, picture(ArrayBuffer), samples(ArrayBuffer), message(name, body), lost() }
  constructor(handlers) {
    this.handlers = handlers;
    this.retry = FIRST_RETRY_MS;
    this.connect();
    setInterval(() => this.ping(), PING_EVERY_MS);
  }

  ping() {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    if (++this.unheard > UNANSWERED) this.cut(this.socket);
    else this.send({ ping: 1 });
  }

  cut(socket) {
    if (socket !== this.socket || socket.given) return;
    socket.given = true;
    socket.close();
    this.handlers.lost();
    setTimeout(() => this.connect(), this.retry);
    this.retry = Math.min(this.retry * 2, LONGEST_RETRY_MS);
  }

  connect() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/table`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.unheard = 0;
    socket.onopen = () => {
      const token = new URLSearchParams(location.hash.slice(1)).get("k") || "";
      const hello = { hello: token };
      const view = this.handlers.open();
      if (view) hello.view = view;
      this.send(hello);
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket || socket.given) return;
      this.unheard = 0;
      if (typeof data === "string") {
        for (const [name, body] of Object.entries(JSON.parse(data))) {
          if (name === "welcome") this.retry = FIRST_RETRY_MS;
          this.handlers.message(name, body);
        }
        return;
      }
      const number = new DataView(data).getUint16(0, true);
      if (number === SOUND) return this.handlers.samples(data);
      this.handlers.picture(data);
      this.send({ ack: number });
    };
    socket.onclose = () => this.cut(socket);
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
