import { JsonRewriter, type JsonScope, QUOTE } from '@hone/json/bytes';

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

/** A longer key is no field's. */
const MAX_KEY_BYTES = 1_100;

interface Container extends JsonScope {
  readonly mode: Mode;
  /** Which of {@link VERSION_EXTRAS} a version of an object has; undefined: it is none. */
  extras: Set<string> | undefined;
}

const NO_FIELDS: ReadonlyMap<string, string> = new Map();
const NULL_VALUE = Buffer.from(':null');

const rootContainer = (): Container => ({ isObject: false, mode: Mode.Typed, extras: undefined });

/** Renames what the canonical surface calls things in JSON text, one value or one per line, as it passes. */
export class NameScanner extends JsonRewriter<Container> {
  private readonly ownRef: Buffer;
  private readonly sdkRef = Buffer.from(SDK_REF);
  private readonly ownType = Buffer.from(OWN_TYPE_PREFIX);
  private readonly sdkType = Buffer.from(SDK_TYPE_PREFIX);
  private readonly fields: FieldNames;
  /** How the next value of {@link scope} is read. */
  private next: Mode = Mode.Typed;

  /** @param fields further names of fields: ours -> the SDKs' */
  constructor(refScheme: string, fields: ReadonlyMap<string, string> = NO_FIELDS) {
    super(rootContainer);
    this.fields = new FieldNames(fields);
    this.ownRef = Buffer.from(`${refScheme}:///`);
  }

  protected override open(isObject: boolean): Container {
    return { isObject, mode: this.next, extras: undefined };
  }

  protected override close(at: number): void {
    const { extras } = this.scope;
    if (extras) this.replace(at, at, missingExtras(extras));
  }

  protected override nextMember(): void {
    this.next = this.scope.mode;
  }

  protected override key(source: Buffer, at: number, isLast: boolean): number | undefined {
    const { mode } = this.scope;
    if (mode !== Mode.Typed && mode !== Mode.Summary) return this.skipString(at);
    const expected = mode === Mode.Typed ? this.fields.expectedAt(source, at + 1) : undefined;
    if (expected) return this.enterField(expected, at, at + 1 + expected.bytes.length);
    const end = source.indexOf(QUOTE, at + 1);
    if (end < 0 && source.length - at <= MAX_KEY_BYTES && !isLast) return undefined;
    this.next = Mode.Free;
    if (end < 0 || end - at > MAX_KEY_BYTES) return this.skipString(at);
    const key = source.toString('latin1', at + 1, end);
    if (key.endsWith('\\')) return this.skipString(at); // an escaped quote: no name of a field
    if (mode === Mode.Summary) return this.summaryKey(key, at, end);
    if (key.startsWith(EXTRAS_PREFIX)) return this.extra(source, at, end, isLast) ? this.skipString(at) : undefined;
    return this.enterField(this.fields.named(key), at, end);
  }

  /** @param end of the key, where its second quote is */
  private enterField(field: KnownField, at: number, end: number): number {
    this.next = field.mode;
    this.noteExtra(field.key);
    if (field.name) this.replace(at + 1, end, field.name);
    return end + 1;
  }

  private summaryKey(key: string, at: number, end: number): number {
    const name = swapSummaryKey(key);
    if (name === SDK_SUMMARY_KEY) this.next = Mode.Typed;
    if (name !== key) this.replace(at + 1, end, Buffer.from(name, 'latin1'));
    return end + 1;
  }

  /** A text beside the fields of feedback: the SDKs know no null there. @returns false: its value has not come */
  private extra(source: Buffer, at: number, end: number, isLast: boolean): boolean {
    const after = end + 1 + NULL_VALUE.length;
    if (source.length < after && !isLast) return false;
    const name = source.toString('latin1', at + 1 + EXTRAS_PREFIX.length, end);
    const absent = EXTRAS.get(name);
    if (absent === undefined || source.compare(NULL_VALUE, 0, NULL_VALUE.length, end + 1, after) !== 0)
      this.replace(at + 1, end, Buffer.from(name));
    else this.replace(at + 1, after, Buffer.from(`${name}":${JSON.stringify(absent)}`));
    return true;
  }

  private noteExtra(key: string): void {
    if (key === VERSION_FIELD) this.scope.extras ??= new Set();
    if (VERSION_EXTRAS.includes(key)) this.scope.extras?.add(key);
  }

  protected override string(source: Buffer, at: number, isLast: boolean): number | undefined {
    const [own, sdk] = this.next === Mode.Type ? [this.ownType, this.sdkType] : [this.ownRef, this.sdkRef];
    if (at + 1 < source.length && source[at + 1] !== own[0]) return this.skipString(at); // most texts: not worth a comparison
    const available = Math.min(own.length, source.length - at - 1);
    if (source.compare(own, 0, available, at + 1, at + 1 + available) !== 0) return this.skipString(at);
    if (available < own.length) return isLast ? this.skipString(at) : undefined;
    this.replace(at + 1, at + 1 + own.length, sdk);
    return this.skipString(at);
  }
}

const missingExtras = (extras: ReadonlySet<string>): Buffer =>
  Buffer.from(
    VERSION_EXTRAS.filter((name) => !extras.has(name))
      .map((name) => `,"${name}":null`)
      .join(''),
  );
