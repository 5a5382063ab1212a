import { JsonOutline, LONG } from './json-outline.js';

/** What a value is, by its first character. */
export type JsonKind = 'array' | 'object' | 'text' | 'other';

/** A member of an array or object. */
export interface JsonMember {
  /** The key, or the index. */
  readonly key: string;
  /** Where its value begins. */
  readonly at: number;
}

/** The text is not JSON, for example because it was cut. */
export class JsonTextError extends Error {
  override name = 'JsonTextError';

  constructor(at: number) {
    super(`The answer is not JSON from its character ${at} on. It may have been cut.`);
  }
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Numbers, `true`, `false`, `null`. */
const WORD = /[\w.+-]+/y;

/**
 * JSON that is looked at without being parsed: values are named by the offset at which they begin, and only the text of
 * those that are shown is read. Finding the members of an array or object takes a tenth of the time of parsing them,
 * and no memory but an offset for each. Where a key is there twice, both are.
 */
export class JsonText {
  /** Offset of an array or object -> those of its members: of values, or of keys. */
  readonly #members: Map<number, readonly number[]>;
  /** Offset of a long array or object, which is walked over once for each level above it -> that after it. */
  readonly #ends: Map<number, number>;

  /** @param outline what is known of the text, and is added to */
  constructor(
    readonly text: string,
    { members, ends } = new JsonOutline(),
  ) {
    this.#members = members;
    this.#ends = ends;
  }

  /** Offset of the whole value. */
  get root(): number {
    return this.#skipBlanks(0);
  }

  kindAt(at: number): JsonKind {
    switch (this.text.charCodeAt(at)) {
      case QUOTE:
        return 'text';
      case OPEN_ARRAY:
        return 'array';
      case OPEN_OBJECT:
        return 'object';
      default:
        return 'other';
    }
  }

  /** Offset after the value. */
  endOf(at: number): number {
    switch (this.kindAt(at)) {
      case 'text':
        return this.endOfText(at);
      case 'other':
        return this.#endOfWord(at);
      default:
        return this.#ends.get(at) ?? this.#walkOver(at);
    }
  }

  /** The value as it was sent. */
  sourceAt(at: number): string {
    return this.text.slice(at, this.endOf(at));
  }

  /** A text, or a key, without its quotes and escapes. */
  textAt(at: number): string {
    const source = this.text.slice(at, this.endOfText(at));
    return source.includes('\\') ? (JSON.parse(source) as string) : source.slice(1, -1);
  }

  /** How many members an array or object has. */
  countAt(at: number): number {
    return this.#membersOf(at).length;
  }

  /** Members of an array or object by their positions, `to` excluded. */
  membersAt(at: number, from = 0, to = Infinity): JsonMember[] {
    const isObject = this.kindAt(at) === 'object';
    return this.#membersOf(at)
      .slice(from, to)
      .map((start, index) =>
        isObject ? { key: this.textAt(start), at: this.#valueOf(start) } : { key: String(from + index), at: start },
      );
  }

  /** The value of a key of an object, the last one of several; undefined: there is none, or it is no object. */
  memberAt(at: number, key: string): number | undefined {
    if (this.kindAt(at) !== 'object') return undefined;
    const start = this.#membersOf(at).findLast((one) => this.textAt(one) === key);
    return start === undefined ? undefined : this.#valueOf(start);
  }

  /** @param start of a member of an object: of its key */
  #valueOf(start: number): number {
    const colon = this.#skipBlanks(this.endOfText(start));
    if (this.text.charCodeAt(colon) !== COLON) throw new JsonTextError(colon);
    return this.#skipBlanks(colon + 1);
  }

  #membersOf(at: number): readonly number[] {
    const known = this.#members.get(at);
    if (known) return known;
    const isObject = this.kindAt(at) === 'object';
    const close = isObject ? CLOSE_OBJECT : CLOSE_ARRAY;
    const members: number[] = [];
    let next = this.#skipBlanks(at + 1);
    while (this.text.charCodeAt(next) !== close) {
      members.push(next);
      next = this.#skipBlanks(this.endOf(isObject ? this.#valueOf(next) : next));
      if (this.text.charCodeAt(next) === COMMA) next = this.#skipBlanks(next + 1);
      else if (this.text.charCodeAt(next) !== close) throw new JsonTextError(next);
    }
    this.#members.set(at, members);
    return members;
  }

  /** Offset after an array or object, whose brackets alone are looked at. */
  #walkOver(at: number): number {
    const { text } = this;
    const opened: number[] = [];
    for (let next = at; ;) {
      const code = text.charCodeAt(next);
      if (code === QUOTE) {
        next = this.endOfText(next);
        continue;
      }
      next++;
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) opened.push(next - 1);
      else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        const start = opened.pop() as number;
        if (next - start > LONG) this.#ends.set(start, next);
        if (opened.length === 0) return next;
      } else if (next > text.length) throw new JsonTextError(text.length);
    }
  }

  /** Offset after a text, or after a key. */
  endOfText(at: number): number {
    for (let end = at; ;) {
      end = this.text.indexOf('"', end + 1);
      if (end < 0) throw new JsonTextError(this.text.length);
      let escapes = 0;
      while (this.text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
      if (escapes % 2 === 0) return end + 1;
    }
  }

  #endOfWord(at: number): number {
    WORD.lastIndex = at;
    if (!WORD.test(this.text)) throw new JsonTextError(at);
    return WORD.lastIndex;
  }

  #skipBlanks(at: number): number {
    let next = at;
    while (isBlank(this.text.charCodeAt(next))) next++;
    return next;
  }
}

const isBlank = (code: number): boolean =>
  code === BLANK || code === LINE_FEED || code === TAB || code === CARRIAGE_RETURN;
