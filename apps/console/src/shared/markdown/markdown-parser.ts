import type { Block } from './block.js';

/** A text that takes longer was written to take long. */
const MOST_MS = 3_000;

interface Parsed {
  readonly id: number;
  readonly blocks: readonly Block[] | null;
}

let started: Promise<Worker> | null = null;
let asked = 0;
/** One text after the other: none waits for time that another one takes. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Parses Markdown in a worker, which ends where a text takes too long: parsers take quadratic time for some texts, and the
 * page is never held by one.
 *
 * @returns null: it cannot be parsed, or not in time
 */
export function parseMarkdown(text: string): Promise<readonly Block[] | null> {
  const parsed = last.then(() => parse(text));
  last = parsed;
  return parsed;
}

async function parse(text: string): Promise<readonly Block[] | null> {
  try {
    return await ask(await (started ??= start()), text);
  } catch {
    started = null;
    return null;
  }
}

const start = (): Promise<Worker> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./markdown.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', () => resolve(worker), { once: true });
    worker.addEventListener('error', ({ message }) => reject(new Error(message)), { once: true });
  });

function ask(worker: Worker, text: string): Promise<readonly Block[] | null> {
  const id = ++asked;
  return new Promise((resolve, reject) => {
    const receive = ({ data }: MessageEvent<Parsed>) => {
      if (data.id !== id) return;
      clearTimeout(timer);
      worker.removeEventListener('message', receive);
      resolve(data.blocks);
    };
    const timer = setTimeout(() => {
      worker.terminate();
      reject(new Error('The text takes too long.'));
    }, MOST_MS);
    worker.addEventListener('message', receive);
    worker.postMessage({ id, text });
  });
}
