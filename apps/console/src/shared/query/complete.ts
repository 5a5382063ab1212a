import { FEEDBACK_NAMES, FEEDBACK_VALUES, FIELD_NAMES, isModel, toFieldName, USAGE, VALUE_COLUMNS } from './fields.js';
import { isNumber, OPERATORS } from './parse.js';
import { printLiteral, printPath } from './print.js';
import { type Path, SEARCH_SIDES } from './query.js';
import { type Token, tokensOf } from './tokens.js';

const MAX_SUGGESTIONS = 16;
/** What stands in place of a field. */
const CONDITIONS = ['search', 'trace has (', 'feedback has ('];
const OF_MODELS = ['=', '!=', 'in', 'exists'];

/** What the word at the caret can become. */
export interface Completion {
  /** What of the text a suggestion stands in place of. */
  readonly from: number;
  readonly to: number;
  readonly suggestions: readonly string[];
}

/** What feedback is chosen by most. The values that there are would have to be counted over all of it. */
const KNOWN_OF_FEEDBACK: Readonly<Record<string, readonly string[]>> = {
  emoji: ['👎', '👍'],
  type: ['hone.reaction.1', 'hone.note.1', 'hone.correction.1', 'hone.preference.1'],
};

/** What may come at the caret. */
interface Expected {
  readonly kind: 'field' | 'words' | 'has' | 'open' | 'operator' | 'list' | 'listed' | 'value' | 'comma' | 'join';
  /** The field that is compared; empty: none. */
  readonly path: Path;
}

const FIELD: Expected = { kind: 'field', path: [] };
const WORDS: Expected = { kind: 'words', path: [] };
const HAS: Expected = { kind: 'has', path: [] };
const OPEN: Expected = { kind: 'open', path: [] };
const JOIN: Expected = { kind: 'join', path: [] };

/** The field whose keys or values are asked for at the caret, as the interface names it; null: none. */
export function fieldToLookUp(text: string, caret: number): string | null {
  const { expected, word, isOfFeedback } = atCaret(text, caret) ?? {};
  if (isOfFeedback) return null;
  if (expected?.kind === 'value' || expected?.kind === 'listed')
    return toFieldName(isModel(expected.path) ? USAGE : expected.path);
  const parent = word?.path.slice(0, -1) ?? [];
  return expected?.kind === 'field' && VALUE_COLUMNS.includes(parent[0] ?? '') ? toFieldName(parent) : null;
}

/** @param known keys or values of the field that was looked up */
export function completionAt(text: string, caret: number, known: readonly string[]): Completion | null {
  const found = atCaret(text, caret);
  if (found === null) return null;
  const { expected, word, isOfFeedback } = found;
  const typed = (word?.kind === 'string' ? word.text : (word?.path.at(-1) ?? word?.text ?? '')).toLowerCase();
  const whole = word?.kind === 'string' ? word.text.toLowerCase() : (word?.text.toLowerCase() ?? '');
  const matching = (names: readonly string[], part = whole) => best(names, part);
  const suggestions = (() => {
    switch (expected.kind) {
      case 'field': {
        const parent = word?.path.slice(0, -1) ?? [];
        if (parent.length > 0) return matching(known, typed).map((key) => `${printPath([...parent, key])} `);
        const names = isOfFeedback ? [...FEEDBACK_NAMES, 'not'] : [...FIELD_NAMES, 'not', ...CONDITIONS];
        const withValues = isOfFeedback ? FEEDBACK_VALUES : VALUE_COLUMNS;
        return matching(names).map((name) =>
          withValues.includes(name) ? `${name}.` : name.endsWith('(') ? name : `${name} `,
        );
      }
      case 'words':
        return matching(SEARCH_SIDES.map((side) => `${side} "`));
      case 'has':
        return matching(['has (']);
      case 'open':
        return ['('];
      case 'operator':
        return matching(isModel(expected.path) ? OF_MODELS : OPERATORS).map((one) => `${one} `);
      case 'list':
        return ['('];
      case 'listed':
      case 'value':
        return matching(isOfFeedback ? (KNOWN_OF_FEEDBACK[expected.path.join('.')] ?? []) : known).map(
          (value) => `${isNumber(value) ? value : printLiteral(value)} `,
        );
      case 'comma':
        return [', ', ') '];
      case 'join':
        return matching(['and', 'or']).map((one) => `${one} `);
    }
  })();
  return { from: word?.start ?? caret, to: caret, suggestions: suggestions.slice(0, MAX_SUGGESTIONS) };
}

