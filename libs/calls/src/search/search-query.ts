import { type Phrase, toPhrase } from './terms.js';
import { wordsOf } from './words.js';

export const MAX_QUERY_CHARACTERS = 1_024;
export const MAX_QUERY_WORDS = 32;

const PART = /"([^"]*)"?|([^\s"]+)/g;

/** Why words cannot be searched for: the rule that they break, as the end of a sentence. */
export class SearchWordsError extends Error {
  override name = 'SearchWordsError';
}

/**
 * Words that a person typed, all of which a call must have. Words in double quotes, or written without a space between
 * them (`3.14`, `user@host`), must follow each other.
 *
 * @throws SearchWordsError
 */
export function toPhrases(typed: string): Phrase[] {
  if (typed.length > MAX_QUERY_CHARACTERS) throw new SearchWordsError(`at most ${MAX_QUERY_CHARACTERS} characters`);
  const phrases: Phrase[] = [];
  let count = 0;
  for (const [, quoted, plain] of typed.matchAll(PART)) {
    const words = [...wordsOf(quoted ?? (plain as string))];
    count += words.reduce((sum, { clusters }) => sum + (clusters?.length ?? 1), 0);
    if (words.length > 0) phrases.push(toPhrase(words));
  }
  if (count === 0) throw new SearchWordsError('at least one word');
  if (count > MAX_QUERY_WORDS) throw new SearchWordsError(`at most ${MAX_QUERY_WORDS} words`);
  return phrases;
}
