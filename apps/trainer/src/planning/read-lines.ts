import { splitLines } from '@hone/engine';

import { DataTooLargeError } from '../data/data.errors.js';

/** Of one conversation; what is longer is no JSON Lines. */
const MAX_CHARACTERS = 1 << 26;

/**
 * Lines of a JSON Lines file, without their line breaks.
 *
 * @throws DataTooLargeError more than `maxLines`
 * @throws LineTooLongError
 */
export async function* readLines(bytes: AsyncIterable<Buffer>, maxLines: number): AsyncGenerator<string> {
  let count = 0;
  for await (const line of splitLines(bytes, MAX_CHARACTERS)) {
    if (++count > maxLines) throw new DataTooLargeError(`more than ${maxLines} lines`);
    yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
