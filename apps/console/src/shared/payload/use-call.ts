import type { CallDto, CallReadResultDto } from '@hone/client';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { type Exchange, toExchange } from '../chat/exchange.js';
import { exactHone } from '../data/hone.js';
import { useProject } from '../data/project.js';
import type { LargePayload } from './large-payload.js';
import { type Payload, payloadReader } from './read-payload.js';

const POLL_MS = 2_000;
/** For a large call, which is read whole each time. */
const LARGE_POLL_MS = 30_000;
const STALE_MS = 1_000;
/** `{"call": {…}}`. */
const FRAMES = 2;

/** A call whose long values may be `RemoteBranch` and `RemoteText`. */
export interface ReadCall {
  /** null: there is none. */
  readonly call: CallDto | null;
  readonly large: LargePayload | null;
}

async function readCall(projectId: string, id: string, signal: AbortSignal): Promise<ReadCall> {
  const options = { signal, read: payloadReader(FRAMES, signal) };
  const answer: unknown = await exactHone.trace.readCall({ project_id: projectId, id }, options);
  const { value, large } = answer as Payload<CallReadResultDto>;
  return { call: value.call, large };
}

/** What a call asked a model, and its answer; nothing else of it is kept. null: it did neither, or is not there. */
export async function readExchange(projectId: string, id: string, signal: AbortSignal): Promise<Exchange | null> {
  const { call, large } = await readCall(projectId, id, signal);
  if (large === null) return call && toExchange(call.inputs, call.output);
  try {
    return await large.exchange('call', signal);
  } finally {
    large.end();
  }
}

/** How a call is read with all that it holds. @param projectId `<entity>/<name>` */
export const callQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['call', projectId, id],
    queryFn: ({ signal }) => readCall(projectId, id, signal),
    refetchInterval: ({ state }) => (state.data?.call?.ended_at ? false : state.data?.large ? LARGE_POLL_MS : POLL_MS),
    // What is large and has ended is not read again because a window comes to the front.
    staleTime: ({ state }) => (state.data?.large && state.data.call?.ended_at ? Infinity : STALE_MS),
  });

/** A call with all that it holds, read again until it has ended. */
export function useCall(id: string) {
  const project = useProject();
  const queries = useQueryClient();
  const options = callQuery(project.id, id);
  const query = useQuery(options);
  const large = query.data?.large;
  const key = JSON.stringify(options.queryKey);
  useEffect(
    () =>
      // A value whose worker has ended cannot be shown again.
      large?.use(() => {
        const queryKey = JSON.parse(key) as string[];
        if (queries.getQueryData<ReadCall>(queryKey)?.large === large) queries.removeQueries({ queryKey, exact: true });
      }),
    [large, queries, key],
  );
  return query;
}
