import { QUOTE } from '@hone/json/bytes';

import { toSdkPath } from '../names.js';

/** How the keys and texts of a container are read. */
export enum Mode {
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

/** Rows have the same few fields again and again; keys of clients may be any number. */
const MAX_KNOWN_FIELDS = 100;

/** A field of ours. */
export interface KnownField {
  key: string;
  /** Of the key. */
  bytes: Buffer;
  /** What the SDKs call it; undefined: the same. */
  name: Buffer | undefined;
  /** How its value is read. */
  mode: Mode;
  /** The field that came after it last time; rows repeat, so it is expected again. */
  follower?: KnownField;
}

/** The fields of an answer, each looked up once: rows have the same ones, mostly in the same order. */
export class FieldNames {
  /** By their keys. */
  private readonly known = new Map<string, KnownField>();
  /** The field that came last. */
  private last: KnownField | undefined;

  /** @param renamed further names: ours -> the SDKs' */
  constructor(private readonly renamed: ReadonlyMap<string, string>) {}

  /** The field that is expected next, if it is what begins at `at`; its key then needs no decoding. */
  expectedAt(source: Buffer, at: number): KnownField | undefined {
    const expected = this.last?.follower;
    if (!expected || !isKeyAt(source, at, expected.bytes)) return undefined;
    this.last = expected;
    return expected;
  }

  named(key: string): KnownField {
    const field = this.known.get(key) ?? this.toField(key);
    if (this.known.size < MAX_KNOWN_FIELDS) this.known.set(key, field);
    // Followers of others would be a chain as long as the answer.
    if (this.last && this.known.has(key)) this.last.follower = field;
    this.last = field;
    return field;
  }

  private toField(key: string): KnownField {
    const name = this.renamed.get(key) ?? toSdkPath(key);
    const renamed = name === key ? undefined : Buffer.from(name, 'latin1');
    return { key, bytes: Buffer.from(key, 'latin1'), name: renamed, mode: modeOf(key) };
  }
}

/** Whether a key, and the quote after it, are there. Keys are short: a loop takes less than a call of `compare`. */
function isKeyAt(source: Buffer, at: number, key: Buffer): boolean {
  if (source[at + key.length] !== QUOTE) return false;
  for (let index = 0; index < key.length; index++) if (source[at + index] !== key[index]) return false;
  return true;
}

function modeOf(key: string): Mode {
  if (TYPES.has(key)) return Mode.Type;
  if (key === 'summary') return Mode.Summary;
  return FREE.has(key) || key.includes('.') ? Mode.Free : Mode.Typed;
}
