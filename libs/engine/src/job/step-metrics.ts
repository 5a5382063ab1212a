import type { PlanRow } from '../plan/plan.js';
import type { ScoredPreferences } from './preference-row.js';
import type { RlRow } from './rl-row.js';
import type { StepMetrics } from './training-engine.js';

/** The measurements of a gradient step. Null: the engine does not report it. */
interface StepFindings {
  /** Of the row, before the step. */
  readonly loss: number;
  /** Length of the gradient before clipping. */
  readonly gradientNorm: number | null;
  /** In the order of the row's sequences. */
  readonly scores: readonly { readonly lp: ArrayLike<number>; readonly entropy: ArrayLike<number> | null }[];
}

/**
 * Metrics of a gradient step of reinforcement learning. Ratios are those of single tokens, before any clipping; a
 * metric that is undefined is left out.
 *
 * @param meanKl mean over the row of the log-probability ratios to the reference; null: nothing measures them
 */
export function rlMetrics(row: RlRow, result: StepFindings, learningRate: number, meanKl: number | null): StepMetrics {
  const lp = result.scores.flatMap((scores) => Array.from(scores.lp));
  const old = row.sequences.flatMap((sequence) => Array.from(sequence.old));
  // An unknown old log-probability counts as equal to the current one.
  const differences = lp.map((value, at) => (Number.isNaN(old[at]) ? 0 : value - (old[at] as number)));
  const ratios = differences.map(Math.exp);
  const entropy = result.scores.flatMap((scores, index) =>
    Array.from(scores.entropy ?? [], (value, at) => value * (row.sequences[index]?.weight[at] as number)),
  );
  const hasEntropy = result.scores.every((scores) => scores.entropy !== null);
  return finite({
    loss: result.loss,
    grad_norm: result.gradientNorm,
    entropy: hasEntropy ? sum(entropy) : null,
    learning_rate: learningRate,
    kl_policy_ref: meanKl,
    probs_corr: correlation(
      old.map((value, at) => Math.exp(value) || Math.exp(lp[at] as number)),
      lp.map(Math.exp),
    ),
    'offpolicy/ratio_mean': sum(ratios) / ratios.length,
    'offpolicy/ratio_max': ratios.reduce((largest, ratio) => Math.max(largest, ratio), -Infinity),
    'offpolicy/clip_fraction': ratios.filter((ratio) => row.isClipped(ratio)).length / ratios.length,
    'offpolicy/ess': sum(ratios) ** 2 / (ratios.length * sum(ratios.map((ratio) => ratio ** 2))),
    'offpolicy/staleness': row.staleness,
    'row/reward_mean': row.rewards?.reward_mean ?? null,
    'row/reward_std_dev': row.rewards?.reward_std_dev ?? null,
    'row/reward_zero_share': row.rewards?.reward_zero_share ?? null,
    'row/num_trajectories': row.numTrajectories,
    'row/num_trainable_tokens': lp.length,
  });
}

/** Metrics of a gradient step of fine-tuning; `result` is null for a batch with nothing to train. */
export function sftMetrics(
  batch: { numTrajectories: number; numTrainableTokens: number; numTokens: number },
  result: Omit<StepFindings, 'scores'> | null,
  learningRate: number,
  seconds: number,
): StepMetrics {
  return finite({
    loss: result?.loss ?? null,
    learning_rate: learningRate,
    grad_norm: result?.gradientNorm ?? null,
    num_trajectories: batch.numTrajectories,
    num_trainable_tokens: batch.numTrainableTokens,
    tokens_per_second: batch.numTokens / seconds,
  });
}

/** Metrics of a gradient step that learns from preferences. A metric that is undefined is left out. */
export function preferenceMetrics(
  { loss, answers, findings, meanKl }: ScoredPreferences,
  planned: Pick<PlanRow, 'numTrajectories'>,
  { gradientNorm, learningRate }: { readonly gradientNorm: number | null; readonly learningRate: number },
): StepMetrics {
  return finite({
    loss,
    learning_rate: learningRate,
    grad_norm: gradientNorm,
    kl_policy_ref: meanKl,
    'rewards/chosen': findings.rewardChosen,
    'rewards/rejected': findings.rewardRejected,
    'rewards/margin': findings.rewardChosen - findings.rewardRejected,
    'rewards/accuracy': findings.accuracy,
    'logps/chosen': findings.logpChosen,
    'logps/rejected': findings.logpRejected,
    kl_estimate: findings.divergence,
    num_trajectories: planned.numTrajectories,
    num_trainable_tokens: answers.reduce((total, { trained }) => total + trained.length, 0),
  });
}

function finite(values: Record<string, number | null>): StepMetrics {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Pearson's correlation; not finite when one of them does not vary. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const centred = (values: readonly number[]) => {
    const mean = sum(values) / values.length;
    return values.map((value) => value - mean);
  };
  const [x, y] = [centred(a), centred(b)];
  const dot = (left: readonly number[], right: readonly number[]) =>
    sum(left.map((value, at) => value * (right[at] as number)));
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
}
