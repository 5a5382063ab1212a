import {
  EXTRAS,
  EXTRAS_PREFIX,
  OWN_TYPE_PREFIX,
  SDK_REF,
  SDK_SUMMARY_KEY,
  SDK_TYPE_PREFIX,
  swapSummaryKey,
} from '../names.js';
import { FieldNames, type KnownField, Mode } from './field-names.js';

/** Only a version of an object has it. */
const VERSION_FIELD = 'is_latest';
/** Its fields that the SDKs read as null when they were not asked for. */
const VERSION_EXTRAS = ['size_bytes', 'tags', 'aliases'];

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** A longer key is no field's. */
const MAX_KEY_BYTES = 1_100;

interface Container {
  isObject: boolean;
  mode: Mode;
  /** Which of {@link VERSION_EXTRAS} a version of an object has; undefined: it is none. */
  extras: Set<string> | undefined;
  /** Nothing is in it yet. */
  isEmpty: boolean;
}

const NO_FIELDS: ReadonlyMap<string, string> = new Map();
const NULL_VALUE = Buffer.from(':null');

/** Puts other bytes in the place of those from `start` to before `end`. */
type Replace = (start: number, end: number, text: Buffer) => void;

const ROOT: Readonly<Container> = { isObject: false, mode: Mode.Typed, extras: undefined, isEmpty: true };

/**
 * Renames what the canonical surface calls things in JSON text, one value or one per line, as it passes. Nothing is
 * parsed: numbers and escapes stay byte for byte as they are, and each byte is looked at once.
 */
export class NameScanner {
  readonly #ownRef: Buffer;
  readonly #sdkRef = Buffer.from(SDK_REF);
  readonly #ownType = Buffer.from(OWN_TYPE_PREFIX);
  readonly #sdkType = Buffer.from(SDK_TYPE_PREFIX);
  readonly #outer: Container[] = [];
  readonly #fields: FieldNames;
  #top: Container = { ...ROOT };
  /** How the next value of {@link #top} is read. */
  #next: Mode = Mode.Typed;
  #isKeyNext = false;
  /** Within a text, whose beginning has passed. */
  #isInText = false;
  /** The next byte of the text is escaped. */
  #isEscaped = false;
  /** Beginning of a text of which too little has come. */
  #held: Buffer | undefined;

  /** @param fields further names of fields: ours -> the SDKs' */
  constructor(refScheme: string, fields: ReadonlyMap<string, string> = NO_FIELDS) {
    this.#fields = new FieldNames(fields);
    this.#ownRef = Buffer.from(`${refScheme}:///`);
  }

  /** @returns the bytes as far as they can be told; the rest comes with the next ones */
  push(bytes: Buffer): Buffer {
    const source = this.#held ? Buffer.concat([this.#held, bytes]) : bytes;
    this.#held = undefined;
    return this.#scan(source, false);
  }

  /** @returns what is left */
  end(): Buffer {
    const held = this.#held;
    this.#held = undefined;
    return held ? this.#scan(held, true) : Buffer.alloc(0);
  }

