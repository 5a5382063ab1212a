import type { TrainingJobEventDto } from '@hone/client';

import { toCurves } from './curves.js';

const event = (data: Record<string, unknown>, type: TrainingJobEventDto['type'] = 'gradient_step') => ({
  ...{ id: 'e', type, data, created_at: '2026-01-15T10:00:00Z' },
});

describe('the curves of a job', () => {
  it('have one figure each, what matters most first, and gaps where a step has none', () => {
    const events = [
      event({ num_sequences: 2 }, 'training_started'),
      event({ z: 1, loss: 3, warnings: ['x'] }),
      event({ loss: 2, entropy: 0.5 }),
    ];
    expect(toCurves(events)).toEqual([
      { name: 'loss', xs: [1, 2], ys: [3, 2] },
      { name: 'entropy', xs: [1, 2], ys: [null, 0.5] },
      { name: 'z', xs: [1, 2], ys: [1, null] },
    ]);
  });

  it('have of a step of reinforcement learning what tells whether it goes well', () => {
    const step = {
      ...{ learning_rate: 1, probs_corr: 1, 'offpolicy/ess': 1, 'offpolicy/clip_fraction': 0, grad_norm: 1 },
      ...{ 'offpolicy/ratio_mean': 1, 'row/num_trajectories': 2, entropy: 1, kl_policy_ref: 0, loss: 1 },
    };
    expect(
      toCurves([event(step)])
        .slice(0, 6)
        .map(({ name }) => name),
    ).toEqual([
      ...['loss', 'kl_policy_ref', 'entropy', 'offpolicy/ratio_mean', 'offpolicy/clip_fraction', 'grad_norm'],
    ]);
  });

  it('are smoothed once they are long, from their first point on', () => {
    const [curve] = toCurves(Array.from({ length: 30 }, (_, at) => event({ loss: at < 29 ? 1 : 11 })));
    expect(curve?.smooth?.slice(0, 2)).toEqual([1, 1]);
    expect(curve?.smooth?.at(-1)).toBeGreaterThan(1.9);
    expect(curve?.smooth?.at(-1)).toBeLessThan(2.2);
  });

  it('have a mean after a value that is no number', () => {
    const odd = [Infinity, -Infinity, NaN];
    const [curve] = toCurves(Array.from({ length: 30 }, (_, at) => event({ loss: odd[at] ?? 1 })));
    expect(curve?.smooth?.slice(0, 3)).toEqual([null, null, null]);
    for (const mean of curve?.smooth?.slice(3) ?? []) expect(mean).toBeCloseTo(1, 10);
  });

  it('are none of no steps', () => {
    expect(toCurves([event({}, 'training_ended')])).toEqual([]);
  });
});
