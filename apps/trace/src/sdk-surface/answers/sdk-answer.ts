import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { fieldsOfRoute } from '../names.js';
import { NameScanner } from './name-scanner.js';

/** A text of at most so many bytes is renamed at once, a longer one in pieces between which other requests go on. */
const PIECE_BYTES = 262_144;

/**
 * The JSON of an answer with the names of the SDKs. A stream stays one, and is read only as fast as the client reads.
 *
 * @param path below the surface by which the SDK asked
 */
export function toSdkAnswer(payload: string | Buffer | Readable, refScheme: string, path: string): Buffer | Readable {
  const scanner = new NameScanner(refScheme, fieldsOfRoute(path));
  if (payload instanceof Readable) return renamedStream(payload, scanner);
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  if (bytes.length > PIECE_BYTES) return renamedStream(Readable.from([bytes]), scanner);
  return Buffer.concat([scanner.push(bytes), scanner.end()]);
}

function renamedStream(source: Readable, scanner: NameScanner): Readable {
  // An error of the source becomes one of the answer, which breaks the connection.
  const renamed = Readable.from(pieces(source, scanner), { objectMode: false });
  renamed.once('close', () => source.destroy()); // the client may have left before the first byte
  return renamed;
}

/** A chunk holds whole rows, however large their values are. */
async function* pieces(source: Readable, scanner: NameScanner): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      if (at > 0) await nextTurn();
      const piece = scanner.push(chunk.subarray(at, at + PIECE_BYTES));
      if (piece.length > 0) yield piece;
    }
  }
  const rest = scanner.end();
  if (rest.length > 0) yield rest;
}
