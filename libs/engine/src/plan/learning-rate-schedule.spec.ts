import { scheduleFactor } from './learning-rate-schedule.js';

const factors = (schedule: Partial<Parameters<typeof scheduleFactor>[0]>, total: number) =>
  Array.from({ length: total }, (_, index) =>
    scheduleFactor({ lr_schedule: 'constant', warmup_steps: null, warmup_ratio: null, ...schedule }, index, total),
  );
const near = (values: number[]) => values.map((value) => expect.closeTo(value, 12) as number);

describe('scheduleFactor', () => {
  it('is exactly 1 without a schedule, so that plans stay as they were', () => {
    expect(factors({}, 3)).toEqual([1, 1, 1]);
    expect(factors({ warmup_steps: 0, warmup_ratio: null }, 3)).toEqual([1, 1, 1]);
    expect(factors({ warmup_ratio: 0 }, 3)).toEqual([1, 1, 1]);
  });

  it('rises linearly, with no step at 0, to the full rate after the warm-up', () => {
    expect(factors({ warmup_steps: 3 }, 6)).toEqual([0.25, 0.5, 0.75, 1, 1, 1]);
    expect(factors({ warmup_ratio: 0.25 }, 5)).toEqual([1 / 3, 2 / 3, 1, 1, 1]);
    expect(factors({ warmup_steps: 9 }, 2)).toEqual([0.1, 0.2]);
  });

  it('falls linearly towards 0 at the end, whatever the warm-up is', () => {
    expect(factors({ lr_schedule: 'linear' }, 4)).toEqual([1, 0.75, 0.5, 0.25]);
    expect(factors({ lr_schedule: 'linear', warmup_steps: 1 }, 5)).toEqual([0.5, 1, 0.75, 0.5, 0.25]);
    expect(factors({ lr_schedule: 'linear' }, 1)).toEqual([1]);
  });

  it('falls as half a cosine wave', () => {
    const half = Math.SQRT1_2 / 2;
    expect(factors({ lr_schedule: 'cosine' }, 4)).toEqual(near([1, 0.5 + half, 0.5, 0.5 - half]));
    expect(factors({ lr_schedule: 'cosine', warmup_ratio: 0.2 }, 5)).toEqual(
      near([0.5, 1, 0.5 + half, 0.5, 0.5 - half]),
    );
  });
});
