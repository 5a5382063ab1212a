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

  it('pauses the producer at the high watermark, and resumes it at the low one', async () => {
    const flowControl = { pause: jest.fn(), resume: jest.fn() };
    const stream = new EventStream<number>(() => undefined, flowControl);
    for (let value = 0; value < 1_030; value++) stream.push(value);
    expect(flowControl.pause).toHaveBeenCalledTimes(1);
    for (let read = 0; read < 773; read++) await stream.next();
    expect(flowControl.resume).not.toHaveBeenCalled();
    await stream.next();
    expect(flowControl.resume).toHaveBeenCalledTimes(1);
    expect((await stream.next()).value).toBe(774);
  });

  it('reports when the reader leaves early, not when it reads to the end', async () => {
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
