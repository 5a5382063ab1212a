import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import { formatCost, formatCount } from '../../../shared/format/format.js';
import type { Trace } from '../../../shared/trace/trace-query.js';
import type { TreeNode } from './call-tree.js';

/** What a call used, with those that it called itself: model -> counts and costs, as the interface names them. */
export type UsageByModel = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** By the ids of the calls that say themselves what they used. */
export type TraceUsage = Readonly<Record<string, UsageByModel>>;

/** More calls than these are read rarely while they run: to sum them up takes the server longer than to list them. */
const MANY_CALLS = 1_000;
const POLL_MS = 2_000;
const MANY_POLL_MS = 30_000;
/** The most that one request may sum up. */
const MOST_CALLS = 100_000;
/** Most calls of a long trace use no model: the server would read and sum up all of them. */
const SAYS_USAGE = { $expr: { $convert: { input: { $getField: 'summary.usage' }, to: 'exists' } } };

/** How tokens and costs of all calls of a trace are read. @param projectId `<entity>/<name>` */
export function traceUsageQuery(projectId: string, { traceId, rows }: Trace) {
  const hasEnded = rows.every(({ latencyMs }) => latencyMs !== null);
  const pollMs = rows.length > MANY_CALLS ? MANY_POLL_MS : POLL_MS;
  return queryOptions({
    queryKey: ['usage of a trace', projectId, traceId, hasEnded],
    queryFn: async ({ signal }): Promise<TraceUsage> => {
      const body = { project_id: projectId, filter: { trace_ids: [traceId] }, include_costs: true, limit: MOST_CALLS };
      return (await hone.trace.readTraceUsage({ ...body, query: SAYS_USAGE }, { signal })).call_usage;
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

/** What one call used; null: no model. */
export function usedOf(usage: UsageByModel): Used | null {
  const parts = Object.entries(usage).map(([model, counts]) => ({
    ...{ tokens: tokensOf(counts), costUsd: counts['total_cost'] ?? null, models: [model] },
  }));
  return together(parts);
}

/** The sum over calls, none of which is within another; null: there are none. */
export function together(parts: readonly Used[]): Used | null {
  const [only] = parts;
  if (parts.length < 2) return only ?? null;
  const costs = parts.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    models: [...new Set(parts.flatMap(({ models }) => models))],
  };
}

/** What each call used with all that it called, by its id; and all of them together. */
export function usedIn(
  nodes: readonly TreeNode[],
  usage: TraceUsage,
): { byCall: Map<string, Used>; inAll: Used | null } {
  const byCall = new Map<string, Used>();
  /** By their levels: calls whose caller was not seen yet. */
  const open: Used[][] = [];
  // From the last to the first: a call comes after all that it called.
  for (const { row, level } of nodes.toReversed()) {
    const within = open[level + 1] ?? [];
    open[level + 1] = [];
    const used = usedOf(usage[row.id] ?? {}) ?? together(within);
    if (used === null) continue;
    byCall.set(row.id, used);
    (open[level] ??= []).push(used);
  }
  return { byCall, inAll: together(open[0] ?? []) };
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
