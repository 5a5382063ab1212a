import { createHash } from 'node:crypto';

import { canonicalJson, isJsonObject, type JsonObject, JsonParseError, type JsonValue, parseJson } from '@hone/json';

import type { ChatRequest } from '../../targets/target.js';

/** Larger requests are not looked up: their canonical form would hold up all others. */
const MAX_BODY_BYTES = 262_144;
const BYTE_ORDER_MARK = /^\ufeff/;
/** Fields that say nothing about the answer; the route stands for the model, whatever its name. */
const IGNORED = new Set(['model', 'user', 'metadata', 'request_id', 'priority']);
/** Headers that differ with each request. */
const TRACING = new Set(['traceparent', 'tracestate']);

/**
 * What equal requests have in common: who may share their answer, the endpoint, all fields in any order, each number by its
 * digits, and the headers that upstreams get. Streams have keys of their own.
 *
 * @param owner whose answers are looked up
 * @returns null: the request is too large for one, or has numbers of too many digits
 */
export function cacheKey({ endpoint, body, overrides, headers }: ChatRequest, owner: string): string | null {
  if (body.length > MAX_BODY_BYTES) return null;
  const fields = exactFields(body);
  if (fields === null) return null;
  const asked = { ...fields, ...(overrides as JsonObject) };
  const kept = Object.entries(asked).filter(([name, value]) => value !== null && !IGNORED.has(name));
  const sent = Object.entries(headers).filter(([name]) => !TRACING.has(name));
  const whole: JsonValue = [owner, endpoint, Object.fromEntries(kept), Object.fromEntries(sent)];
  return createHash('sha256').update(canonicalJson(whole)).digest('base64');
}

/** With each number as it was written. */
function exactFields(body: Buffer): JsonObject | null {
  try {
    const fields = parseJson(body.toString().replace(BYTE_ORDER_MARK, ''));
    return isJsonObject(fields) ? fields : null;
  } catch (error) {
    if (error instanceof JsonParseError) return null;
    throw error;
  }
}
