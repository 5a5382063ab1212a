import { once } from 'node:events';
import { createServer } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';

import { PLANS, streamPieces, wholeAnswer } from './answers.mjs';

const HEAD_END = '\r\n\r\n';
const MODEL = /"model"\s*:\s*"([^"]+)"/;
/** Tokens per write of a stream without pauses. */
const BATCH = 64;

/**
 * An upstream with minimal cost: it shares its core with the load generator, and both together must be faster than
 * the measured process. It reads length and model of a request and replays precomputed bytes.
 */
export class MockUpstream {
  /** Request id -> when (`performance.now()`) it came, and when its connection was closed. */
  requests = new Map();
  /** How many requests came. */
  count = 0;
  #server = createServer({ noDelay: true }, (socket) => new MockConnection(this, socket));
  #sockets = new Set();

  static async start() {
    const mock = new MockUpstream();
    mock.#server.on('connection', (socket) => {
      mock.#sockets.add(socket);
      socket.on('close', () => mock.#sockets.delete(socket));
    });
    mock.#server.listen(0, '127.0.0.1');
    await once(mock.#server, 'listening');
    return mock;
  }

  get port() {
    return this.#server.address().port;
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  stop() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

const PIECES = Object.fromEntries(
  Object.keys(PLANS).map((model) => [model, PLANS[model].isWhole ? wholeAnswer(model) : streamPieces(model)]),
);

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

/** One connection, one request at a time. */
class MockConnection {
  #mock;
  #socket;
  #pending = [];
  /** Bytes of the request that have not come, once its head says so. */
  #missing = 0;
  #timer;
  #request;

  constructor(mock, socket) {
    this.#mock = mock;
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => this.#close());
    socket.on('end', () => this.#close());
    socket.on('close', () => this.#close());
  }

  #close() {
    clearInterval(this.#timer);
    if (this.#request) this.#request.closedMs ??= performance.now();
  }

  #read(chunk) {
    this.#pending.push(chunk);
    this.#missing -= chunk.length;
    // Bodies may be megabytes: only what is whole is put together.
    if (this.#missing > 0) return;
    const bytes = this.#pending.length === 1 ? chunk : Buffer.concat(this.#pending);
    const headEnd = bytes.indexOf(HEAD_END);
    const head = headEnd < 0 ? '' : bytes.toString('latin1', 0, headEnd);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    this.#missing = headEnd < 0 ? 0 : headEnd + HEAD_END.length + length - bytes.length;
    this.#pending = headEnd < 0 || this.#missing > 0 ? [bytes] : [];
    if (this.#pending.length > 0) return;
    const model = MODEL.exec(bytes.toString('latin1', headEnd))?.[1];
    this.#mock.count++;
    const id = /x-request-id: (watch-\S+)/i.exec(head)?.[1];
    if (id) this.#mock.requests.set(id, (this.#request = { atMs: performance.now() }));
    this.#answer(model);
  }

  #answer(model) {
    const plan = PLANS[model];
    const pieces = PIECES[model];
    // A proxy may ask for a list of models, and does without.
    if (plan === undefined) return this.#socket.write(NOT_FOUND);
    if (plan.isSilent) return;
    if (plan.isWhole) return this.#socket.write(pieces);
    this.#socket.write(Buffer.concat([pieces.head, pieces.role]));
    if (plan.hasNoEnd) return;
    if (!plan.paceMs) return void this.#burst(plan, pieces);
    if (plan.firstMs) this.#timer = setTimeout(() => this.#pace(plan, pieces), plan.firstMs);
    else this.#pace(plan, pieces);
  }

  #pace({ tokens, paceMs }, pieces) {
    let token = 0;
    const next = () => {
      if (token < tokens) return this.#socket.write(pieces.tokens[token++ % pieces.tokens.length]);
      clearInterval(this.#timer);
      this.#socket.write(pieces.end);
    };
    next();
    this.#timer = setInterval(next, paceMs);
  }

  async #burst({ tokens }, pieces) {
    for (let token = 0; token < tokens;) {
      const batch = [];
      for (; batch.length < BATCH && token < tokens; token++) batch.push(pieces.tokens[token % pieces.tokens.length]);
      if (this.#socket.destroyed) return;
      if (!this.#socket.write(Buffer.concat(batch))) await drained(this.#socket);
    }
    this.#socket.write(pieces.end);
  }
}

function drained(socket) {
  return new Promise((resolve) => {
    socket.once('drain', resolve);
    socket.once('close', resolve);
  });
}
