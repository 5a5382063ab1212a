import { parseJson } from '@hone/client';

import { LargePayload } from './large-payload.js';

/**
 * Bytes up to which an answer is parsed at once: it takes less time than starting a worker. More goes there in parts of
 * this size.
 */
const SMALL_BYTES = 262_144;

/** An answer whose numbers are exact, and whose long values may be `RemoteBranch` and `RemoteText`. */
export interface Payload<T> {
  readonly value: T;
  /** Has what is not in `value`; null: all is there. */
  readonly large: LargePayload | null;
}

/**
 * Reads an answer of any size without holding up the page: a large one is left to a worker, piece by piece as it comes.
 *
 * @param frames levels of objects around the values, which are always there
 * @param signal ends the worker when nobody waits for the answer any more
 */
export const payloadReader =
  (frames: number, signal: AbortSignal) =>
  async (response: Response): Promise<Payload<unknown>> => {
    let large: LargePayload | null = null;
    try {
      let pieces: Uint8Array<ArrayBuffer>[] = [];
      let bytes = 0;
      for await (const piece of piecesOf(response)) {
        bytes += piece.length;
        pieces.push(piece);
        if (bytes <= SMALL_BYTES) continue;
        large ??= new LargePayload();
        large.push(pieces);
        pieces = [];
        bytes = 0;
      }
      if (large === null) return { value: parseJson(await new Blob(pieces).text()), large };
      large.push(pieces);
      const value = await large.open(frames);
      signal.throwIfAborted();
      return { value, large };
    } catch (error) {
      large?.end();
      throw error;
    }
  };

/** Not every browser iterates over a body by itself. */
async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) yield read.value;
}
