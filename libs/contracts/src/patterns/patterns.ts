/**
 * Regular expressions of JSON Schema: what the rules accept, for generators. They are read with the `u` flag, so a
 * class without `\ud800-\udfff` refuses unpaired surrogates and no others.
 */
export const STORABLE_TEXT = '^[^\\u0000\\ud800-\\udfff]*$';

/** A character of names: no control character, no unpaired surrogate, and none of `excluded`. */
const nameCharacter = (excluded: string) => `[^${excluded}\\p{Cc}\\p{Cs}]`;

const ENTITY = '[A-Za-z0-9][A-Za-z0-9_.-]{0,127}';
/** Not `.` or `..`, and no outer blanks; what follows the name ends at `end`. */
const projectName = (end: string) =>
  `(?!\\.{1,2}(?:${end}))(?!\\s)(?:${nameCharacter('/:')}){0,127}(?!\\s)${nameCharacter('/:')}`;
const OBJECT_ID = '[\\p{L}\\p{N}_.\\-]{1,128}';
const CALL_ID = `${nameCharacter('/')}{1,128}`;
/** A name in a ref: percent signs begin a byte of UTF-8. */
const ENCODED_PROJECT = `(?!\\s)(?:%[0-9A-Fa-f]{2}|${nameCharacter('/:%')})+`;
const ENCODED_OBJECT_ID = '(?:%[0-9A-Fa-f]{2}|[\\p{L}\\p{N}_.\\-])+';
const SELECTOR = '[^/:\\u0000\\p{Cs}]{1,128}';
const STEPS = '(?:/(?:attr|key|index|id)/[^/\\u0000\\p{Cs}]*)*';

const exactly = (body: string) => `^${body}$`;

export const ENTITY_NAME = exactly(ENTITY);
export const PROJECT_NAME = exactly(projectName('$'));
export const PROJECT_ID = exactly(`${ENTITY}/${projectName('$')}`);
export const OBJECT_NAME = exactly(OBJECT_ID);
/** In lower case, with `_` for blanks and slashes, it is an object id. */
export const TYPED_NAME = '^[\\p{L}\\p{N}_.\\-\\s/<>]{1,128}$';
export const TAG = '^[\\p{L}\\p{N}_\\-]+(?: [\\p{L}\\p{N}_\\-]+)*$';
/** Not what a version is called anyway, and no outer blanks. */
export const ALIAS = `^(?!latest$|v[0-9]+$|[A-Za-z0-9]{43}$)(?!\\s)(?:${nameCharacter('/:')}){0,127}(?!\\s)${nameCharacter('/:')}$`;
export const CALL_NAME = exactly(CALL_ID);
export const NO_CONTROL_CHARACTERS = exactly(`${nameCharacter('')}*`);
export const UUID = exactly('[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}');
export const REQUEST_ID = '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,128}$';
export const TOKEN_ID = '^(?:0|[1-9][0-9]{0,9})$';
/** ISO 8601 of the years 0001 to 9999: the seconds and the offset may be left out. */
export const DATE_TIME = exactly(
  '(?!0000)\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])[Tt ](?:[01]\\d|2[0-4]):[0-5]\\d' +
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
  `[a-z][a-z0-9+.\\-]*-artifact:/{2,3}${ENTITY}/${projectName('/')}/[^/:\\u0000\\p{Cs}]+` +
  '(?::(?:v(?:0|[1-9][0-9]{0,8})|latest)(?:/[A-Za-z0-9._\\-]{1,128})?)?';
/** An artifact, a `data:` URL, or a remote URL. */
export const TRAINING_DATA_URL = exactly(
  `(?:${ARTIFACT}|[Dd][Aa][Tt][Aa]:[^,\\u0000\\p{Cs}]{0,512},[^\\u0000\\p{Cs}]*|[Hh][Tt][Tt][Pp][Ss]?://[^\\u0000\\p{Cs}]+)`,
);
