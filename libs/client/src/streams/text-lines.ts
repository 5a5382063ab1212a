import { ConnectionError } from '../errors/hone-error.js';

/**
 * The lines of a stream of UTF-8, without their ends: those that come together, together, since each step of an
 * asynchronous generator takes longer than a short line. The stream is cancelled when the reader stops early.
 *
 * @throws ConnectionError the stream broke
 */
export async function* textLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string[], void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // Pieces of a line that has not ended, joined once: a long line comes in thousands of chunks.
  let pieces: string[] = [];
  try {
    for (;;) {
      const { done, value } = await read(reader);
      const lines = decoder.decode(value, { stream: !done }).split('\n');
      const last = lines.pop() as string;
      if (lines.length > 0) {
        lines[0] = [...pieces, lines[0]].join('');
        yield lines.map(withoutReturn);
        pieces = [];
      }
      pieces.push(last);
      if (done) break;
    }
    const rest = pieces.join('');
    if (rest !== '') yield [rest];
  } finally {
    // Of a stream that has ended or broken this does nothing.
    await reader.cancel().catch(() => undefined);
  }
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** A signal's reason stays what it is; other failures of the stream are the connection's. */
async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<{ done: boolean; value?: Uint8Array }> {
  try {
    return await reader.read();
  } catch (cause) {
    if (cause instanceof TypeError) throw new ConnectionError(`the answer was cut: ${cause.message}`, { cause });
    throw cause;
  }
}
