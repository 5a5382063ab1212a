import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i;

/**
 * One keep-alive HTTP/1.1 connection, one request at a time, answers with a `Content-Length` only. The
 * load generator shares its cores with the service, where a full HTTP client would measure itself.
 */
export class HttpConnection {
  #socket;
  #head = '';
  #body = [];
  #missingBytes = -1;
  #status = 0;
  #settle;

  static async open(port) {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  constructor(socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('the service closed the connection')));
  }

  /**
   * @param {Buffer} request what {@link toRequest} made
   * @returns {Promise<Buffer>} the body of the answer
   * @throws when the status is not 200
   */
  send(request) {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  /** The service closes connections that were idle for a minute. */
  get isClosed() {
    return this.#socket.destroyed;
  }

  close() {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #read(chunk) {
    let rest = chunk;
    if (this.#missingBytes < 0) {
      this.#head += chunk.toString('latin1');
      const end = this.#head.indexOf(HEAD_END);
      if (end < 0) return;
      const length = CONTENT_LENGTH.exec(this.#head.slice(0, end));
      if (!length) return this.#settle?.reject(new Error(`an answer without a length: ${this.#head.slice(0, 300)}`));
      this.#status = Number(this.#head.slice(9, 12));
      this.#missingBytes = Number(length[1]);
      rest = chunk.subarray(chunk.length - (this.#head.length - end - HEAD_END.length));
    }
    this.#body.push(rest);
    this.#missingBytes -= rest.length;
    if (this.#missingBytes <= 0) this.#finish();
  }

  #finish() {
    const body = this.#body.length === 1 ? this.#body[0] : Buffer.concat(this.#body);
    const settle = this.#settle;
    this.#head = '';
    this.#body = [];
    this.#missingBytes = -1;
    this.#settle = undefined;
    if (this.#status === 200) settle?.resolve(body);
    else settle?.reject(new Error(`status ${this.#status}: ${body.toString('utf8', 0, 500)}`));
  }
}

/** The bytes of a POST request, made once and sent many times. */
export function toRequest(path, authorization, body) {
  const content = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: bench',
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${content.length}`,
  ];
  return Buffer.concat([Buffer.from(head.join('\r\n') + HEAD_END), content]);
}