/** Those that begin with what is typed, then those that contain it. */
function best(names: readonly string[], typed: string): string[] {
  const at = (name: string) => name.toLowerCase().indexOf(typed);
  const found = names.filter((name) => at(name) >= 0);
  return [...found.filter((name) => at(name) === 0), ...found.filter((name) => at(name) > 0)];
}

interface AtCaret {
  readonly expected: Expected;
  /** The word that the caret ends. */
  readonly word: Token | undefined;
  /** Within `feedback has (…)`. */
  readonly isOfFeedback: boolean;
}

/** What is expected at the caret; null: the text before it cannot be read. */
function atCaret(text: string, caret: number): AtCaret | null {
  const tokens = tokensBefore(text, caret);
  if (tokens === null) return null;
  const last = tokens.at(-1);
  const isWord = last?.end === caret && (last.kind === 'word' || last.isOpen);
  const word = isWord ? last : undefined;
  let expected: Expected | null = FIELD;
  for (const token of isWord ? tokens.slice(0, -1) : tokens) {
    expected = next(expected, token);
    if (expected === null) return null;
  }
  return { expected, word, isOfFeedback: isOfFeedback(tokens) };
}

/** Whether the last `feedback has` is still open. */
function isOfFeedback(tokens: readonly Token[]): boolean {
  const isWord = (token: Token | undefined, text: string) =>
    token?.kind === 'word' && token.text.toLowerCase() === text;
  const start = tokens.findLastIndex((token, at) => isWord(token, 'feedback') && isWord(tokens[at + 1], 'has'));
  if (start < 0) return false;
  const open = tokens.slice(start).reduce((depth, { kind, text }) => depth + (kind === 'sign' ? depthOf(text) : 0), 0);
  return open > 0;
}

const depthOf = (sign: string): number => (sign === '(' ? 1 : sign === ')' ? -1 : 0);

function tokensBefore(text: string, caret: number): Token[] | null {
  try {
    return tokensOf(text.slice(0, caret));
  } catch {
    return null;
  }
}

function next({ kind, path }: Expected, token: Token): Expected | null {
  const text = token.kind === 'string' ? '' : token.text.toLowerCase();
  switch (kind) {
    case 'field':
      if (text === 'not' || text === '(') return FIELD;
      if (text === 'search') return WORDS;
      if (text === 'trace' || text === 'feedback') return HAS;
      return token.kind === 'word' ? { kind: 'operator', path: token.path } : null;
    case 'words':
      if (token.kind === 'sign') return null;
      return token.kind === 'word' && SEARCH_SIDES.some((side) => side === text) ? WORDS : JOIN;
    case 'has':
      return text === 'has' ? OPEN : null;
    case 'open':
      return text === '(' ? FIELD : null;
    case 'operator':
      if (text === 'exists') return JOIN;
      if (text === 'in') return { kind: 'list', path };
      return OPERATORS.includes(text) ? { kind: 'value', path } : null;
    case 'list':
      return text === '(' ? { kind: 'listed', path } : null;
    case 'listed':
      return token.kind === 'sign' ? null : { kind: 'comma', path };
    case 'comma':
      if (text === ',') return { kind: 'listed', path };
      return text === ')' ? JOIN : null;
    case 'value':
      return token.kind === 'sign' ? null : JOIN;
    case 'join':
      if (text === 'and' || text === 'or') return FIELD;
      return text === ')' ? JOIN : null;
  }
}
