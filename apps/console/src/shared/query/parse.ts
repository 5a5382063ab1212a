import { isModel, isTime, pathProblem } from './fields.js';
import {
  type Comparison,
  COMPARISONS,
  type Literal,
  type Path,
  type Query,
  QueryError,
  SEARCH_SIDES,
} from './query.js';
import { type Token, tokensOf } from './tokens.js';

/** Each level of these is one or two of the interface, which takes 32. */
const MAX_LEVELS = 12;
/** Each is at most four nodes of the interface, which takes 1,000. */
const MAX_CONDITIONS = 150;
const MAX_VALUES = 200;
const MAX_SEARCHES = 8;
/** Of “trace has” and of “feedback has”. */
const MAX_LOOKED_UP = 4;
const MAX_WORDS_CHARACTERS = 1_024;
export const OPERATORS: readonly string[] = [...COMPARISONS, 'contains', 'in', 'exists'];
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Reads a query: conditions such as `attributes.user = "x"`, joined by `and`, `or`, `not` and parentheses; `and` binds
 * closer than `or`. `trace has (…)` is about another call of the trace, `feedback has (…)` about
 * what somebody said about the call. Null: the text is empty.
 *
 * @throws QueryError
 */
export const parseQuery = (text: string): Query | null => new Parser(text).all();

