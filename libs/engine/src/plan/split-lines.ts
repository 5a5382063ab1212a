import { isUtf8 } from 'node:buffer';

import { LineTooLongError } from './plan.errors.js';

const LINE_FEED = 0x0a;

/**
 * Lines of a text file, without their line feeds; null for a line that is not valid UTF-8. Only U+000A ends one: a
 * JSON string may hold U+2028.
 *
 * @throws LineTooLongError a line of more than `maxBytes`
 */
export async function* splitLines(bytes: AsyncIterable<Buffer>, maxBytes = Infinity): AsyncGenerator<string | null> {
  // Joined once: a line may come in thousands of pieces.
  let pieces: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer): void => {
    length += piece.length;
    if (length > maxBytes) throw new LineTooLongError(maxBytes);
    pieces.push(piece);
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, end));
      yield decoded(pieces);
      [pieces, length, from] = [[], 0, end + 1];
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield decoded(pieces);
}

function decoded(pieces: readonly Buffer[]): string | null {
  const [first, ...others] = pieces;
  const line = others.length === 0 && first ? first : Buffer.concat(pieces);
  return isUtf8(line) ? line.toString('utf8') : null;
}
