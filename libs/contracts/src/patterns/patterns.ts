/**
 * Regular expressions of JSON Schema: what the rules accept, for generators. They keep to its portable subset, without
 * look-around, which few generators understand. Unpaired surrogates, which UTF-8 cannot hold, are refused everywhere and
 * named nowhere.
 */
export const STORABLE_TEXT = '^[^\\u0000]*$';

const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f';
/** What `String.prototype.trim` takes for blanks, beside control characters. */
const BLANKS = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** A character of names: no control character, and none of `excluded`. */
const nameCharacter = (excluded: string) => `[^${excluded}${CONTROLS}]`;

const ENTITY = '[A-Za-z0-9][A-Za-z0-9_.-]{0,127}';
const NAME_CHARACTER = nameCharacter('/:');
/** At an end of a name. */
const NAME_END = nameCharacter(`/:${BLANKS}`);
/** At the begin of one, where a dot is told apart: neither `.` nor `..` is a name. */
const NAME_BEGIN = nameCharacter(`/:.${BLANKS}`);
/** Without outer blanks. */
const PROJECT =
  `(?:${NAME_BEGIN}(?:${NAME_CHARACTER}{0,126}${NAME_END})?` +
  `|\\.(?:${NAME_BEGIN}|${NAME_CHARACTER}{1,126}${NAME_END}))`;
const OBJECT_ID = '[\\p{L}\\p{N}_.\\-]{1,128}';
const CALL_ID = `${nameCharacter('/')}{1,128}`;
/** A name in a ref: percent signs begin a byte of UTF-8. */
const ENCODED_PROJECT = `(?:%[0-9A-Fa-f]{2}|${nameCharacter(`/:%${BLANKS}`)})(?:%[0-9A-Fa-f]{2}|${nameCharacter('/:%')})*`;
const ENCODED_OBJECT_ID = '(?:%[0-9A-Fa-f]{2}|[\\p{L}\\p{N}_.\\-])+';
const SELECTOR = '[^/:\\u0000]{1,128}';
const STEPS = '(?:/(?:attr|key|index|id)/[^/\\u0000]*)*';

const exactly = (body: string) => `^${body}$`;

export const ENTITY_NAME = exactly(ENTITY);
export const PROJECT_NAME = exactly(PROJECT);
export const PROJECT_ID = exactly(`${ENTITY}/${PROJECT}`);
export const OBJECT_NAME = exactly(OBJECT_ID);
/** In lower case, with `_` for blanks and slashes, it is an object id. */
export const TYPED_NAME = `^[\\p{L}\\p{N}_.\\-\\t\\n\\u000b\\u000c\\r${BLANKS}/<>]{1,128}$`;
export const TAG = '^[\\p{L}\\p{N}_\\-]+(?: [\\p{L}\\p{N}_\\-]+)*$';
/** No outer blanks, and not {@link VERSION_NAME}. */
export const ALIAS = exactly(`${NAME_END}(?:${NAME_CHARACTER}{0,126}${NAME_END})?`);
/** What a version is called anyway. */
export const VERSION_NAME = '^(?:latest|v[0-9]+|[A-Za-z0-9]{43})$';
export const CALL_NAME = exactly(CALL_ID);
export const NO_CONTROL_CHARACTERS = exactly(`${nameCharacter('')}*`);
export const UUID = exactly('[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}');
export const REQUEST_ID = '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,128}$';
export const TOKEN_ID = '^(?:0|[1-9][0-9]{0,9})$';
/** ISO 8601 of the years 0001 to 9999: the seconds and the offset may be left out. */
export const DATE_TIME = exactly(
  '(?:[1-9]\\d{3}|0[1-9]\\d{2}|00[1-9]\\d|000[1-9])-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])[Tt ](?:[01]\\d|2[0-4]):[0-5]\\d' +
    '(?::[0-5]\\d(?:[.,]\\d{1,9})?)?(?:[Zz]|[+\\-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)?',
);

const REF_TAILS = {
  object: `object/${ENCODED_OBJECT_ID}:${SELECTOR}${STEPS}`,
  op: `op/${ENCODED_OBJECT_ID}:${SELECTOR}${STEPS}`,
  call: `call/${CALL_ID}`,
} as const;

/** A ref of one of the kinds, in any scheme. */
export const refPattern = (kinds: readonly (keyof typeof REF_TAILS)[]): string =>
  exactly(`[a-z][a-z0-9+.\\-]*:///${ENTITY}/${ENCODED_PROJECT}/(?:${kinds.map((kind) => REF_TAILS[kind]).join('|')})`);

const ARTIFACT =
  `[a-z][a-z0-9+.\\-]*-artifact:/{2,3}${ENTITY}/${PROJECT}/[^/:\\u0000]+` +
  '(?::(?:v(?:0|[1-9][0-9]{0,8})|latest)(?:/[A-Za-z0-9._\\-]{1,128})?)?';
/** An artifact, a `data:` URL, or a remote URL. */
export const TRAINING_DATA_URL = exactly(
  `(?:${ARTIFACT}|[Dd][Aa][Tt][Aa]:[^,\\u0000]{0,512},[^\\u0000]*|[Hh][Tt][Tt][Pp][Ss]?://[^\\u0000]+)`,
);
