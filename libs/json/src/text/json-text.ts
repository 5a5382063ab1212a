import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  IS_CLOSING,
  IS_OPENING,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from '../tokens/characters.js';
import { endOfString, kindAt, nextOf, skipBlanks } from '../tokens/text-tokens.js';
import { LONG, TextOutline } from './text-outline.js';

/** What a value is, by its first character. */
export type JsonKind = 'array' | 'object' | 'text' | 'other';

/** A member of an array or object. */
export interface TextMember {
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

const BRACKETS = IS_OPENING | IS_CLOSING;
/** Numbers, `true`, `false`, `null`. */
const WORD = /[\w.+-]+/y;

/**
 * JSON that is looked at without being parsed: values are named by the offset at which they begin, and only the text of
 * those that are shown is read. Finding the members of an array or object takes a tenth of the time of parsing them,
 * and no memory but an offset for each. Where a key is there twice, both are.
 */
export class JsonText {
  /** Offset of an array or object -> those of its members: of values, or of keys. */
  private readonly members: Map<number, readonly number[]>;
  /** Offset of a long array or object, which is walked over once for each level above it -> that after it. */
  private readonly ends: Map<number, number>;

  /** @param outline what is known of the text, and is added to */
  constructor(
    readonly text: string,
    { members, ends } = new TextOutline(),
  ) {
    this.members = members;
    this.ends = ends;
  }

  /** Offset of the whole value. */
  get root(): number {
    return skipBlanks(this.text, 0);
  }

  kindAt(at: number): JsonKind {
    switch (this.text.charCodeAt(at)) {
      case QUOTE:
        return 'text';
      case OPENING_BRACKET:
        return 'array';
      case OPENING_BRACE:
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
        return this.endOfWord(at);
      default:
        return this.ends.get(at) ?? this.walkOver(at);
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
    return this.membersOf(at).length;
  }

  /** Members of an array or object by their positions, `to` excluded. */
  membersAt(at: number, from = 0, to = Infinity): TextMember[] {
    const isObject = this.kindAt(at) === 'object';
    return this.membersOf(at)
      .slice(from, to)
      .map((start, index) =>
        isObject ? { key: this.textAt(start), at: this.valueOf(start) } : { key: String(from + index), at: start },
      );
  }

  /** The value of a key of an object, the last one of several; undefined: there is none, or it is no object. */
  memberAt(at: number, key: string): number | undefined {
    if (this.kindAt(at) !== 'object') return undefined;
    const start = this.membersOf(at).findLast((one) => this.textAt(one) === key);
    return start === undefined ? undefined : this.valueOf(start);
  }

  /** @param start of a member of an object: of its key */
  private valueOf(start: number): number {
    const colon = skipBlanks(this.text, this.endOfText(start));
    if (this.text.charCodeAt(colon) !== COLON) throw new JsonTextError(colon);
    return skipBlanks(this.text, colon + 1);
  }

  private membersOf(at: number): readonly number[] {
    const known = this.members.get(at);
    if (known) return known;
    const isObject = this.kindAt(at) === 'object';
    const close = isObject ? CLOSING_BRACE : CLOSING_BRACKET;
    const members: number[] = [];
    let next = skipBlanks(this.text, at + 1);
    while (this.text.charCodeAt(next) !== close) {
      members.push(next);
      next = skipBlanks(this.text, this.endOf(isObject ? this.valueOf(next) : next));
      if (this.text.charCodeAt(next) === COMMA) next = skipBlanks(this.text, next + 1);
      else if (this.text.charCodeAt(next) !== close) throw new JsonTextError(next);
    }
    this.members.set(at, members);
    return members;
  }

  /** Offset after an array or object, whose brackets alone are looked at. */
  private walkOver(at: number): number {
    const { text } = this;
    const opened: number[] = [];
    for (let next = at; next >= 0; next = nextOf(BRACKETS, text, next + 1)) {
      if (kindAt(text, next) === IS_OPENING) {
        opened.push(next);
        continue;
      }
      const start = opened.pop() as number;
      const end = next + 1;
      if (end - start > LONG) this.ends.set(start, end);
      if (opened.length === 0) return end;
    }
    throw new JsonTextError(text.length);
  }

  /** Offset after a text, or after a key. */
  endOfText(at: number): number {
    const end = endOfString(this.text, at);
    if (end < 0) throw new JsonTextError(this.text.length);
    return end;
  }

  private endOfWord(at: number): number {
    WORD.lastIndex = at;
    if (!WORD.test(this.text)) throw new JsonTextError(at);
    return WORD.lastIndex;
  }
}
