import { EVALUATION_CALLS } from '@hone/calls';
import { RawJson } from '@hone/contracts';

import type { CallRow } from '../calls/reads/call-row.js';
import { textOf, type TrackedKind } from './tracked-kind.js';

export const EVALUATION_RUN: TrackedKind = {
  ...EVALUATION_CALLS.run,
  noun: 'evaluation run',
  columns: ['output'],
  toAnswer: ({ row, hone, texts }) => ({
    evaluation_run_id: row.id,
    evaluation: textOf(hone, 'evaluation'),
    model: textOf(hone, 'model'),
    status: runStatusOf(row),
    exception: row.exception,
    started_at: row.started_at,
    finished_at: row.ended_at,
    summary: objectOrNull(texts.output),
    svc_user_id: row.svc_user_id,
  }),
};

export const PREDICTION: TrackedKind = {
  ...EVALUATION_CALLS.prediction,
  noun: 'prediction',
  columns: ['inputs', 'output'],
  toAnswer: ({ row, hone, texts }) => ({
    prediction_id: row.id,
    model: textOf(hone, 'model'),
    inputs: new RawJson(texts.inputs ?? '{}'),
    output: new RawJson(texts.output ?? 'null'),
    exception: row.exception,
    evaluation_run_id: textOf(hone, 'evaluation_run_id'),
    started_at: row.started_at,
    finished_at: row.ended_at,
    svc_user_id: row.svc_user_id,
  }),
};

export const SCORE: TrackedKind = {
  ...EVALUATION_CALLS.score,
  noun: 'score',
  columns: ['output'],
  toAnswer: ({ row, hone, texts }) => ({
    score_id: row.id,
    prediction_id: textOf(hone, 'prediction_id'),
    scorer: textOf(hone, 'scorer'),
    value: new RawJson(texts.output ?? 'null'),
    exception: row.exception,
    evaluation_run_id: textOf(hone, 'evaluation_run_id'),
    created_at: row.started_at,
    svc_user_id: row.svc_user_id,
  }),
};

/** Predictions that failed are counted in the results of a run: it may have succeeded all the same. */
function runStatusOf({ exception, ended_at }: CallRow): 'running' | 'success' | 'error' {
  if (exception !== null) return 'error';
  return ended_at === null ? 'running' : 'success';
}

/** A stored object; null for everything else that a client may have stored in its stead. */
const objectOrNull = (text: string | null | undefined): RawJson | null =>
  text?.startsWith('{') ? new RawJson(text) : null;
