import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  LETTER_E,
  LETTER_F,
  LETTER_N,
  LETTER_T,
  OPENING_BRACE,
  OPENING_BRACKET,
  POINT,
  QUOTE,
  ZERO,
} from '../tokens/characters.js';
import { skipBlanks } from '../tokens/text-tokens.js';
import { JsonNumber, type JsonValue, NonFiniteNumber, setKey } from '../values/json-value.js';
import { JsonParseError } from './json-parse.error.js';

/** Default of {@link JsonLimits.maxLevels}. */
export const MAX_JSON_LEVELS = 512;
/** Most digits of an integer. */
export const MAX_INTEGER_DIGITS = 4_300;

/** What one text may hold beside its length. */
export interface JsonLimits {
  /** Most levels of arrays and objects. */
  maxLevels?: number;
  /** Most arrays, objects and {@link JsonNumber}s: as values they take many times the memory of their text. */
  maxValues?: number;
  /** `NaN`, `Infinity` and `-Infinity` are numbers, as Python's `json` writes them: {@link NonFiniteNumber}. */
  nonFinite?: boolean;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
/** Every integer of so many digits is a double. */
const MAX_EXACT_DIGITS = 15;
const WELL_FORMED_STRING = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const NON_FINITE = ['NaN', 'Infinity', '-Infinity'];
const HEX4 = /^[0-9a-fA-F]{4}$/;

/**
 * Parses RFC 8259 JSON and keeps what `JSON.parse` loses: the text of numbers that a double does not print back
 * ({@link JsonNumber}). Of duplicate keys the last wins; `__proto__` is an ordinary key. Our own, because libraries that
 * keep numbers exact turn all of them into objects, and give no path and no limits.
 *
 * @param text decoded text; a leading byte order mark is skipped
 * @throws JsonParseError
 */
export function parseJson(text: string, limits?: JsonLimits): JsonValue {
  return new Parser(text, limits).parse();
}

class Parser {
  private at = 0;
  private depth = 0;
  private readonly maxLevels: number;
  private valuesLeft: number;
  private readonly nonFinite: boolean;
  /** Key or index at each level, for the `loc` of a number out of range. */
  private readonly path: (string | number)[] = [];

