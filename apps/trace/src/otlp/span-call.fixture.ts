import { type JsonValue, parseJson, stringifyJson } from '@hone/contracts';

import { readSpans, type SpanGroup } from './otlp-spans.js';
import { type SpanCall, toCall } from './span-call.js';

/** A value as OTLP's JSON writes it. */
function anyValue(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (typeof value === 'bigint') return { intValue: String(value) };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: attributes(value as object) } };
}

/** Attributes as OTLP's JSON writes them. */
export const attributes = (of: object) => Object.entries(of).map(([key, value]) => ({ key, value: anyValue(value) }));

export const IDS = { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' };
const TIMES = { startTimeUnixNano: '1768471140123456789', endTimeUnixNano: '1768471141000000001' };

/** The call of a span with these attributes. */
export function callOf(
  of: Record<string, unknown>,
  span: Record<string, unknown> = {},
  resource: object = {},
): SpanCall {
  const sent = { ...IDS, ...TIMES, name: 'chat', ...span, attributes: attributes(of) };
  const group = {
    resource: { attributes: attributes(resource) },
    scopeSpans: [{ scope: { name: 'lib' }, spans: [sent] }],
  };
  const [read] = readSpans(parseJson(JSON.stringify({ resourceSpans: [group] })) as JsonValue, 'hex') as [SpanGroup];
  return toCall(read.spans[0] as never, read);
}

export const plain = (value: unknown) => JSON.parse(stringifyJson(value));
