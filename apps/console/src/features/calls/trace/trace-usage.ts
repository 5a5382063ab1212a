import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import { formatCost, formatCount } from '../../../shared/format/format.js';
import type { Trace } from './trace-query.js';

/** What a call used, with all that it called: model -> counts and costs, as the interface names them. */
export type UsageByModel = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** By the ids of calls; one that used no model has none. */
export type TraceUsage = Readonly<Record<string, UsageByModel>>;

/** More calls than these are read rarely while they run: to sum them up takes the server longer than to list them. */
const MANY_CALLS = 1_000;
const POLL_MS = 2_000;
const MANY_POLL_MS = 30_000;
/** The most that one request may sum up. */
const MOST_CALLS = 100_000;

/** How tokens and costs of all calls of a trace are read. @param projectId `<entity>/<name>` */
export function traceUsageQuery(projectId: string, { traceId, rows }: Trace) {
  const hasEnded = rows.every(({ latencyMs }) => latencyMs !== null);
  const pollMs = rows.length > MANY_CALLS ? MANY_POLL_MS : POLL_MS;
  return queryOptions({
    queryKey: ['usage of a trace', projectId, traceId, hasEnded],
    queryFn: async ({ signal }): Promise<TraceUsage> => {
      const body = { project_id: projectId, filter: { trace_ids: [traceId] }, include_costs: true, limit: MOST_CALLS };
      return (await hone.trace.readTraceUsage(body, { signal })).call_usage;
    },
    refetchInterval: hasEnded ? false : pollMs,
    staleTime: hasEnded ? Infinity : 0,
    // What is shown before the trace has ended stays until its end is read.
    placeholderData: keepPreviousData,
    structuralSharing: false,
    retry: false,
  });
}

/** Tokens and costs of some models together. */
export interface Used {
  readonly tokens: number;
  /** US dollars; null: no model has a price. */
  readonly costUsd: number | null;
  readonly models: readonly string[];
}

/** The sum over calls, none of which is within another; null: they used no model. */
export function sumOf(calls: readonly (UsageByModel | undefined)[]): Used | null {
  const used = calls.flatMap((usage) => Object.entries(usage ?? {}));
  if (used.length === 0) return null;
  const costs = used.flatMap(([, { total_cost: cost }]) => cost ?? []);
  return {
    tokens: used.reduce((sum, [, counts]) => sum + tokensOf(counts), 0),
    costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    models: [...new Set(used.map(([model]) => model))],
  };
}

const tokensOf = ({ prompt_tokens: prompt = 0, completion_tokens: completion = 0, total_tokens: total }: Counts) =>
  total ?? prompt + completion;

type Counts = UsageByModel[string];

/** `1.2K tokens · $0.02`. */
export const formatUsed = ({ tokens, costUsd }: Used): string =>
  [`${formatCount(tokens)} tokens`, ...(costUsd === null ? [] : [formatCost(costUsd)])].join(' · ');

/** The model that was used; of several, how many. */
export const formatModels = ({ models: [first = '', ...others] }: Used): string =>
  others.length === 0 ? first : `${others.length + 1} models`;