/** Why a text cannot be read; null: it can. */
export function queryErrorOf(text: string): QueryError | null {
  try {
    parseQuery(text);
    return null;
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}

class Parser {
  private readonly tokens: readonly Token[];
  private readonly length: number;
  private at = 0;
  private conditions = 0;
  private searches = 0;
  private traces = 0;
  private feedback = 0;
  private isWithinTrace = false;
  private isOfFeedback = false;

  constructor(text: string) {
    this.tokens = tokensOf(text);
    this.length = text.length;
    const open = this.tokens.find(({ isOpen }) => isOpen);
    if (open) throw new QueryError('The closing quote is missing.', open.start, open.end);
  }

  all(): Query | null {
    if (this.tokens.length === 0) return null;
    const query = this.any(1);
    if (this.next) this.fail('Expected “and” or “or”.');
    return query;
  }

  private any(level: number): Query {
    return this.joined('or', () => this.joined('and', () => this.one(level)));
  }

  private joined(kind: 'and' | 'or', read: () => Query): Query {
    const parts = [read()];
    while (this.take(kind)) parts.push(read());
    return parts.length === 1 ? (parts[0] as Query) : { kind, parts };
  }

  private one(level: number): Query {
    if (level > MAX_LEVELS) this.fail(`A query has at most ${MAX_LEVELS} levels.`);
    if (this.take('not')) return { kind: 'not', part: this.one(level + 1) };
    if (!this.take('(')) return this.condition(level);
    const query = this.any(level + 1);
    if (!this.take(')')) this.fail('Expected “and”, “or” or a closing parenthesis.');
    return query;
  }

  private condition(level: number): Query {
    if (++this.conditions > MAX_CONDITIONS) this.fail(`A query has at most ${MAX_CONDITIONS} conditions.`);
    if (!this.isOfFeedback) {
      if (this.take('search')) return this.search();
      if (this.is('trace')) return this.trace(level);
      if (this.is('feedback')) return this.ofFeedback(level);
    }
    const { path, ...field } = this.path();
    if (this.take('exists')) return { kind: 'exists', path };
    const isOfModel = isModel(path);
    if (this.take('in')) return { kind: 'in', path, values: this.values(path) };
    if (isOfModel && !this.is('=') && !this.is('!=')) this.fail(`“${field.name}” takes =, !=, in and exists.`);
    if (this.take('contains')) return { kind: 'contains', path, text: String(this.value([])) };
    const operator = COMPARISONS.find((one) => this.take(one));
    if (operator === undefined) this.fail(`Expected one of ${OPERATORS.join(', ')}.`);
    return { kind: 'compare', path, operator, value: this.compared(path, operator) };
  }

  private search(): Query {
    if (++this.searches > MAX_SEARCHES) this.fail(`A query has at most ${MAX_SEARCHES} searches.`);
    const hasSide = this.tokens[this.at + 1]?.kind === 'string';
    const side = hasSide ? (SEARCH_SIDES.find((one) => this.take(one)) ?? null) : null;
    const token = this.next;
    const words = token ? token.text : '';
    if (!token || token.kind === 'sign' || !isWords(words)) this.fail('Expected words, such as "refund policy".');
    if (words.length > MAX_WORDS_CHARACTERS) this.fail(`Words have at most ${MAX_WORDS_CHARACTERS} characters.`);
    if (!isStorable(words)) this.fail('A text has no U+0000 and no half of a surrogate pair.');
    this.at++;
    return { kind: 'search', side, words };
  }

  /** `trace has (…)`: of a call of the trace. */
  private trace(level: number): Query {
    if (this.isWithinTrace) this.fail('“trace has” cannot be within another one.');
    if (++this.traces > MAX_LOOKED_UP) this.fail(`A query has “trace has” at most ${MAX_LOOKED_UP} times.`);
    this.take('trace');
    if (!this.take('has') || !this.is('('))
      this.fail('After “trace” comes “has” with a condition in parentheses, such as trace has (op_name = "search").');
    this.isWithinTrace = true;
    const part = this.one(level);
    this.isWithinTrace = false;
    return { kind: 'trace', part };
  }

  /** `feedback has (…)`: of what was said about the call. */
  private ofFeedback(level: number): Query {
    if (++this.feedback > MAX_LOOKED_UP) this.fail(`A query has “feedback has” at most ${MAX_LOOKED_UP} times.`);
    this.take('feedback');
    if (!this.take('has') || !this.is('('))
      this.fail('After “feedback” comes “has” with a condition in parentheses, such as feedback has (emoji = "👎").');
    this.isOfFeedback = true;
    const part = this.one(level);
    this.isOfFeedback = false;
    return { kind: 'feedback', part };
  }

  private path(): { path: Path; name: string } {
    const token = this.next;
    if (token?.kind !== 'word') this.fail('Expected the name of a field.');
    const problem = pathProblem(token.path, this.isOfFeedback);
    if (problem !== null) this.fail(problem);
    if (!token.path.every(isStorable)) this.fail('A key has no U+0000 and no half of a surrogate pair.');
    this.at++;
    return { path: token.path, name: token.text };
  }

  private compared(path: Path, operator: Comparison): Literal {
    const token = this.next;
    const value = this.value(path);
    if (value !== null || operator === '=' || operator === '!=') return value;
    throw new QueryError('Nothing is smaller or larger than null.', token?.start ?? 0, token?.end ?? 0);
  }

  private values(path: Path): Literal[] {
    if (!this.take('(')) this.fail('After “in” comes a list, such as (1, 2).');
    const values: Literal[] = [];
    do {
      if (values.length === MAX_VALUES) this.fail(`A list has at most ${MAX_VALUES} values.`);
      if (this.is('null')) this.fail('A list has no null; use “exists”.');
      values.push(this.value(path));
    } while (this.take(','));
    if (!this.take(')')) this.fail('Expected a comma or a closing parenthesis.');
    return values;
  }

  /** @param path what it is compared with */
  private value(path: Path): Literal {
    const token = this.next;
    if (!token || token.kind === 'sign') this.fail('Expected a value.');
    if (token.isQuoted) this.fail('Expected a value, not a path.');
    if (!isStorable(token.text)) this.fail('A text has no U+0000 and no half of a surrogate pair.');
    const value = token.kind === 'string' ? token.text : this.word(token);
    if (isTime(path) && value !== null && !isTimeText(value))
      this.fail('Expected a time, such as 2026-01-15T10:00:00Z.');
    if (isModel(path) && value !== null && typeof value !== 'string') this.fail('Expected the name of a model.');
    this.at++;
    return value;
  }

  /** A word that is a value: a number, a truth value, null, or a text without blanks. */
  private word({ text }: Token): Literal {
    const known: Readonly<Record<string, Literal>> = { true: true, false: false, null: null };
    if (Object.hasOwn(known, text)) return known[text] as Literal;
    if (isKeyword(text)) this.fail('Expected a value.');
    if (!NUMBER.test(text)) return text;
    if (!isNumber(text)) this.fail('This number is too large to be exact. In quotes it is compared as text.');
    return Number(text);
  }

  private get next(): Token | undefined {
    return this.tokens[this.at];
  }

  /** Words count in any case. */
  private is(text: string): boolean {
    const token = this.next;
    return token !== undefined && token.kind !== 'string' && token.text.toLowerCase() === text;
  }

  private take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  private fail(sentence: string): never {
    const { start, end } = this.next ?? { start: this.length, end: this.length };
    throw new QueryError(sentence, start, end);
  }
}

/** Whether a word is a number that can be compared as one. */
export function isNumber(text: string): boolean {
  const number = Number(text);
  return NUMBER.test(text) && Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number));
}

/** Whether a text has something to search for. */
export const isWords = (text: string): boolean => /[\p{L}\p{N}\p{RI}\p{Extended_Pictographic}]/u.test(text);

const KEYWORDS = ['and', 'or', 'not', 'contains', 'in', 'exists'];
const isKeyword = (text: string): boolean => KEYWORDS.includes(text.toLowerCase());

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const isTimeText = (value: Literal): boolean =>
  typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
