import { type JsonObject, parseJson, setKey, stringifyJson } from '@hone/contracts';
import { findMember } from '@hone/json/bytes';

/** Longer metadata of a body is a part of the inputs only. */
const MAX_BYTES = 16_384;

/**
 * What a request says of its call: `metadata` of its body, and `Hone-Metadata`, which is the later word on a key.
 *
 * @param header exact text of a JSON object; null: none
 * @param metadata of the body
 * @param body valid JSON
 * @returns exact text of a JSON object; null: none
 */
export function callMetadata(
  header: string | null,
  metadata: Readonly<Record<string, unknown>> | null | undefined,
  body: Buffer,
): string | null {
  const member = metadata && Object.keys(metadata).length > 0 ? findMember(body, 'metadata') : null;
  if (member === null || member.valueEnd - member.valueStart > MAX_BYTES) return header;
  const text = body.toString('utf8', member.valueStart, member.valueEnd);
  if (header === null) return text;
  const merged = parseJson(text) as JsonObject;
  for (const [key, value] of Object.entries(parseJson(header) as JsonObject)) setKey(merged, key, value);
  return stringifyJson(merged);
}
