import { parseJson } from '@hone/client';

import { LargePayload } from './large-payload.js';

/** Bytes up to which an answer is parsed at once: it takes less time than starting a worker. */
const SMALL_BYTES = 262_144;

/** An answer whose numbers are exact, and whose long values may be `RemoteBranch` and `RemoteText`. */
export interface Payload<T> {
  readonly value: T;
  /** Has what is not in `value`; null: all is there. */
  readonly large: LargePayload | null;
}

/**
 * Reads an answer of any size without holding up the page: a large one is left to a worker.
 *
 * @param frames levels of objects around the values, which are always there
 * @param signal ends the worker when nobody waits for the answer any more
 */
export const payloadReader =
  (frames: number, signal: AbortSignal) =>
  async (response: Response): Promise<Payload<unknown>> => {
    // The worker starts while the answer comes.
    let large = Number(response.headers.get('content-length')) > SMALL_BYTES ? new LargePayload() : null;
    try {
      const bytes = await response.arrayBuffer();
      if (bytes.byteLength <= SMALL_BYTES) {
        large?.end();
        return { value: parseJson(new TextDecoder().decode(bytes)), large: null };
      }
      large ??= new LargePayload();
      const value = await large.open(bytes, frames);
      signal.throwIfAborted();
      return { value, large };
    } catch (error) {
      large?.end();
      throw error;
    }
  };
