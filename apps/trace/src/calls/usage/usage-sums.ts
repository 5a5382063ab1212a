import { type PricedUsage } from '@hone/calls';
import { isSumOfDescendants as sumsDescendants } from '@hone/calls/derived';
import { parseJson } from '@hone/contracts';

/** What sums have of a model. */
const SUMMED = [
  'requests',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'reasoning_tokens',
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
  'reasoning_tokens_total_cost',
  'total_cost',
] as const;

export type Sums = Map<string, Record<string, number>>;

/** What is summed of one call. */
export interface OwnUsage {
  id: string;
  parentId: string | null;
  usage: ReadonlyMap<string, PricedUsage>;
  /** The usage sums that of the descendants already. */
  isSum: boolean;
}

/**
 * Whether a summary sums those of the descendants, as tracing SDKs write it: it counts more calls than itself.
 *
 * @param summary exact text; null: the call runs
 */
export function isSumOfDescendants(summary: string | null): boolean {
  return summary !== null && summary.includes('"status_counts"') && sumsDescendants(parseJson(summary));
}

/** What each call used with all its descendants among `calls`: call id -> model -> sums. */
export function sumUp(calls: readonly OwnUsage[]): Map<string, Sums> {
  const children = new Map<string, OwnUsage[]>();
  for (const call of calls) {
    if (call.parentId === null) continue;
    const siblings = children.get(call.parentId);
    if (siblings) siblings.push(call);
    else children.set(call.parentId, [call]);
  }
  const sums = new Map<string, Sums>();
  for (const call of calls) visit(call, children, sums);
  return sums;
}

/** Post-order without recursion: a trace may be deeper than the stack. A circle of parents is cut where it closes. */
function visit(root: OwnUsage, children: ReadonlyMap<string, OwnUsage[]>, sums: Map<string, Sums>): void {
  const open = new Set<string>();
  const stack: OwnUsage[] = [root];
  while (stack.length) {
    const call = stack.at(-1) as OwnUsage;
    const inner = call.isSum ? [] : (children.get(call.id) ?? []);
    const pending = inner.filter(({ id }) => !sums.has(id) && !open.has(id));
    if (!sums.has(call.id) && pending.length > 0 && !open.has(call.id)) {
      open.add(call.id);
      stack.push(...pending);
      continue;
    }
    stack.pop();
    if (sums.has(call.id)) continue;
    const total: Sums = new Map();
    add(total, call.usage);
    for (const { id } of inner) add(total, sums.get(id) ?? new Map());
    sums.set(call.id, total);
    open.delete(call.id);
  }
}

function add(total: Sums, more: ReadonlyMap<string, PricedUsage | Record<string, number>>): void {
  for (const [model, used] of more) {
    const sum = total.get(model) ?? {};
    for (const name of SUMMED) {
      const value = (used as Partial<PricedUsage>)[name];
      if (value !== undefined) sum[name] = (sum[name] ?? 0) + value;
    }
    total.set(model, sum);
  }
}
