import type { TrainingJobEventDto } from '@hone/client';

/** One figure of the steps of a job. */
export interface Curve {
  readonly name: string;
  readonly xs: readonly number[];
  readonly ys: readonly (number | null)[];
  /** Exponential moving average. Absent: too few points to need one. */
  readonly smooth?: readonly (number | null)[];
}

/** What people look at first. */
const FIRST = [
  ...['loss', 'rewards/margin', 'rewards/accuracy', 'rewards/chosen', 'rewards/rejected', 'logps/chosen'],
  ...['reward', 'kl_policy_ref', 'entropy', 'offpolicy/ratio_mean', 'offpolicy/clip_fraction', 'grad_norm'],
];
const SMOOTH_FROM = 30;
const MEMORY = 0.9;

/** The figures of `gradient_step` events, one curve each; a step without the figure leaves a gap. */
export function toCurves(events: readonly TrainingJobEventDto[]): readonly Curve[] {
  const steps = events.filter(({ type }) => type === 'gradient_step').map(({ data }) => data);
  const names = new Set(steps.flatMap((step) => Object.keys(step).filter((name) => typeof step[name] === 'number')));
  const xs = steps.map((_, index) => index + 1);
  return [...names].sort(byInterest).map((name) => {
    const ys = steps.map((step) => (typeof step[name] === 'number' ? (step[name] as number) : null));
    return { name, xs, ys, ...(ys.length >= SMOOTH_FROM && { smooth: movingAverage(ys) }) };
  });
}

/** Orders names of figures: those first that people look at first. */
export function byInterest(a: string, b: string): number {
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

/** Corrected for its start, where there is nothing to remember yet. */
function movingAverage(values: readonly (number | null)[]): (number | null)[] {
  let [sum, weight] = [0, 0];
  return values.map((value) => {
    // One overflow would be in every mean after it.
    if (value === null || !Number.isFinite(value)) return null;
    sum = MEMORY * sum + (1 - MEMORY) * value;
    weight = MEMORY * weight + (1 - MEMORY);
    return sum / weight;
  });
}
