import { isJsonObject, parseJson, parseRef, RawJson, setKey, stringifyJson } from '@hone/contracts';

import type { CallRow } from './call-row.js';

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

/** The same by the names that fields have, each computed by itself: lists ask for one of them and for no value. */
export const COMPUTED_FIELDS: ReadonlyMap<string, (row: CallRow) => unknown> = new Map<
  string,
  (row: CallRow) => unknown
>([
  ['summary.hone.status', statusOf],
  ['summary.hone.latency_ms', latencyMsOf],
  ['summary.hone.trace_name', traceNameOf],
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
