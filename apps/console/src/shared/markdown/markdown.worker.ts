import { parseMarkdown } from './parse.js';

addEventListener('message', ({ data: { id, text } }: MessageEvent<{ id: number; text: string }>) => {
  postMessage({ id, blocks: parseOrNull(text) });
});
// Its code is loaded: what takes time from now on is a text.
postMessage('ready');

/** What is nested deeper than the parser goes is shown as it is. */
function parseOrNull(text: string) {
  try {
    return parseMarkdown(text);
  } catch {
    return null;
  }
}
