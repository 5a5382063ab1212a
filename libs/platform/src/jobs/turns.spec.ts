import { setImmediate as settled } from 'node:timers/promises';

import { Turns } from './turns.js';

describe('Turns', () => {
  let begun: string[];
  let end: Record<string, (error?: Error) => void>;
  let patiences: (() => void)[];
  let turns: Turns;

  beforeEach(() => {
    [begun, end, patiences] = [[], {}, []];
    turns = new Turns(() => new Promise<void>((resolve) => patiences.push(resolve)));
  });

  /** A work that ends when it is told to. */
  const take = (name: string): Promise<string> =>
    turns.take(() => {
      begun.push(name);
      return new Promise((resolve, reject) => {
        end[name] = (error) => (error ? reject(error) : resolve(name));
      });
    });

  it('begins a work when the one before has ended, also by a failure', async () => {
    const works = [take('one'), take('two'), take('three')];
    await settled();
    expect(begun).toEqual(['one']);
    end['one']?.(new Error('gone'));
    await expect(works[0]).rejects.toThrow('gone');
    await settled();
    expect(begun).toEqual(['one', 'two']);
    end['two']?.();
    expect(await works[1]).toBe('two');
    await settled();
    expect(begun).toEqual(['one', 'two', 'three']);
  });

  it('lets a work that goes on hold up the next one for a while, and no other', async () => {
    void take('long');
    void take('second');
    await settled();
    expect(begun).toEqual(['long']);
    patiences[0]?.();
    await settled();
    expect(begun).toEqual(['long', 'second']);
    end['second']?.();
    void take('third');
    await settled();
    expect(begun).toEqual(['long', 'second', 'third']);
  });
});
