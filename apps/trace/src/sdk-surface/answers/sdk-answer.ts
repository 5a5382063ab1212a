import { pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { ROUTE_FIELDS } from '../names.js';
import { NameScanner } from './name-scanner.js';

/** A text of at most so many bytes is renamed at once, a longer one in pieces between which other requests go on. */
const PIECE_BYTES = 262_144;

/**
 * The JSON of an answer with the names of the SDKs. A stream stays one, and is read only as fast as the client reads.
 *
 * @param path below the surface by which the SDK asked
 */
export function toSdkAnswer(payload: string | Buffer | Readable, refScheme: string, path: string): Buffer | Readable {
  const scanner = new NameScanner(refScheme, ROUTE_FIELDS.get(path));
  if (payload instanceof Readable) return renamedStream(payload, scanner);
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  if (bytes.length > PIECE_BYTES) return renamedStream(Readable.from(pieces(bytes)), scanner);
  return Buffer.concat([scanner.push(bytes), scanner.end()]);
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
    await nextTurn();
  }
}

function renamedStream(source: Readable, scanner: NameScanner): Readable {
  const renamed = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      done(null, scanner.push(chunk));
    },
    flush(done: TransformCallback) {
      done(null, scanner.end());
    },
  });
  // An error of the source breaks the connection, and a client that has left ends the source.
  pipeline(source, renamed, () => undefined);
  return renamed;
}
