/** `@hone/json/bytes`: JSON as UTF-8 bytes that stay as they are, in Node.js. Most functions trust it to be valid. */
export { parsePlainJson } from '../parse/parse-plain-json.js';
export { endOfString } from '../tokens/byte-tokens.js';
export {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  SPACE,
} from '../tokens/characters.js';
export { JsonRewriter, type JsonScope } from './json-rewriter.js';
export {
  countMembers,
  findMember,
  firstItem,
  firstMember,
  isPlainString,
  type JsonMember,
  keyOf,
  nextItem,
  nextMember,
} from './members.js';
export { type JsonSpan, ObjectOutline, type OutlineOptions } from './object-outline.js';
export { endOfPlainString } from './plain-string.js';
export { scanJson } from './scan-json.js';
export { applySplices, editObject, type Splice } from './splice.js';
