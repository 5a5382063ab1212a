import type { JsonValue } from '../values/json-value.js';
import { JsonParseError } from './json-parse.error.js';
import { type JsonLimits, parseJson } from './parse-json.js';

/**
 * {@link parseJson} of UTF-8 bytes, in Node.js alone; an invalid sequence is bad JSON at its byte offset.
 *
 * @throws JsonParseError
 */
export function parseJsonBytes(bytes: Uint8Array, limits?: JsonLimits): JsonValue {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (text.includes('\ufffd')) {
    const again = Buffer.from(text);
    if (!again.equals(bytes)) {
      let offset = 0;
      while (again[offset] === bytes[offset]) offset++;
      throw new JsonParseError('json_invalid', [offset], 'JSON decode error');
    }
  }
  return parseJson(text, limits);
}
