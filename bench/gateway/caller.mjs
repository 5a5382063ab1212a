import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
/** Enough for the end of a stream, `[DONE]` and the last chunk. */
const TAIL_BYTES = 64;
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i;

/**
 * One keep-alive HTTP/1.1 client connection, one request at a time. It reads bodies with a length and chunked ones, and
 * parses only where they end.
 */
export class Caller {
  #socket;
  #exchange;

  static async open(port) {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    return new Caller(socket);
  }

  /** Opens `count` connections. */
  static openAll(port, count) {
    return Promise.all(Array.from({ length: count }, () => Caller.open(port)));
  }

  constructor(socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#exchange?.read(chunk));
    socket.on('error', (error) => this.#exchange?.reject(error));
    socket.on('close', () => this.#exchange?.reject(new Error('the connection was closed')));
  }

  /**
   * @param {Buffer} request
   * @param {(chunk: Buffer) => void} [onData] gets the raw bytes as they arrive, with the framing of HTTP
   * @returns {Promise<{ status: number, bytes: number, tail: string }>} `tail`: the last bytes that came
   */
  ask(request, onData) {
    return new Promise((resolve, reject) => {
      this.#exchange = new Exchange(resolve, reject, onData);
      this.#socket.write(request);
    });
  }

  /** Reads nothing, until {@link resume}. */
  pause() {
    this.#socket.pause();
  }

  resume() {
    this.#socket.resume();
  }

  /** Closes the connection at once, also amid an answer. The last request never settles. */
  leave() {
    this.#exchange = undefined;
    this.#socket.destroy();
  }
}

class Exchange {
  #resolve;
  #onData;
  #head = null;
  #status = 0;
  /** -1: the body comes in chunks. */
  #length = -1;
  #bodyBytes = 0;
  #bytes = 0;
  #tail = Buffer.alloc(0);

  constructor(resolve, reject, onData) {
    this.#resolve = resolve;
    this.reject = reject;
    this.#onData = onData;
  }

  read(chunk) {
    this.#bytes += chunk.length;
    if (this.#status > 0) this.#bodyBytes += chunk.length;
    else if (!this.#readHead(chunk)) return;
    this.#onData?.(chunk);
    if (this.#length >= 0) {
      if (this.#bodyBytes >= this.#length) this.#finish(chunk);
      return;
    }
    // Its last bytes may have come in two pieces.
    this.#tail = chunk.length >= TAIL_BYTES ? chunk : Buffer.concat([this.#tail, chunk]).subarray(-TAIL_BYTES);
    if (this.#tail.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) this.#finish(this.#tail);
  }

  #readHead(chunk) {
    const bytes = this.#head === null ? chunk : Buffer.concat([this.#head, chunk]);
    const end = bytes.indexOf(HEAD_END);
    this.#head = bytes;
    if (end < 0) return false;
    const text = bytes.toString('latin1', 0, end);
    this.#status = Number(text.slice(9, 12));
    this.#length = Number(CONTENT_LENGTH.exec(text)?.[1] ?? -1);
    this.#bodyBytes = bytes.length - end - HEAD_END.length;
    return true;
  }

  #finish(tail) {
    this.#resolve({ status: this.#status, bytes: this.#bytes, tail: tail.toString('latin1') });
  }
}
