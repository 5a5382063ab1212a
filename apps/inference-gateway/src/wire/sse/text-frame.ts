import { isJsonObject } from '@hone/json';
import { BACKSLASH, COLON, endOfPlainString, QUOTE, SPACE } from '@hone/json/bytes';

const CONTENT = Buffer.from('"content"');

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

  /**
   * @param chunk the parsed frame
   * @returns null: other members of the frame count as well, or it has escapes
   */
  static of(frame: Buffer, chunk: Readonly<Record<string, unknown>>): TextFrame | null {
    const choice = choiceOf(chunk);
    const from = choice === null ? -1 : contentStart(frame);
    if (choice === null || from < 0) return null;
    const to = frame.indexOf(QUOTE, from);
    return new TextFrame(Buffer.from(frame.subarray(0, from)), Buffer.from(frame.subarray(to)), choice);
  }

  /** Where the frame at `start` ends, if it is one of these and its text has no code points in digits; else -1. */
  endOf(bytes: Buffer, start: number): number {
    const { prefix, suffix } = this;
    const from = start + prefix.length;
    if (from > bytes.length || prefix.compare(bytes, start, from) !== 0) return -1;
    const to = endOfPlainString(bytes, from, false);
    const end = to + suffix.length;
    return to >= 0 && end <= bytes.length && suffix.compare(bytes, to, end) === 0 ? end : -1;
  }

  /** The JSON of the text of a frame that {@link endOf} has found, without quotes. */
  textOf(bytes: Buffer, start: number, end: number): Buffer {
    return bytes.subarray(start + this.prefix.length, end - this.suffix.length);
  }
}

/** The text that `json`, a string without its quotes, is. */
export const textOf = (json: string): string => (json.includes('\\') ? (JSON.parse(`"${json}"`) as string) : json);

/** Offset of the first character of the only `content` in the frame; -1: there are others, perhaps behind escapes. */
function contentStart(frame: Buffer): number {
  const key = frame.indexOf(CONTENT);
  if (key < 0 || frame.indexOf(CONTENT, key + 1) >= 0 || frame.includes(BACKSLASH)) return -1;
  const colon = key + CONTENT.length;
  if (frame[colon] !== COLON) return -1;
  const quote = frame[colon + 1] === SPACE ? colon + 2 : colon + 1;
  return frame[quote] === QUOTE ? quote + 1 : -1;
}

/** @returns null: the frame does more than to add to the content of one choice */
function choiceOf(chunk: Readonly<Record<string, unknown>>): number | null {
  if (isJsonObject(chunk['usage']) || !Array.isArray(chunk['choices'])) return null;
  const [choice, ...more] = chunk['choices'] as unknown[];
  if (more.length > 0 || !isJsonObject(choice)) return null;
  const { index, delta, ...others } = choice;
  if (!isJsonObject(delta) || typeof delta['content'] !== 'string' || Object.keys(delta).length > 1) return null;
  const isPlain = Object.values(others).every((value) => value === null);
  return isPlain && Number.isInteger(index) ? (index as number) : null;
}
