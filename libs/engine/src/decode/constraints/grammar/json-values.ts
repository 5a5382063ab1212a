import { EMPTY, literal, oneOf, repeat, type Rules, sequence } from './ebnf.js';
import { repeated } from './repetition.js';

/** Rules for JSON values without a schema. Numbers have limited digits, so that none is infinite or endless. */
export class JsonValues {
  constructor(
    readonly rules: Rules,
    /** Expression for the whitespace between the tokens of a JSON text. */
    readonly blank: string,
  ) {}

  /** A string in quotes: plain and escaped characters, without lone surrogates. */
  string(minLength = 0, maxLength: number | null = null): string {
    return sequence(QUOTE, repeated(this.rules, [PLAIN, this.escape], minLength, maxLength, QUOTE));
  }

  private get escape(): string {
    return this.rules.define('escape', () => {
      const unit = `"u" ([0-9a-cA-CefEF] ${HEX} ${HEX} ${HEX} | [dD] [0-7] ${HEX} ${HEX})`;
      return `"\\u005C" ([\\u0022\\u005C\\u002Fbfnrt] | ${unit})`;
    });
  }

  get integer(): string {
    return this.rules.define('integer', () => '"-"? ("0" | [1-9] [0-9]{0,14})');
  }

  get number(): string {
    return this.rules.define('number', () => `${this.integer} ("." [0-9]{1,15})? ([eE] [\\u002B\\u002D]? [0-9]{1,2})?`);
  }

  get boolean(): string {
    return oneOf([literal('true'), literal('false')]);
  }

  get null(): string {
    return literal('null');
  }

  get any(): string {
    return this.rules.define('any', () =>
      oneOf([this.object, this.array, this.string(), this.number, this.boolean, this.null]),
    );
  }

  get object(): string {
    return this.rules.define('object', () => {
      const member = sequence(this.string(), this.colon, this.any);
      return oneOf([this.braced('{', EMPTY, '}'), this.braced('{', this.list(member, 1, null), '}')]);
    });
  }

  get array(): string {
    return this.rules.define('array', () => this.arrayOf(this.any, 0, null));
  }

  arrayOf(item: string, min: number, max: number | null): string {
    if (max === 0) return this.braced('[', EMPTY, ']');
    const filled = this.braced('[', this.list(item, Math.max(1, min), max), ']');
    return min === 0 ? oneOf([this.braced('[', EMPTY, ']'), filled]) : filled;
  }

  /** Items with commas between them; `min` is at least 1. */
  list(item: string, min: number, max: number | null): string {
    return sequence(item, repeat(sequence(this.comma, item), min - 1, max === null ? null : max - 1));
  }

  braced(open: string, content: string, close: string): string {
    if (content === EMPTY) return sequence(literal(open), literal(close));
    return sequence(literal(open), this.blank, content, this.blank, literal(close));
  }

  get comma(): string {
    return sequence(literal(','), this.blank);
  }

  get colon(): string {
    return sequence(literal(':'), this.blank);
  }
}

/** Exactly this value, without blanks. */
export function constantValue(value: unknown): string {
  return literal(JSON.stringify(value));
}

export const QUOTE = '"\\u0022"';
const PLAIN = '[^\\u0022\\u005C\\u0000-\\u001F]';
const HEX = '[0-9a-fA-F]';
