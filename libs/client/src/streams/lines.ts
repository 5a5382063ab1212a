import { textLines } from './text-lines.js';

/**
 * The values of an answer of NDJSON, one line each, as they come. The request is sent when reading begins.
 *
 * @throws AnswerError before the first line
 * @throws ConnectionError the answer was cut; what was read until then is not all
 */
export async function* readLines<T>(
  open: () => Promise<Response>,
  parse: (text: string) => T,
): AsyncGenerator<T, void, undefined> {
  const { body } = await open();
  if (body === null) return;
  for await (const lines of textLines(body)) {
    for (const line of lines) if (line !== '') yield parse(line);
  }
}
