import type { PreferenceMethod } from '@hone/contracts';

import type { TrainingSpec } from './training-spec.js';

/** The loss that a checkpoint was trained by, as its `state.json` names it. Its optimiser moments belong to this loss. */
export interface TrainedLoss {
  /** Of the job. */
  readonly kind: TrainingSpec['kind'];
  /** Of a job that learns from preferences. Absent: another kind. */
  readonly method?: PreferenceMethod;
}

export const lossOf = ({ kind, preference }: TrainingSpec): TrainedLoss =>
  preference ? { kind, method: preference.method } : { kind };

/** Whether a job may go on with the moments of a checkpoint: those of one loss do not fit another. */
export const hasSameLoss = (saved: TrainedLoss | null, spec: TrainingSpec): boolean =>
  saved?.kind === spec.kind && saved.method === spec.preference?.method;
