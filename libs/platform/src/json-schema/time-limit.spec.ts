import { TimeLimitError, withinTimeLimit } from './time-limit.js';

const sleep = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);

describe('withinTimeLimit', () => {
  it('gives what the work gives, and throws what it throws', () => {
    expect(withinTimeLimit(() => 'done')).toBe('done');
    expect(() =>
      withinTimeLimit(() => {
        throw new TypeError('no');
      }),
    ).toThrow(new TypeError('no'));
  });

  it('cuts off work that does not end', () => {
    const endless = () => {
      for (;;);
    };
    expect(() => withinTimeLimit(endless)).toThrow(TimeLimitError);
  });

  it('cuts off work that recurses without end', () => {
    const deep = (): number => 1 + deep();
    expect(() => withinTimeLimit(deep)).toThrow(TimeLimitError);
  });

  it('begins work again that had no processor for its time, as on a busy machine', () => {
    let tries = 0;
    const work = () => {
      tries += 1;
      if (tries < 3) sleep();
      return tries;
    };
    expect(withinTimeLimit(work)).toBe(3);
  });

  it('gives up work that never has a processor', () => {
    expect(() => withinTimeLimit(sleep)).toThrow(TimeLimitError);
  });
});
