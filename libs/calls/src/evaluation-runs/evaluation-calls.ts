import { type JsonObject, type ObjectRef, ownRef, parseRef } from '@hone/contracts';

import { toCallEnd, toCallStart } from '../call-halves.mapper.js';
import type { CallEnd, CallStart, JsonDraft } from '../call-halves.record.js';

/** A kind of calls that evaluation runs are made of: how they are told from others. */
export interface EvaluationCallKind {
  /** `attributes.hone.kind` of the calls. */
  readonly kind: string;
  /** What is called. Lists find the calls by it, through an index. */
  readonly opName: string;
}

/** Kinds of the calls of an evaluation run. */
export const EVALUATION_CALLS = {
  run: { kind: 'evaluation_run', opName: 'Evaluation.evaluate' },
  prediction: { kind: 'prediction', opName: 'Model.predict' },
  score: { kind: 'score', opName: 'Scorer.score' },
} as const satisfies Record<string, EvaluationCallKind>;

/** A call of an evaluation, which began at a time. @param more attributes beside those by which it is found */
interface Begun {
  readonly startedAt: Date;
  readonly more?: JsonObject;
}

/** Where predictions and scores belong. */
interface OfRun {
  /** Id of the run; null: a prediction by itself. */
  readonly runId: string | null;
  readonly traceId: string;
}

/** The start of a run, which is the root of its trace. @param id of the run; it is that of the trace, too */
export function runStart(
  {
    id,
    startedAt,
    more,
    ...refs
  }: Begun & { readonly id: string; readonly evaluation: string; readonly model: string },
  scheme: string,
): CallStart {
  const { kind, opName } = EVALUATION_CALLS.run;
  const [evaluation, model] = [ownRef(refs.evaluation, scheme), ownRef(refs.model, scheme)];
  return toCallStart(
    {
      ...{ op_name: opName, trace_id: id, started_at: startedAt.toISOString() },
      attributes: { ...more, hone: { kind, evaluation, model } },
      // As tracing SDKs store the run of an evaluation.
      inputs: { self: evaluation, model },
    },
    scheme,
  );
}

/** The start of a prediction. @param rowDigest of the dataset's row that it is for */
export function predictionStart(
  call: Begun & OfRun & { readonly model: string; readonly rowDigest: string; readonly inputs: JsonDraft },
  scheme: string,
): CallStart {
  const { kind, opName } = EVALUATION_CALLS.prediction;
  const { runId, traceId, startedAt, rowDigest, inputs, more } = call;
  const start = toCallStart(
    {
      ...{ op_name: opName, trace_id: traceId, parent_id: runId, started_at: startedAt.toISOString() },
      attributes: {
        ...more,
        hone: { kind, model: ownRef(call.model, scheme), evaluation_run_id: runId, row_digest: rowDigest },
      },
      inputs: {},
    },
    scheme,
  );
  return { ...start, inputs };
}

/** The start of a score. @param scorer ref of the scorer, whose name is that of the score */
export function scoreStart(
  call: Begun & OfRun & { readonly projectId: string; readonly predictionId: string; readonly scorer: string },
  scheme: string,
): CallStart {
  const { kind, opName } = EVALUATION_CALLS.score;
  const { runId, traceId, startedAt, projectId, predictionId, more } = call;
  const scorer = ownRef(call.scorer, scheme);
  const { name } = parseRef(scorer) as ObjectRef;
  return toCallStart(
    {
      ...{ op_name: opName, trace_id: traceId, parent_id: predictionId, started_at: startedAt.toISOString() },
      attributes: {
        ...more,
        hone: { kind, scorer, prediction_id: predictionId, evaluation_run_id: runId, name },
      },
      inputs: { self: scorer, prediction: `${scheme}:///${projectId}/call/${predictionId}` },
    },
    scheme,
  );
}

/** The end of a run, a prediction or a score. @param exception why it failed; null: it did not */
export const evaluationEnd = (endedAt: Date, output: JsonDraft, exception: string | null): CallEnd => ({
  ...toCallEnd({ ended_at: endedAt.toISOString(), exception, summary: {} }),
  output,
  derived: null,
});
