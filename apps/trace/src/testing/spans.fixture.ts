export const TRACE_A = 'a'.repeat(32);
export const TRACE_B = 'b'.repeat(32);

/** A span in OTLP's JSON form. */
export const aSpan = (traceId: string, spanId: string, fields: object = {}) => ({
  ...{ traceId, spanId, name: 'work', attributes: [] },
  ...{ startTimeUnixNano: '1795800000000000000', endTimeUnixNano: '1795800001000000000' },
  ...fields,
});

/** A body of `POST /otel/v1/traces`. */
export const anExport = (...spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

/** Attributes of texts, whole numbers, and lists of texts. */
export const attributesOf = (values: Record<string, string | number | boolean | string[]>) =>
  Object.entries(values).map(([key, value]) => ({ key, value: toAnyValue(value) }));

function toAnyValue(value: string | number | boolean | string[]): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return typeof value === 'boolean' ? { boolValue: value } : { stringValue: value };
}