  #scan(source: Buffer, isLast: boolean): Buffer {
    const out: Buffer[] = [];
    let from = 0;
    let at = 0;
    const replace = (start: number, end: number, text: Buffer) => {
      out.push(source.subarray(from, start), text);
      from = end;
    };
    while (at < source.length) {
      if (this.#isInText) {
        at = this.#skipText(source, at);
        continue;
      }
      const byte = source[at] as number;
      if (byte === QUOTE) {
        const next = this.#isKeyNext ? this.#key(source, at, isLast, replace) : this.#text(source, at, isLast, replace);
        if (next === undefined) {
          this.#held = source.subarray(at);
          return joined(out, source.subarray(from, at));
        }
        at = next;
      } else this.#structure(byte, at++, replace);
    }
    return joined(out, source.subarray(from));
  }

  #structure(byte: number, at: number, replace: Replace): void {
    const top = this.#top;
    switch (byte) {
      case OPEN_OBJECT:
      case OPEN_LIST:
        this.#outer.push(top);
        this.#top = { isObject: byte === OPEN_OBJECT, mode: this.#next, extras: undefined, isEmpty: true };
        this.#isKeyNext = byte === OPEN_OBJECT;
        return;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (top.extras) replace(at, at, missingExtras(top.extras));
        this.#top = this.#outer.pop() ?? { ...ROOT };
        this.#next = this.#top.mode;
        this.#isKeyNext = false;
        return;
      case COMMA:
        this.#isKeyNext = top.isObject;
        this.#next = top.mode;
        return;
      case COLON:
        this.#isKeyNext = false;
    }
  }

  /** @returns where to go on; undefined: not all of the key has come */
  #key(source: Buffer, at: number, isLast: boolean, replace: Replace): number | undefined {
    const { mode } = this.#top;
    if (mode !== Mode.Typed && mode !== Mode.Summary) return this.#enterText(at);
    const expected = mode === Mode.Typed ? this.#fields.expectedAt(source, at + 1) : undefined;
    if (expected) return this.#enterField(expected, at, at + 1 + expected.bytes.length, replace);
    const end = source.indexOf(QUOTE, at + 1);
    if (end < 0 && source.length - at <= MAX_KEY_BYTES && !isLast) return undefined;
    this.#next = Mode.Free;
    if (end < 0 || end - at > MAX_KEY_BYTES) return this.#enterText(at);
    const key = source.toString('latin1', at + 1, end);
    if (key.endsWith('\\')) return this.#enterText(at); // an escaped quote: no name of a field
    if (mode === Mode.Summary) return this.#summaryKey(key, at, end, replace);
    if (key.startsWith(EXTRAS_PREFIX))
      return this.#extra(source, at, end, isLast, replace) ? this.#enterText(at) : undefined;
    return this.#enterField(this.#fields.named(key), at, end, replace);
  }

  #enterText(at: number): number {
    this.#isInText = true;
    return at + 1;
  }

  /** @param end of the key, where its second quote is */
  #enterField(field: KnownField, at: number, end: number, replace: Replace): number {
    this.#next = field.mode;
    this.#noteExtra(field.key);
    if (field.name) replace(at + 1, end, field.name);
    return end + 1;
  }

  #summaryKey(key: string, at: number, end: number, replace: Replace): number {
    const name = swapSummaryKey(key);
    if (name === SDK_SUMMARY_KEY) this.#next = Mode.Typed;
    if (name !== key) replace(at + 1, end, Buffer.from(name, 'latin1'));
    return end + 1;
  }

  /** A text beside the fields of feedback: the SDKs know no null there. @returns false: its value has not come */
  #extra(source: Buffer, at: number, end: number, isLast: boolean, replace: Replace): boolean {
    const after = end + 1 + NULL_VALUE.length;
    if (source.length < after && !isLast) return false;
    const name = source.toString('latin1', at + 1 + EXTRAS_PREFIX.length, end);
    const absent = EXTRAS.get(name);
    if (absent === undefined || source.compare(NULL_VALUE, 0, NULL_VALUE.length, end + 1, after) !== 0)
      replace(at + 1, end, Buffer.from(name));
    else replace(at + 1, after, Buffer.from(`${name}":${JSON.stringify(absent)}`));
    return true;
  }

  #noteExtra(key: string): void {
    if (key === VERSION_FIELD) this.#top.extras ??= new Set();
    if (VERSION_EXTRAS.includes(key)) this.#top.extras?.add(key);
  }

  /** @returns where to go on; undefined: too little of the text has come */
  #text(source: Buffer, at: number, isLast: boolean, replace: Replace): number | undefined {
    const [own, sdk] = this.#next === Mode.Type ? [this.#ownType, this.#sdkType] : [this.#ownRef, this.#sdkRef];
    if (at + 1 < source.length && source[at + 1] !== own[0]) return this.#enterText(at); // most texts: not worth a comparison
    const available = Math.min(own.length, source.length - at - 1);
    if (source.compare(own, 0, available, at + 1, at + 1 + available) !== 0) return this.#enterText(at);
    if (available < own.length) return isLast ? this.#enterText(at) : undefined;
    replace(at + 1, at + 1 + own.length, sdk);
    return this.#enterText(at);
  }

  /** @returns where to go on: after the text, or at the end of what has come */
  #skipText(source: Buffer, start: number): number {
    let at = start;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at++;
    }
    for (let from = at; ;) {
      const quote = source.indexOf(QUOTE, at);
      const end = quote < 0 ? source.length : quote;
      let backslash = end;
      while (backslash > from && source[backslash - 1] === BACKSLASH) backslash--;
      const isEscaped = (end - backslash) % 2 === 1;
      if (quote < 0) {
        this.#isEscaped = isEscaped;
        return end;
      }
      at = quote + 1;
      if (!isEscaped) {
        this.#isInText = false;
        return at;
      }
      from = at;
    }
  }
}

const missingExtras = (extras: ReadonlySet<string>): Buffer =>
  Buffer.from(
    VERSION_EXTRAS.filter((name) => !extras.has(name))
      .map((name) => `,"${name}":null`)
      .join(''),
  );

const joined = (parts: Buffer[], last: Buffer): Buffer => (parts.length === 0 ? last : Buffer.concat([...parts, last]));
