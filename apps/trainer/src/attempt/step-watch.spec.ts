import { StepWatch, type WatchedPreference } from './step-watch.js';

const codesOf = (
  steps: Record<string, number>[],
  preference: WatchedPreference | null = null,
  resumedAt = 0,
): string[][] => {
  const watch = new StepWatch(preference);
  return steps.map((metrics, at) => watch.look(resumedAt + at + 1, metrics).map(({ code }) => code));
};

describe('StepWatch', () => {
  it('warns once of an entropy that has grown many times over', () => {
    const steps = [0.4, 0.9, 1.3, 1.5, 6].map((entropy) => ({ entropy }));
    expect(codesOf(steps)).toEqual([[], [], [], ['training.entropy_exploded'], []]);
  });

  it('does not warn of an entropy that is low, or that the engine does not tell', () => {
    expect(codesOf([{ entropy: 0.01 }, { entropy: 0.5 }, { loss: 1 }])).toEqual([[], [], []]);
  });

  it('warns once of a step that few tokens decide', () => {
    const steps = [1, 0.6, 0.3, 0.2].map((ess) => ({ 'offpolicy/ess': ess }));
    expect(codesOf(steps)).toEqual([[], [], ['training.low_sample_size'], []]);
  });

  it('says how far off it is', () => {
    const [warning] = new StepWatch().look(1, { 'offpolicy/ess': 0.123456 });
    expect(warning?.message).toContain('12.3 %');
  });

  const BASE: WatchedPreference = { method: 'dpo', reference: 'base', beta: 0.1 };
  const pairs = (accuracy: number) => ({ 'rewards/accuracy': accuracy, num_trajectories: 4 });

  it('warns of pairs that are all ranked right before the first update, measured from the base', () => {
    expect(codesOf([pairs(1), pairs(1)], BASE)).toEqual([['training.preferences_known'], []]);
    expect(codesOf([pairs(0.75), pairs(1)], BASE)).toEqual([[], []]);
    expect(codesOf([{ ...pairs(1), num_trajectories: 3 }], BASE)).toEqual([[]]);
    expect(codesOf([pairs(1)], BASE, 50)).toEqual([[]]);
    expect(codesOf([pairs(1)], { ...BASE, method: 'kto' })).toEqual([[]]);
    expect(codesOf([pairs(1)], { ...BASE, reference: 'parent' })).toEqual([[]]);
  });

  /** Rewards are `beta` times nats. */
  const series = (nats: (at: number) => number, margin: number, preference = BASE, resumedAt = 0) =>
    codesOf(
      Array.from({ length: 40 }, (_, at) => ({ 'rewards/chosen': 0.1 * nats(at), 'rewards/margin': margin })),
      preference,
      resumedAt,
    ).flat();

  it('warns once of chosen answers that become unlikely while rejected ones fall even more, also after a resume', () => {
    expect(series((at) => -at, 1)).toEqual(['training.over_optimised']);
    expect(series((at) => -20 - at, 1, BASE, 100)).toEqual(['training.over_optimised']);
    expect(series((at) => -at / 20, 1)).toEqual([]);
    expect(series((at) => -at, -1)).toEqual([]);
    expect(series((at) => -at, 1, { ...BASE, method: 'orpo' })).toEqual([]);
  });
});
