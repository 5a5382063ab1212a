import type { CallsPageQueryDto } from '@hone/client';

import { type CallPreview, readPreviews } from '../../../shared/calls/previews.js';
import { hone } from '../../../shared/data/hone.js';
import { callIdOf, callRef } from '../../../shared/data/refs.js';
import { type Feedback, FEEDBACK_FIELDS, toFeedback } from '../../../shared/feedback/feedback.js';
import { toExpression } from '../../../shared/query/expression.js';
import { parseQuery } from '../../../shared/query/parse.js';
import { conjunctsOf } from '../../../shared/query/query.js';

/** As many as the service tries at once. */
const MAX_TRIED = 20;
const MAX_FEEDBACK = 500;
/** What scorers say. */
const RUNNABLE = 'hone.runnable.';

/** A call that a scorer is tried on. */
export interface TriedCall extends CallPreview {
  readonly id: string;
  /** What people said of it. */
  readonly said: readonly Feedback[];
}

/** The newest calls that have ended, none of them within another. @param text as the query line has it @throws QueryError */
export async function readTriedCalls(
  project_id: string,
  text: string,
  signal: AbortSignal,
): Promise<readonly TriedCall[]> {
  const conditions = [
    { $convert: { input: { $getField: 'ended_at' }, to: 'exists' } },
    ...conjunctsOf(parseQuery(text)).map(toExpression),
  ];
  const query = { $expr: { $and: conditions } } as unknown as CallsPageQueryDto['query'];
  const filter = { trace_roots_only: true };
  const sort_by = [{ field: 'started_at', direction: 'desc' as const }];
  const { calls } = await hone.trace.queryCallPages(
    { project_id, filter, query, sort_by, columns: ['id'], limit: MAX_TRIED },
    { signal },
  );
  const ids = calls.map(({ id }) => id);
  const [previews, said] = await Promise.all([
    readPreviews(project_id, ids, signal),
    readSaid(project_id, ids, signal),
  ]);
  return ids.flatMap((id) => {
    const preview = previews.get(id);
    return preview ? [{ ...preview, id, said: said.get(id) ?? [] }] : [];
  });
}

async function readSaid(project_id: string, ids: readonly string[], signal: AbortSignal) {
  const said = new Map<string, Feedback[]>();
  if (ids.length === 0) return said;
  const refs = ids.map((id) => ({ $literal: callRef(project_id, id) }));
  const query = { $expr: { $in: [{ $getField: 'trace_ref' }, refs] } };
  const body = { project_id, query, fields: FEEDBACK_FIELDS, limit: MAX_FEEDBACK };
  const { result } = await hone.trace.queryFeedback(body as never, { signal });
  for (const one of result.map(toFeedback)) {
    const id = callIdOf(project_id, one.trace_ref);
    if (id === null || one.feedback_type.startsWith(RUNNABLE)) continue;
    said.set(id, [...(said.get(id) ?? []), one]);
  }
  return said;
}
