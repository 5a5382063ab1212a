import type { TrainingJobKind } from '@hone/contracts';

/** For bases of at most so many parameters: the learning rate that adapters learn well with. */
interface RecommendedRates {
  readonly maxParameters: number;
  readonly sft: number;
  readonly rl: number;
  readonly preference: number;
}

/**
 * Larger models need smaller steps; `docs/concepts/training-jobs.md` has the same table. The first row was measured with
 * adapters of rank 8 on `hone-tiny`; the others follow "LoRA Without Regret" (Thinking Machines, 2025), whose best rate
 * falls with the width of the model, and were not measured here.
 */
export const RECOMMENDED_RATES: readonly RecommendedRates[] = [
  { maxParameters: 1e7, sft: 2e-3, rl: 2e-3, preference: 5e-4 },
  { maxParameters: 3e8, sft: 1e-3, rl: 3e-4, preference: 1e-4 },
  { maxParameters: 2e9, sft: 5e-4, rl: 1e-4, preference: 3e-5 },
  { maxParameters: 1e10, sft: 2e-4, rl: 3e-5, preference: 1e-5 },
  { maxParameters: Infinity, sft: 1e-4, rl: 1e-5, preference: 5e-6 },
];

/** From this factor on a rate is far off. */
const FAR_OFF = 10;

/** Something about a setting that the author of a job should know. */
export interface SettingWarning {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Path into the body of the job. */
  readonly loc: readonly string[];
}

/** Learning rate of adapters on a base of so many parameters. */
export function recommendedLearningRate(kind: TrainingJobKind, parameters: number): number {
  return (RECOMMENDED_RATES.find(({ maxParameters }) => parameters <= maxParameters) as RecommendedRates)[kind];
}

/** Settings with the recommended learning rate where they name none. @param parameters null: unknown */
export function withLearningRate<Config extends { readonly learning_rate?: unknown }>(
  kind: TrainingJobKind,
  parameters: number | null,
  config: Config | null | undefined,
): Config | { learning_rate: number } | null {
  if (parameters === null || (config?.learning_rate ?? null) !== null) return config ?? null;
  return { ...config, learning_rate: recommendedLearningRate(kind, parameters) };
}

/**
 * Warns of a learning rate at most a tenth of the recommended one, or at least ten times. Of a list its highest rate
 * counts: schedules begin and end low.
 *
 * @param rate in effect: as it was sent, or the default
 */
export function warnOfLearningRate(
  kind: TrainingJobKind,
  parameters: number,
  rate: number | readonly number[],
): SettingWarning[] {
  const highest = typeof rate === 'number' ? rate : Math.max(...rate);
  const recommended = recommendedLearningRate(kind, parameters);
  // Products of decimal fractions are inexact: a rate of exactly a tenth counts.
  const factor = Number((highest / recommended).toPrecision(9));
  if (factor > 1 / FAR_OFF && factor < FAR_OFF) return [];
  const isLow = factor < 1;
  const effect = isLow ? 'it may learn next to nothing' : 'it may unlearn what the base knows';
  return [
    {
      code: isLow ? 'config.learning_rate_low' : 'config.learning_rate_high',
      message: `The learning rate ${highest} is far from ${recommended}, which suits this kind of job and size of base: ${effect}.`,
      hint: `Set learning_rate to about ${recommended}.`,
      loc: [kind === 'rl' ? 'experimental_config' : 'config', 'learning_rate'],
    },
  ];
}
