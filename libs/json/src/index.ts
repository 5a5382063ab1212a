/** `@hone/json`: JSON as values and as texts, in browsers and in Node.js. Its bytes are in `@hone/json/bytes`. */
export { JsonParseError } from './parse/json-parse.error.js';
export { type JsonLimits, MAX_INTEGER_DIGITS, MAX_JSON_LEVELS, parseJson } from './parse/parse-json.js';
export { tryParseJson } from './parse/try-parse-json.js';
export { parseJsonBytes } from './parse/parse-json-bytes.js';
export { JsonText } from './text/json-text.js';
export { searchJson } from './text/search-json.js';
export { TextOutline } from './text/text-outline.js';
export { ValueTail } from './text/value-tail.js';
export { endOfString } from './tokens/text-tokens.js';
export { byCodePoint, canonicalJson } from './values/canonical-json.js';
export {
  asNumber,
  isDeeperThan,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  memberOf,
  NonFiniteNumber,
  RawJson,
  setKey,
  toPlainJson,
} from './values/json-value.js';
export { searchableText } from './values/searchable-text.js';
export { stringifyJson } from './values/stringify-json.js';
