import { isObject, parseJson } from '../wire/json/parse-json.js';
import { readFrame } from '../wire/sse/sse-frame.js';

const CONTENT_KEY = Buffer.from('"content":');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** A text that no model writes. */
const PROBE = 'hone\u0001probe';
const PROBE_JSON = Buffer.from(JSON.stringify(PROBE).slice(1, -1));

/**
 * What the frames of a stream share that add only a text to one message: most of them, and to parse each would be most of
 * the work. Such a frame is `prefix`, the text and `suffix`.
 */
export class TextFrame {
  private constructor(
    private readonly prefix: Buffer,
    private readonly suffix: Buffer,
    /** Index of the choice that the text belongs to. */
    readonly choice: number,
  ) {}

  /** @returns null: other members of the frame count as well, or its text has escapes */
  static of(frame: Buffer): TextFrame | null {
    const key = frame.indexOf(CONTENT_KEY);
    if (key < 0 || frame.indexOf(CONTENT_KEY, key + 1) >= 0) return null;
    const from = key + CONTENT_KEY.length + (frame[key + CONTENT_KEY.length] === SPACE ? 2 : 1);
    const to = frame.indexOf(QUOTE, from);
    if (frame[from - 1] !== QUOTE || to < 0) return null;
    const [prefix, suffix] = [Buffer.from(frame.subarray(0, from)), Buffer.from(frame.subarray(to))];
    const choice = choiceOf(Buffer.concat([prefix, PROBE_JSON, suffix]));
    return choice === null ? null : new TextFrame(prefix, suffix, choice);
  }

  /** The JSON of the text of a frame, without quotes; null: the frame is another one, or its text has escapes. */
  textOf(bytes: Buffer, start: number, end: number): Buffer | null {
    const { prefix, suffix } = this;
    const [from, to] = [start + prefix.length, end - suffix.length];
    if (from > to || suffix.compare(bytes, to, end) !== 0 || prefix.compare(bytes, start, from) !== 0) return null;
    for (let at = from; at < to; at++) if (isSpecial(bytes[at] as number)) return null;
    return bytes.subarray(from, to);
  }
}

/** Ends the text, begins an escape, or is none that JSON allows. */
const isSpecial = (byte: number): boolean => byte === QUOTE || byte === BACKSLASH || byte < SPACE;

/** @returns null: the frame does more than to add {@link PROBE} to the content of one choice */
function choiceOf(frame: Buffer): number | null {
  const { data } = readFrame(frame);
  const chunk = data === null ? undefined : parseJson(data);
  if (!isObject(chunk) || isObject(chunk['usage']) || !Array.isArray(chunk['choices'])) return null;
  const [choice, ...more] = chunk['choices'] as unknown[];
  if (more.length > 0 || !isObject(choice)) return null;
  const { index, delta, ...others } = choice;
  if (!isObject(delta) || delta['content'] !== PROBE || Object.keys(delta).length > 1) return null;
  const isPlain = Object.values(others).every((value) => value === null);
  return isPlain && Number.isInteger(index) ? (index as number) : null;
}
