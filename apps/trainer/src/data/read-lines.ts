import { splitLines } from '@hone/engine';

import { DataTooLargeError } from './data.errors.js';

/** Bytes of a line. A longer one is no conversation: the file is probably not JSON Lines. */
const MAX_BYTES = 1 << 26;

/**
 * Lines of a JSON Lines file, without their line breaks; null for a line that is not valid UTF-8.
 *
 * @throws DataTooLargeError more than `maxLines`
 * @throws LineTooLongError
 */
export async function* readLines(bytes: AsyncIterable<Buffer>, maxLines: number): AsyncGenerator<string | null> {
  let count = 0;
  for await (const line of splitLines(bytes, MAX_BYTES)) {
    if (++count > maxLines) throw new DataTooLargeError(`more than ${maxLines} lines`);
    yield line?.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
