import { StepWatch } from './step-watch.js';

const codesOf = (steps: Record<string, number>[]): string[][] => {
  const watch = new StepWatch();
  return steps.map((metrics) => watch.look(metrics).map(({ code }) => code));
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
    const [warning] = new StepWatch().look({ 'offpolicy/ess': 0.123456 });
    expect(warning?.message).toContain('12.3 %');
  });

  const pairs = (accuracy: number) => ({ 'rewards/accuracy': accuracy, num_trajectories: 4 });

  it('warns of pairs that are all ranked right before the first update', () => {
    expect(codesOf([pairs(1), pairs(1)])).toEqual([['training.preferences_known'], []]);
    expect(codesOf([pairs(0.75), pairs(1)])).toEqual([[], []]);
    expect(codesOf([{ ...pairs(1), num_trajectories: 3 }])).toEqual([[]]);
  });

  const series = (chosen: (at: number) => number, margin: (at: number) => number) =>
    codesOf(
      Array.from({ length: 40 }, (_, at) => ({ 'logps/chosen': chosen(at), 'rewards/margin': margin(at) })),
    ).flat();

  it('warns once of chosen answers that become unlikely while margins rise', () => {
    expect(
      series(
        (at) => -10 - at,
        (at) => at / 10,
      ),
    ).toEqual(['training.over_optimised']);
    expect(
      series(
        (at) => -10 - at / 20,
        (at) => at / 10,
      ),
    ).toEqual([]);
    expect(
      series(
        (at) => -10 - at,
        () => 0,
      ),
    ).toEqual([]);
  });
});
