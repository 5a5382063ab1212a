import type { PlanRow } from '../plan/plan.js';
import type { Scorer } from '../train/train-sequence.js';
import { type RlRow, settleRlRow, withKlPenalty, withRecalculated } from './rl-row.js';
import type { RlLossSpec } from './training-spec.js';

/** The frozen models of a job. Each is present if the loss needs it. */
export interface OtherModels {
  /** The weights that the job started from. */
  readonly parent: Scorer | null;
  /** The reference model, from which the KL divergence is measured. */
  readonly reference: Scorer | null;
}

/** A row ready for its gradient step. */
interface PreparedRow {
  readonly row: RlRow;
  /** Mean of the log-probability ratios to the reference, an estimate of the KL divergence; null: there is none. */
  readonly meanKl: number | null;
}

/**
 * Computes what the loss of a row needs from forward passes before the step: log-probabilities recomputed under the
 * parent, and the KL penalty's shift of the advantages.
 */
export async function prepareRow(
  planned: PlanRow,
  loss: RlLossSpec,
  learner: Scorer,
  { parent, reference }: OtherModels,
): Promise<PreparedRow> {
  const settled = settleRlRow(planned, loss);
  const row = parent === null ? settled : withRecalculated(settled, await parent.score(settled.sequences));
  if (reference === null) return { row, meanKl: null };
  const sampled = row.sequences.map((sequence) => sequence.old);
  // The learner's own log-probabilities cost one more pass over the row: they are computed only if the penalty needs
  // them.
  const fromLearner = loss.kl_penalty_source === 'current_learner';
  const needsLearner = fromLearner || sampled.some((old) => old.some(Number.isNaN));
  const learnt = needsLearner ? lpsOf(await learner.score(row.sequences)) : sampled;
  const referred = lpsOf(await reference.score(row.sequences));
  return withKlPenalty(row, loss.kl_penalty_coef, fromLearner ? learnt : sampled, learnt, referred);
}

const lpsOf = (scores: readonly { lp: Float32Array }[]) => scores.map(({ lp }) => lp);
