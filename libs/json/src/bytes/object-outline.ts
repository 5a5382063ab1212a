import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  IS_BLANK,
  KINDS,
  LETTER_U,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  SPACE,
} from '../tokens/characters.js';
import { NumberScan } from '../tokens/number-scan.js';

/** Offsets of a value in its document; `end` is exclusive. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

export interface OutlineOptions {
  /** Members of the document that are looked for. */
  readonly members: ReadonlySet<string>;
  /** Member of the document whose items are looked into, if it is an array. */
  readonly list: string;
  /** Members of these items that are looked for. */
  readonly itemMembers: ReadonlySet<string>;
  /** Most items that are looked into. */
  readonly maxItems: number;
}

const MAX_DEPTH = 1_000;
/** Longer keys are none that anyone looks for. */
const MAX_KEY = 256;
const LITERALS: Readonly<Record<number, string>> = { 0x74: 'true', 0x66: 'false', 0x6e: 'null' };
const HEX = new Set(Buffer.from('0123456789abcdefABCDEF'));
const ESCAPES = new Set(Buffer.from('"\\/bfnrtu'));
/** Depth of the members of the document, of the items of its list, and of their members. */
const [MEMBER, ITEM, ITEM_MEMBER] = [1, 2, 3];

/** What the next byte belongs to. */
const enum State {
  Value,
  /** After `[`. */
  FirstItem,
  /** After `{`. */
  FirstKey,
  Key,
  Colon,
  /** After a value within an object or array. */
  Comma,
  String,
  Escape,
  Unicode,
  Number,
  Literal,
  End,
  Broken,
}

/**
 * Validates a JSON object in parts as they arrive, and notes where some of its members are. A document that is too
 * large to be parsed at once is thus read without a long stop of the event loop. Our own: parsers build the values.
 */
export class ObjectOutline {
  /** Spans of the document's members, by key; of a duplicate key, the last. */
  readonly members = new Map<string, JsonSpan>();
  /** Members of the list's items, in order; null: the item is no object. Empty when the list is missing or no array. */
  readonly items: (Map<string, JsonSpan> | null)[] = [];

  private state: State = State.Value;
  /** Bytes of the parts before this one. */
  private before = 0;
  /** Open containers, outermost first; true: an object. */
  private readonly open: boolean[] = [];
  /** Start of the current value at each noted depth. */
  private readonly starts: number[] = [];
  /** Key of the current member at each noted depth. */
  private readonly keys: string[] = [];
  private isKey = false;
  /** Raw text of the current key; null: nobody looks for it. */
  private keyText: string | null = null;
  private isInList = false;
  private number = new NumberScan();
  private literal = '';
  /** Bytes of the literal, or digits of the escape, so far. */
  private matched = 0;

  constructor(private readonly options: OutlineOptions) {}

  /** @returns false: this is no JSON object */
  push(part: Buffer): boolean {
    for (let at = 0; at < part.length && this.state !== State.Broken;) at = this.step(part, at);
    this.before += part.length;
    return this.state !== State.Broken;
  }

  /** The document is complete. */
  get isWhole(): boolean {
    return this.state === State.End;
  }

  /** @returns offset of the byte to read next */
  private step(part: Buffer, at: number): number {
    const byte = part[at] as number;
    switch (this.state) {
      case State.String:
        return this.readString(part, at);
      case State.Number:
        if (this.number.take(byte)) return at + 1;
        if (this.number.isWhole) this.endValue(at);
        else this.state = State.Broken;
        return at;
      case State.Literal:
        return this.readLiteral(byte, at);
      case State.Escape:
        this.readEscape(byte);
        return at + 1;
      case State.Unicode:
        this.readHex(byte);
        return at + 1;
      default:
        if (!isBlank(byte)) this.readToken(byte, at);
        return at + 1;
    }
  }

  private readToken(byte: number, at: number): void {
    switch (this.state) {
      case State.FirstItem:
        return byte === CLOSING_BRACKET ? this.close(false, at) : this.beginValue(byte, at);
      case State.Value:
        return this.beginValue(byte, at);
      case State.FirstKey:
        return byte === CLOSING_BRACE ? this.close(true, at) : this.beginKey(byte);
      case State.Key:
        return this.beginKey(byte);
      case State.Colon:
        this.state = byte === COLON ? State.Value : State.Broken;
        return;
      case State.Comma:
        if (byte === COMMA) this.state = this.open.at(-1) ? State.Key : State.Value;
        else this.close(byte === CLOSING_BRACE, at, byte === CLOSING_BRACE || byte === CLOSING_BRACKET);
        return;
      default:
        this.state = State.Broken;
    }
  }

