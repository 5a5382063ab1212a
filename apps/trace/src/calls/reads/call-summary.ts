import { COST_FIELD, TRACE_FIELD } from '@hone/call-queries';
import { type Prices } from '@hone/calls';
import { isJsonObject, parseJson, parseRef, RawJson, setKey, stringifyJson } from '@hone/contracts';

import type { CallRow } from './call-row.js';
import type { TraceSums } from './trace-sums.repository.js';

export type CallStatus = 'running' | 'success' | 'error' | 'descendant_error';

export function statusOf({ exception, ended_at, has_descendant_error }: CallRow): CallStatus {
  if (exception !== null) return 'error';
  if (ended_at === null) return 'running';
  return has_descendant_error ? 'descendant_error' : 'success';
}

export const latencyMsOf = ({ started_at, ended_at }: CallRow): number | null =>
  ended_at && ended_at.getTime() - started_at.getTime();

/** The display name, else the name of the op, else what was called. */
export function traceNameOf({ display_name, op_name }: CallRow): string {
  if (display_name !== null) return display_name;
  const ref = parseRef(op_name);
  return ref?.kind === 'op' ? ref.name : op_name;
}

/** What is computed of a call when it is read. */
export const computedSummary = (row: CallRow) => ({
  status: statusOf(row),
  latency_ms: latencyMsOf(row),
  trace_name: traceNameOf(row),
});

/** What computing a field takes besides the call itself. */
export interface ComputeContext {
  /** Undefined: no field needs them. */
  prices: Prices | undefined;
  /** Trace id -> sums of its calls. Undefined: no field needs them. */
  traces: ReadonlyMap<string, TraceSums> | undefined;
}
export type Compute = (row: CallRow, context: ComputeContext) => unknown;

/** What a call used, summed over its models. Null: it used no model. */
const tokensOf = (count: 'prompt' | 'completion' | 'total') => (row: CallRow) =>
  row.derived?.models.length ? row.derived.models.reduce((sum, used) => sum + used[count], 0) : null;

/** What is computed of columns that are derived of values, by the names that fields have. */
export const DERIVED_FIELDS: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ['summary.hone.model', ({ derived }) => derived?.models[0]?.model ?? null],
  ['summary.hone.prompt_tokens', tokensOf('prompt')],
  ['summary.hone.completion_tokens', tokensOf('completion')],
  ['summary.hone.total_tokens', tokensOf('total')],
  [COST_FIELD, (row, { prices }) => costOf(row, prices as Prices)],
  ['summary.hone.first_token_ms', ({ derived }) => derived?.first_token_ms ?? null],
  ['summary.hone.error_class', ({ derived }) => derived?.error_class ?? null],
  ['summary.hone.user', ({ derived }) => derived?.end_user ?? null],
  ['summary.hone.prompt', ({ derived }) => derived?.prompt_ref ?? null],
  ['summary.hone.input_preview', ({ derived }) => derived?.input_preview ?? null],
  ['summary.hone.output_preview', ({ derived }) => derived?.output_preview ?? null],
]);

/** US dollars, by the prices at the start of the call. Null: no model of it has a price. */
function costOf({ derived, started_at }: CallRow, prices: Prices): number | null {
  const costs = (derived?.models ?? []).flatMap((used) => prices.costOf(used, started_at) ?? []);
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

/** The same by the names that fields have, each computed by itself: lists ask for one of them and for no value. */
export const COMPUTED_FIELDS: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ['summary.hone.status', statusOf],
  ['summary.hone.latency_ms', latencyMsOf],
  ['summary.hone.trace_name', traceNameOf],
  [TRACE_FIELD, ({ trace_id }, { traces }) => traces?.get(trace_id) ?? null],
  ...DERIVED_FIELDS,
]);

/** The stored summary, exact, with the computed part under `hone`. @param text null: the call runs */
export function summaryWith(text: string | null, hone: object): RawJson {
  const computed = `"hone":${stringifyJson(hone)}`;
  if (text === null || text === '{}') return new RawJson(`{${computed}}`);
  if (!text.includes('"hone"')) return new RawJson(`${text.slice(0, -1)},${computed}}`);
  const summary = parseJson(text);
  if (!isJsonObject(summary)) return new RawJson(`{${computed}}`);
  const merged = {};
  for (const key of Object.keys(summary)) if (key !== 'hone') setKey(merged, key, summary[key]);
  setKey(merged, 'hone', hone);
  return new RawJson(stringifyJson(merged));
}
