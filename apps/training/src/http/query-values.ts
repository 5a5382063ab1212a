import { enumIssue, issue, isStorableText, isUuid, rangeIssue, valueIssue, type Issue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

/** The query string as Fastify reads it. */
export type Query = Record<string, unknown>;

/** Reads values of a query one by one, remembers what is wrong, and tells it at the end. */
export class QueryValues {
  readonly #issues: Issue[] = [];

  constructor(private readonly query: Query) {}

  /** Of a repeated parameter the last one counts. */
  #last(name: string): string | undefined {
    const value = Object.hasOwn(this.query, name) ? this.query[name] : undefined;
    return (Array.isArray(value) ? value.at(-1) : value) as string | undefined;
  }

  integer(name: string, min: number, max: number): number | undefined {
    const text = this.#last(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!/^[+-]?\d{1,15}$/.test(text)) this.#issues.push(issue('int_parsing', ['query', name]));
    else if (value < min) this.#issues.push(rangeIssue('greater', min, ['query', name]));
    else if (value > max) this.#issues.push(rangeIssue('less', max, ['query', name]));
    return value;
  }

  word<T extends string>(name: string, words: readonly T[]): T | undefined {
    const text = this.#last(name);
    if (text !== undefined && !words.includes(text as T)) this.#issues.push(enumIssue(words, ['query', name]));
    return text as T | undefined;
  }

  text(name: string): string | undefined {
    const text = this.#last(name);
    if (text !== undefined && !isStorableText(text)) this.#issues.push(issue('string_unicode', ['query', name]));
    return text;
  }

  /** An id of a row, in lower case; empty counts as absent. */
  id(name: string): string | undefined {
    const text = this.#last(name);
    if (!text) return undefined;
    if (!isUuid(text)) this.#issues.push(issue('uuid_parsing', ['query', name]));
    return text.toLowerCase();
  }

  /** `after`: id of the last item of the page before; empty counts as absent. */
  cursor(isCursor: (text: string) => boolean = isUuid): string | undefined {
    const text = this.#last('after');
    if (!text) return undefined;
    if (!isCursor(text)) this.#issues.push(CURSOR_ISSUE);
    return text.toLowerCase();
  }

  /** @throws ValidationError when any value was wrong */
  assertValid(): void {
    if (this.#issues.length) throw new ValidationError(this.#issues);
  }
}

const CURSOR_ISSUE: Issue = valueIssue('Input should be the id of an item of this list', ['query', 'after']);

/** The cursor has the right form and names no item of the list. */
export const unknownCursor = (): ValidationError => new ValidationError([CURSOR_ISSUE]);