  constructor(
    private readonly text: string,
    { maxLevels = MAX_JSON_LEVELS, maxValues = Infinity, nonFinite = false }: JsonLimits = {},
  ) {
    this.nonFinite = nonFinite;
    this.maxLevels = maxLevels;
    this.valuesLeft = maxValues;
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  parse(): JsonValue {
    const value = this.value();
    this.skipBlanks();
    if (this.at < this.text.length) this.fail();
    return value;
  }

  private value(): JsonValue {
    this.skipBlanks();
    switch (this.text.charCodeAt(this.at)) {
      case QUOTE:
        return this.string();
      case OPENING_BRACE:
        return this.object();
      case OPENING_BRACKET:
        return this.array();
      case LETTER_T:
        return this.word('true', true);
      case LETTER_F:
        return this.word('false', false);
      case LETTER_N:
        return this.word('null', null);
      default:
        return this.number();
    }
  }

  private object(): JsonValue {
    this.enter();
    const object = {};
    this.at++;
    this.skipBlanks();
    if (this.take(CLOSING_BRACE)) return this.leave(object);
    for (;;) {
      this.skipBlanks();
      if (this.text.charCodeAt(this.at) !== QUOTE) this.fail();
      const key = this.string();
      this.skipBlanks();
      if (!this.take(COLON)) this.fail();
      this.path[this.depth - 1] = key;
      setKey(object, key, this.value());
      this.skipBlanks();
      if (this.take(CLOSING_BRACE)) return this.leave(object);
      if (!this.take(COMMA)) this.fail();
    }
  }

  private array(): JsonValue {
    this.enter();
    const array: JsonValue[] = [];
    this.at++;
    this.skipBlanks();
    if (this.take(CLOSING_BRACKET)) return this.leave(array);
    for (;;) {
      this.path[this.depth - 1] = array.length;
      array.push(this.value());
      this.skipBlanks();
      if (this.take(CLOSING_BRACKET)) return this.leave(array);
      if (!this.take(COMMA)) this.fail();
    }
  }

  private string(): string {
    let result = '';
    let from = ++this.at;
    for (;;) {
      WELL_FORMED_STRING.lastIndex = this.at;
      WELL_FORMED_STRING.test(this.text);
      this.at = WELL_FORMED_STRING.lastIndex;
      const code = this.text.charCodeAt(this.at);
      if (code === QUOTE) {
        result += this.text.slice(from, this.at++);
        return result;
      }
      if (code !== BACKSLASH) this.fail();
      result += this.text.slice(from, this.at) + this.escape();
      from = this.at;
    }
  }

  private escape(): string {
    const letter = this.text.charAt(this.at + 1);
    if (letter === 'u') {
      const hex = this.text.slice(this.at + 2, this.at + 6);
      if (!HEX4.test(hex)) this.fail();
      this.at += 6;
      return String.fromCharCode(parseInt(hex, 16));
    }
    const character = ESCAPES[letter];
    if (character === undefined) this.fail();
    this.at += 2;
    return character;
  }

  private number(): JsonValue {
    return this.shortInteger() ?? (this.nonFinite ? this.nonFiniteNumber() : undefined) ?? this.anyNumber();
  }

  /** Most numbers are integers of a few digits without a sign: those need no second look. */
  private shortInteger(): number | undefined {
    const { text } = this;
    let at = this.at;
    let value = 0;
    for (;;) {
      const digit = text.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
      at++;
    }
    const length = at - this.at;
    const next = text.charCodeAt(at) | 0x20; // lower case
    const hasMore = next === LETTER_E || next === POINT;
    const hasLeadingZero = length > 1 && text.charCodeAt(this.at) === ZERO;
    if (length === 0 || length > MAX_EXACT_DIGITS || hasMore || hasLeadingZero) return undefined;
    this.at = at;
    return value;
  }

  private nonFiniteNumber(): NonFiniteNumber | undefined {
    const word = NON_FINITE.find((one) => this.text.startsWith(one, this.at));
    if (word === undefined) return undefined;
    this.at += word.length;
    this.countValue();
    return new NonFiniteNumber(word);
  }

  private anyNumber(): JsonValue {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (!match) this.fail();
    const lexeme = match[0];
    this.at += lexeme.length;
    const value = Number(lexeme);
    const isInteger = match[1] === undefined && match[2] === undefined;
    const tooLong = isInteger && lexeme.length - (lexeme.startsWith('-') ? 1 : 0) > MAX_INTEGER_DIGITS;
    // An integer beyond the doubles is exact text and welcome; a fraction or exponent beyond them has no value here.
    if (tooLong || (!isInteger && !Number.isFinite(value))) {
      throw new JsonParseError('finite_number', this.path.slice(0, this.depth), 'Input should be a finite number');
    }
    if (String(value) === lexeme) return value;
    this.countValue();
    return new JsonNumber(lexeme);
  }

  private word<T extends JsonValue>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail();
    this.at += word.length;
    return value;
  }

  private skipBlanks(): void {
    this.at = skipBlanks(this.text, this.at);
  }

  private take(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at++;
    return true;
  }

  private enter(): void {
    if (++this.depth > this.maxLevels) {
      throw new JsonParseError('json_too_deep', [], `JSON should have at most ${this.maxLevels} levels`);
    }
    this.countValue();
  }

  private countValue(): void {
    if (--this.valuesLeft < 0) throw new JsonParseError('too_many', [], 'JSON should have fewer arrays and objects');
  }

  private leave<T>(value: T): T {
    this.depth--;
    return value;
  }

  private fail(): never {
    // Also in a browser, which has no Buffer.
    const offset = new TextEncoder().encode(this.text.slice(0, this.at)).length;
    throw new JsonParseError('json_invalid', [offset], 'JSON decode error');
  }
}
