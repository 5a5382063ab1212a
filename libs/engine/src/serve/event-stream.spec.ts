import { jest } from '@jest/globals';

import { EventStream } from './event-stream.js';

describe('EventStream', () => {
  it('gives what was pushed before and after reading began, in order', async () => {
    const stream = new EventStream<number>(() => undefined);
    stream.push(1);
    const read = (async () => {
      const values: number[] = [];
      for await (const value of stream) values.push(value);
      return values;
    })();
    await Promise.resolve();
    stream.push(2);
    stream.push(3);
    stream.end();
    expect(await read).toEqual([1, 2, 3]);
  });

  it('gives an error after what came before it, once', async () => {
    const stream = new EventStream<number>(() => undefined);
    stream.push(1);
    stream.end(new Error('broken'));
    expect((await stream.next()).value).toBe(1);
    await expect(stream.next()).rejects.toThrow('broken');
    expect((await stream.next()).done).toBe(true);
  });

  it('tells when the reader leaves early, not when it reads to the end', async () => {
    const onLeave = jest.fn();
    const left = new EventStream<number>(onLeave);
    left.push(1);
    for await (const value of left) if (value === 1) break;
    expect(onLeave).toHaveBeenCalledTimes(1);
    const read = new EventStream<number>(onLeave);
    read.end();
    for await (const value of read) expect(value).toBe('never');
    expect(onLeave).toHaveBeenCalledTimes(1);
  });
});
