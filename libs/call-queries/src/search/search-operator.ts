import { SearchWordsError, toPhrases } from '@hone/calls';
import { isJsonObject, isStorableText, issue, type JsonValue, type Loc, valueIssue } from '@hone/contracts';

import { fail } from '../expressions/fail.js';
import type { Search, SearchSide } from './search.sql.js';

const SIDES: readonly string[] = ['inputs', 'output'];

/**
 * What `{"$search": {"words": {"$literal": …}, "input": {"$getField": …}}}` looks for.
 *
 * @throws ValidationError
 */
export function readSearch(argument: JsonValue, loc: Loc): Search {
  if (!isJsonObject(argument)) fail(issue('dict_type', loc));
  for (const key of Object.keys(argument))
    if (key !== 'words' && key !== 'input') fail(issue('extra_forbidden', [...loc, key]));
  const { words, input } = argument;
  const at = [...loc, 'words'];
  if (words === undefined) fail(issue('missing', at));
  const text = only(words, '$literal');
  if (text === undefined) fail(valueIssue('Words should be a literal string', at));
  if (!isStorableText(text)) fail(issue('string_unicode', [...at, '$literal']));
  const side = input === undefined || input === null ? null : only(input, '$getField');
  if (side !== null && (side === undefined || !SIDES.includes(side)))
    fail(
      valueIssue("Words are searched in the field 'inputs' or 'output', or in both when none is named", [
        ...loc,
        'input',
      ]),
    );
  try {
    return { phrases: toPhrases(text), side: side as SearchSide | null };
  } catch (error) {
    if (error instanceof SearchWordsError) fail(valueIssue(`Words should have ${error.message}`, [...at, '$literal']));
    throw error;
  }
}

/** The text that is the only member of an object; undefined: there is none. */
function only(value: JsonValue, key: string): string | undefined {
  const found = isJsonObject(value) && Object.keys(value).length === 1 ? value[key] : undefined;
  return typeof found === 'string' ? found : undefined;
}
