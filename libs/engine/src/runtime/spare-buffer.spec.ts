import { jest } from '@jest/globals';

import { SpareBuffer } from './spare-buffer.js';

const MIB = 2 ** 20;

describe('SpareBuffer', () => {
  let allocated: number[];
  let spare: SpareBuffer;

  beforeEach(() => {
    jest.useFakeTimers();
    allocated = [];
    spare = new SpareBuffer((length) => {
      allocated.push(length);
      return new Uint8Array(length);
    });
  });

  afterEach(() => jest.useRealTimers());

  it('has one ready for the next that is as large', () => {
    const first = spare.take(5000);
    jest.runAllTimers();
    const second = spare.take(5000);
    expect(allocated).toEqual([5000, 5000]);
    expect(second).toHaveLength(5000);
    expect(second.buffer).not.toBe(first.buffer);
    expect(second.every((byte) => byte === 0)).toBe(true);
  });

  it('gives each away once', () => {
    spare.take(8);
    jest.runAllTimers();
    expect(spare.take(8).buffer).not.toBe(spare.take(8).buffer);
  });

  it('gives a new one when none is ready yet, or the one that is has another size', () => {
    expect(spare.take(8)).toHaveLength(8);
    expect(spare.take(8)).toHaveLength(8);
    jest.runAllTimers();
    expect(spare.take(9)).toHaveLength(9);
    expect(allocated).toEqual([8, 8, 8, 9]);
  });

  it('keeps none after a large one', () => {
    spare.take(8);
    jest.runAllTimers();
    spare.take(33 * MIB);
    jest.runAllTimers();
    expect(allocated).toEqual([8, 8, 33 * MIB]);
  });
});
