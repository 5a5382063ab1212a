import {
  EXTRAS,
  EXTRAS_PREFIX,
  OWN_TYPE_PREFIX,
  SDK_REF,
  SDK_SUMMARY_KEY,
  SDK_TYPE_PREFIX,
  swapSummaryKey,
  toSdkPath,
} from '../names.js';

/** How the keys and texts of a container are read. */
enum Mode {
  /** Fields of ours: their names are written as the SDKs know them. */
  Typed,
  /** A value of a client: only refs among its texts change. */
  Free,
  /** The summary of a call: free, but for the part that is computed. */
  Summary,
  /** A type of feedback. */
  Type,
}

/** Fields that hold free values, or maps whose keys are no field names. */
const FREE = new Set([
  ...[
    'payload',
    'val',
    'vals',
    'response',
    'attributes',
    'inputs',
    'output',
    'value',
    'eval_attributes',
    'call_usage',
    'usage',
  ],
  ...['costs', 'scorer_tag_reasons', 'scorer_tag_confidences', 'scorer_ratings', 'scorer_rating_reasons'],
  ...['scorer_rating_confidences', 'scores', 'score_ids'],
]);
const TYPES = new Set(['feedback_type', 'feedback_types']);

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
/** Rows have the same few fields again and again; keys of clients may be any number. */
const MAX_KNOWN_FIELDS = 100;

interface Container {
  isObject: boolean;
  mode: Mode;
  /** Which of {@link VERSION_EXTRAS} a version of an object has; undefined: it is none. */
  extras: Set<string> | undefined;
  /** Nothing is in it yet. */
  isEmpty: boolean;
}

/** A field of ours. */
interface KnownField {
  /** What the SDKs call it; undefined: the same. */
  name: Buffer | undefined;
  /** How its value is read. */
  mode: Mode;
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
  /** By their keys. */
  readonly #known = new Map<string, KnownField>();
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
  constructor(
    refScheme: string,
    private readonly fields: ReadonlyMap<string, string> = NO_FIELDS,
  ) {
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
        const isWhole = this.#isKeyNext
          ? this.#key(source, at, isLast, replace)
          : this.#text(source, at, isLast, replace);
        if (!isWhole) {
          this.#held = source.subarray(at);
          return joined(out, source.subarray(from, at));
        }
        this.#isInText = true;
      } else this.#structure(byte, at, replace);
      at++;
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

  /** @returns false: not all of the key has come */
  #key(source: Buffer, at: number, isLast: boolean, replace: Replace): boolean {
    const { mode } = this.#top;
    if (mode !== Mode.Typed && mode !== Mode.Summary) return true;
    const end = source.indexOf(QUOTE, at + 1);
    if (end < 0 && source.length - at <= MAX_KEY_BYTES && !isLast) return false;
    this.#next = Mode.Free;
    if (end < 0 || end - at > MAX_KEY_BYTES) return true;
    const key = source.toString('latin1', at + 1, end);
    if (key.endsWith('\\')) return true; // an escaped quote: no name of a field
    if (mode === Mode.Typed && key.startsWith(EXTRAS_PREFIX)) return this.#extra(source, at, end, isLast, replace);
    const { name, mode: next } = mode === Mode.Summary ? summaryField(key) : this.#field(key);
    this.#next = next;
    if (mode === Mode.Typed) this.#noteExtra(key);
    if (name) replace(at + 1, end, name);
    return true;
  }

  #field(key: string): KnownField {
    const known = this.#known.get(key);
    if (known) return known;
    const name = this.fields.get(key) ?? toSdkPath(key);
    const field = { name: name === key ? undefined : Buffer.from(name, 'latin1'), mode: modeOf(key) };
    if (this.#known.size < MAX_KNOWN_FIELDS) this.#known.set(key, field);
    return field;
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

  /** @returns false: too little of the text has come */
  #text(source: Buffer, at: number, isLast: boolean, replace: Replace): boolean {
    const [own, sdk] = this.#next === Mode.Type ? [this.#ownType, this.#sdkType] : [this.#ownRef, this.#sdkRef];
    if (at + 1 < source.length && source[at + 1] !== own[0]) return true; // most texts: not worth a comparison
    const available = Math.min(own.length, source.length - at - 1);
    if (source.compare(own, 0, available, at + 1, at + 1 + available) !== 0) return true;
    if (available < own.length) return isLast;
    replace(at + 1, at + 1 + own.length, sdk);
    return true;
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

function summaryField(key: string): KnownField {
  const name = swapSummaryKey(key);
  return {
    name: name === key ? undefined : Buffer.from(name, 'latin1'),
    mode: name === SDK_SUMMARY_KEY ? Mode.Typed : Mode.Free,
  };
}

function modeOf(key: string): Mode {
  if (TYPES.has(key)) return Mode.Type;
  if (key === 'summary') return Mode.Summary;
  return FREE.has(key) || key.includes('.') ? Mode.Free : Mode.Typed;
}

const missingExtras = (extras: ReadonlySet<string>): Buffer =>
  Buffer.from(
    VERSION_EXTRAS.filter((name) => !extras.has(name))
      .map((name) => `,"${name}":null`)
      .join(''),
  );

const joined = (parts: Buffer[], last: Buffer): Buffer => (parts.length === 0 ? last : Buffer.concat([...parts, last]));
