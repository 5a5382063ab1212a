import { StringDecoder } from 'node:string_decoder';

import { DataTooLargeError } from '../data/data.errors.js';

/**
 * Lines of a JSON Lines file, without their line breaks. Only U+000A ends one: a string may hold U+2028.
 *
 * @throws DataTooLargeError more than `maxLines`
 */
export async function* readLines(bytes: AsyncIterable<Buffer>, maxLines: number): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let count = 0;
  for await (const chunk of bytes) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() as string;
    count += lines.length;
    if (count > maxLines) throw new DataTooLargeError(`more than ${maxLines} lines`);
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  rest += decoder.end();
  if (rest === '') return;
  if (count + 1 > maxLines) throw new DataTooLargeError(`more than ${maxLines} lines`);
  yield rest;
}
