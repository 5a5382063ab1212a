import { useQueries } from '@tanstack/react-query';
import { useCallback } from 'react';

import { hone } from '../../../shared/data/hone.js';
import { callRef } from '../../../shared/data/refs.js';
import { type CallJudgements, FEEDBACK_FIELDS, toJudgements } from './judgements.js';
import type { ListedCall } from './listed-call.js';

/** Calls whose feedback is read at once. */
const CHUNK = 100;
const MOST_RECORDS = 1_000;
/** For somebody who scrolls back. Newer calls change which ids are asked for, so that a read is seldom used again. */
const KEPT_MS = 30_000;
const NONE: ReadonlyMap<string, CallJudgements> = new Map();

/**
 * What was said of the rows that are seen, by the ids of their calls: read beside the list, which does not wait for it.
 *
 * @param first of the rows that are seen @param last of these
 */
export function useRowFeedback(
  projectId: string,
  rows: readonly ListedCall[],
  [first, last]: readonly [first: number, last: number],
  isShown: boolean,
): ReadonlyMap<string, CallJudgements> {
  const from = Math.floor(first / CHUNK);
  const chunks = isShown && rows.length > 0 ? Math.floor(last / CHUNK) - from + 1 : 0;
  return useQueries({
    queries: Array.from({ length: chunks }, (_, index) =>
      toJudgementsQuery(
        projectId,
        rows.slice((from + index) * CHUNK, (from + index + 1) * CHUNK).map(({ id }) => id),
      ),
    ),
    combine: useCallback((results: readonly { data?: ReadonlyMap<string, CallJudgements> | undefined }[]) => {
      const found = results.flatMap(({ data }) => [...(data ?? [])]);
      return found.length === 0 ? NONE : new Map(found);
    }, []),
  });
}

/** A function of its own: a query that is cached must keep its ids alone, not the rows of a list that has gone. */
const toJudgementsQuery = (projectId: string, ids: readonly string[]) => ({
  queryKey: ['feedback', projectId, 'of calls', ids],
  queryFn: ({ signal }: { signal: AbortSignal }) => readJudgements(projectId, ids, signal),
  gcTime: KEPT_MS,
  retry: false,
});

async function readJudgements(
  project_id: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, CallJudgements>> {
  const refs = ids.map((id) => ({ $literal: callRef(project_id, id) }));
  const query = { $expr: { $in: [{ $getField: 'trace_ref' }, refs] } };
  const body = { project_id, query, fields: FEEDBACK_FIELDS, limit: MOST_RECORDS };
  const { result } = await hone.trace.queryFeedback(body as never, { signal });
  return toJudgements(result);
}
