import { type Duplex } from 'node:stream';

import { RequestTimeoutError } from '../errors/platform.errors.js';

/** Node's own limit on the request line and all headers together. */
const MAX_HEADER_BYTES = 16_384;

interface Refusal {
  status: string;
  code: string;
  detail: string;
}

const TOO_LARGE: Refusal = {
  status: '431 Request Header Fields Too Large',
  code: 'limit.headers_too_large',
  detail: `The path and the headers are over the limit of ${MAX_HEADER_BYTES} bytes.`,
};
const TOO_SLOW: Refusal = {
  status: '408 Request Timeout',
  code: RequestTimeoutError.code,
  detail: new RequestTimeoutError().message,
};
const MALFORMED: Refusal = {
  status: '400 Bad Request',
  code: 'request.malformed',
  detail: 'The request is malformed.',
};

/** Answers what is no HTTP, or too much of it: such a request never gets to a route. Then the connection is closed. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, ...body } = refusalOf(error.code);
  const text = JSON.stringify({ detail: body.detail, code: body.code });
  const headers = [
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

function refusalOf(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return TOO_LARGE;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? TOO_SLOW : MALFORMED;
}
