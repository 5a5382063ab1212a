import type { Socket } from 'node:net';

import { buildConnector } from 'undici';

const CONTINUE = Buffer.from('HTTP/1.1 100');
/** Where the status code begins, and its first digit in interim responses. */
const STATUS_AT = 9;
const ONE = 0x31;
const END = Buffer.from('\r\n\r\n');
/** A longer head is none of an interim response. */
const MAX_BYTES = 8_192;

/** Connects as undici does, to a server that may send `100 Continue` unasked. */
export function connector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (to, callback) =>
    connect(to, (...result) => {
      // Without a connection there is no socket at all.
      if (result[0] === null) skipContinue(result[1]);
      callback(...result);
    });
}

/**
 * Skips `100 Continue` responses, which a server may send before the response proper (RFC 9110, section 15.2): undici
 * closes the connection instead, unless the request asked for them. Only the first bytes after a request are looked at.
 */
export function skipContinue(socket: Pick<Socket, 'read' | 'write'>): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...data: unknown[]) => boolean;
  let isAwaiting = false;
  let held: Buffer | null = null;
  const next = (): Buffer | null => {
    for (let chunk = read(); chunk !== null; chunk = read()) {
      const bytes: Buffer = held === null ? chunk : Buffer.concat([held, chunk]);
      const rest = afterContinue(bytes);
      held = rest === null ? bytes : null;
      if (rest === null || rest.length === 0) continue;
      isAwaiting = false;
      return rest;
    }
    return null;
  };
  // Node itself reads with a size, of 0, which takes nothing.
  socket.read = (size?: number) => (isAwaiting && size === undefined ? next() : read(size));
  socket.write = (...data: unknown[]) => {
    isAwaiting = true;
    return write(...data);
  };
}

/** What follows the interim responses that `bytes` begins with; null: more bytes are needed to know. */
function afterContinue(bytes: Buffer): Buffer | null {
  // Nearly every response is a final one: it is passed on without a search.
  if (bytes.length > STATUS_AT && bytes[STATUS_AT] !== ONE) return bytes;
  let at = 0;
  while (bytes.subarray(at, at + CONTINUE.length).equals(CONTINUE)) {
    const end = bytes.indexOf(END, at);
    if (end < 0) return bytes.length - at > MAX_BYTES ? bytes.subarray(at) : null;
    at = end + END.length;
  }
  const rest = bytes.subarray(at);
  const mayBeOne = rest.length > 0 && CONTINUE.subarray(0, rest.length).equals(rest);
  return mayBeOne ? null : rest;
}
