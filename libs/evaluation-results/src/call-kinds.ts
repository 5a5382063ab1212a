/** A kind of calls that evaluation runs are made of: how they are told from others. */
export interface CallKind {
  /** `attributes.hone.kind` of the calls. */
  readonly kind: string;
  /** What is called. Lists find the calls by it, through an index. */
  readonly opName: string;
}

export const EVALUATION_RUN_KIND: CallKind = { kind: 'evaluation_run', opName: 'Evaluation.evaluate' };
export const PREDICTION_KIND: CallKind = { kind: 'prediction', opName: 'Model.predict' };
export const SCORE_KIND: CallKind = { kind: 'score', opName: 'Scorer.score' };
