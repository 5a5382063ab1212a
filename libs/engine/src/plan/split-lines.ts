import { StringDecoder } from 'node:string_decoder';

import { LineTooLongError } from './plan.errors.js';

/**
 * Lines of a text file, without their line feeds. Only U+000A ends one: a JSON string may hold U+2028.
 *
 * @throws LineTooLongError a line of more than `maxCharacters`
 */
export async function* splitLines(bytes: AsyncIterable<Buffer>, maxCharacters = Infinity): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  // Joined once: a line may come in thousands of pieces.
  let pieces: string[] = [];
  let length = 0;
  const add = (piece: string): void => {
    length += piece.length;
    if (length > maxCharacters) throw new LineTooLongError(maxCharacters);
    pieces.push(piece);
  };
  for await (const chunk of bytes) {
    const [first = '', ...others] = decoder.write(chunk).split('\n');
    add(first);
    for (const piece of others) {
      yield pieces.join('');
      [pieces, length] = [[], 0];
      add(piece);
    }
  }
  add(decoder.end());
  if (length > 0) yield pieces.join('');
}