  private beginValue(byte: number, at: number): void {
    const depth = this.open.length;
    if (depth <= ITEM_MEMBER) this.noteStart(byte, depth, this.before + at);
    if (byte === OPENING_BRACE || byte === OPENING_BRACKET) return this.openContainer(byte === OPENING_BRACE);
    if (depth === 0) this.state = State.Broken;
    else if (byte === QUOTE) this.beginString(false, null);
    else if (this.number.begin(byte)) this.state = State.Number;
    else this.beginLiteral(byte);
  }

  private noteStart(byte: number, depth: number, start: number): void {
    this.starts[depth] = start;
    if (depth === MEMBER && this.keys[MEMBER] === this.options.list) {
      this.items.length = 0;
      this.isInList = byte === OPENING_BRACKET;
    }
    if (depth === ITEM && this.isInList && this.items.length < this.options.maxItems) {
      this.items.push(byte === OPENING_BRACE ? new Map() : null);
    }
  }

  private openContainer(isObject: boolean): void {
    this.open.push(isObject);
    const isWrong = this.open.length > MAX_DEPTH || (this.open.length === 1 && !isObject);
    this.state = isWrong ? State.Broken : isObject ? State.FirstKey : State.FirstItem;
  }

  private close(isObject: boolean, at: number, isClosing = true): void {
    if (!isClosing || this.open.pop() !== isObject) this.state = State.Broken;
    else this.endValue(at + 1);
  }

  /** @param at offset after the value, in this part */
  private endValue(at: number): void {
    const depth = this.open.length;
    this.state = depth === 0 ? State.End : State.Comma;
    if (depth === MEMBER) {
      this.isInList = false;
      this.note(this.members, this.options.members, depth, at);
    } else if (depth === ITEM_MEMBER && this.isInList && this.open[ITEM]) {
      const item = this.items.at(-1);
      if (item) this.note(item, this.options.itemMembers, depth, at);
    }
  }

  private note(into: Map<string, JsonSpan>, wanted: ReadonlySet<string>, depth: number, at: number): void {
    const key = this.keys[depth] as string;
    if (wanted.has(key)) into.set(key, { start: this.starts[depth] as number, end: this.before + at });
  }

  private beginKey(byte: number): void {
    const depth = this.open.length;
    const isNoted = depth === MEMBER || (depth === ITEM_MEMBER && this.isInList);
    if (byte === QUOTE) this.beginString(true, isNoted ? '' : null);
    else this.state = State.Broken;
  }

  private beginString(isKey: boolean, keyText: string | null): void {
    this.isKey = isKey;
    this.keyText = keyText;
    this.state = State.String;
  }

  private readString(part: Buffer, start: number): number {
    let at = start;
    let byte = 0;
    for (; at < part.length; at++) {
      byte = part[at] as number;
      if (byte === QUOTE || byte === BACKSLASH || byte < SPACE) break;
    }
    if (this.keyText !== null && this.keyText.length <= MAX_KEY) this.keyText += part.toString('latin1', start, at);
    if (at === part.length) return at;
    if (byte === QUOTE) this.endString(at + 1);
    else if (byte === BACKSLASH) this.state = State.Escape;
    else this.state = State.Broken;
    return at + 1;
  }

  private endString(at: number): void {
    if (!this.isKey) return this.endValue(at);
    this.state = State.Colon;
    if (this.keyText !== null) this.keys[this.open.length] = decoded(this.keyText);
  }

  private readEscape(byte: number): void {
    if (this.keyText !== null) this.keyText += `\\${String.fromCharCode(byte)}`;
    this.matched = 0;
    if (!ESCAPES.has(byte)) this.state = State.Broken;
    else this.state = byte === LETTER_U ? State.Unicode : State.String;
  }

  private readHex(byte: number): void {
    if (this.keyText !== null) this.keyText += String.fromCharCode(byte);
    if (!HEX.has(byte)) this.state = State.Broken;
    else if (++this.matched === 4) this.state = State.String;
  }

  private beginLiteral(byte: number): void {
    this.literal = LITERALS[byte] ?? '';
    this.matched = 1;
    this.state = this.literal === '' ? State.Broken : State.Literal;
  }

  private readLiteral(byte: number, at: number): number {
    if (byte !== this.literal.charCodeAt(this.matched++)) this.state = State.Broken;
    else if (this.matched === this.literal.length) this.endValue(at + 1);
    return at + 1;
  }
}

const isBlank = (byte: number): boolean => ((KINDS[byte] as number) & IS_BLANK) !== 0;

const decoded = (text: string): string => (text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text);
