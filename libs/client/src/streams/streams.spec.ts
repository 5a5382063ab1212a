import { ConnectionError } from '../errors/hone-error.js';
import { readLines } from './lines.js';
import { serverSentEvents } from './server-sent-events.js';

/** A body of these chunks; after the last one it ends, or breaks with `error`. */
const bodyOf = (chunks: readonly (string | Uint8Array)[], error?: Error, onCancel?: () => void) => {
  const left = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk));
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next) controller.enqueue(next);
      else if (error) controller.error(error);
      else controller.close();
    },
    cancel: onCancel,
  });
};

async function allOf<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

const lines = (body: ReadableStream<Uint8Array>) => readLines(async () => new Response(body), JSON.parse);

describe('lines of JSON', () => {
  it('are the same wherever the chunks are cut, inside of characters too', async () => {
    const bytes = new TextEncoder().encode('{"a":"ü🎈"}\n\n{"b":2}\r\n[3]');
    for (let at = 0; at <= bytes.length; at++)
      expect(await allOf(lines(bodyOf([bytes.subarray(0, at), bytes.subarray(at)])))).toEqual([
        { a: 'ü🎈' },
        { b: 2 },
        [3],
      ]);
  });

  it('that are cut off end in an error, after those that came', async () => {
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const value of lines(bodyOf(['1\n2\n'], new TypeError('terminated')))) seen.push(value);
    })();
    await expect(reading).rejects.toThrow(ConnectionError);
    expect(seen).toEqual([1, 2]);
  });

  it('cancel the answer when their reader stops', async () => {
    let isCancelled = false;
    const body = bodyOf(['1\n', '2\n', '3\n'], undefined, () => (isCancelled = true));
    for await (const value of lines(body)) if (value === 1) break;
    expect(isCancelled).toBe(true);
  });
});

describe('server-sent events', () => {
  it('have type, data and the last id', async () => {
    const text = ': hello\n\nid: 1\nevent: step\ndata: a\ndata:b\n\ndata: c\n\nevent: nothing\n\nid\ndata\n\n';
    expect(await allOf(serverSentEvents(bodyOf([text])))).toEqual([
      { event: 'step', data: 'a\nb', id: '1' },
      { event: 'message', data: 'c', id: '1' },
      { event: 'message', data: '', id: '' },
    ]);
  });
});
