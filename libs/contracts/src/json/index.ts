/** `@hone/contracts/json`: exact JSON alone, without validation libraries, for browsers and small clients. */
export { stringifyJson } from './json-text.js';
export { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from './json-value.js';
export { JsonParseError, parseJson } from './parse-json.js';
