import { findMember, firstItem } from '../../../wire/json/json-scanner.js';
import { applySplices, type Splice } from '../../../wire/json/splice.js';
import type { SseFrame } from '../../../wire/sse/sse-frame.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** So many bytes are written one by one in less time than a call into the runtime takes; most tokens have fewer. */
const FEW_BYTES = 32;
/** Characters that may follow a backslash in JSON, but for `u`, which the full parser sees to. */
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'));

/**
 * Frames that differ in nothing but one string, the text of a delta. Such a frame is known to be sound, and that it
 * finishes nothing, without being parsed: both ends are compared, and the string between them is walked.
 */
export class TextTemplate {
  /** Whether the caller gets the frames' own bytes. */
  private readonly isUnchanged: boolean;

  private constructor(
    private readonly head: Buffer,
    private readonly tail: Buffer,
    /** Head and tail as the caller gets them. */
    private readonly headOut: Buffer,
    private readonly tailOut: Buffer,
  ) {
    this.isUnchanged = headOut.equals(head) && tailOut.equals(tail);
  }

  /**
   * @param frame sound, on one line, with one choice that is not finished
   * @param field of the delta, a string
   * @param splices of the frame's raw bytes, which the caller's copy has
   */
  static learn(frame: SseFrame, field: string, splices: readonly Splice[]): TextTemplate | null {
    const { raw, dataStart } = frame;
    const choices = findMember(raw, 'choices', dataStart);
    const choice = choices === null ? -1 : firstItem(raw, choices.valueStart);
    const delta = choice < 0 ? null : findMember(raw, 'delta', choice);
    const text = delta === null ? null : findMember(raw, field, delta.valueStart);
    if (text === null) return null;
    const headEnd = text.valueStart + 1;
    const tailStart = text.valueEnd - 1;
    return new TextTemplate(
      Buffer.from(raw.subarray(0, headEnd)),
      Buffer.from(raw.subarray(tailStart)),
      Buffer.from(applySplices(raw, splices, 0, headEnd)),
      Buffer.from(applySplices(raw, splices, tailStart)),
    );
  }

  /** @returns where the string between head and tail ends, when a whole frame of this form is at `start`; else -1 */
  match(bytes: Buffer, start: number): number {
    const { head, tail } = this;
    const textStart = start + head.length;
    if (textStart + tail.length > bytes.length) return -1;
    if (bytes.compare(head, 0, head.length, start, textStart) !== 0) return -1;
    const textEnd = endOfText(bytes, textStart);
    if (textEnd < 0 || textEnd + tail.length > bytes.length) return -1;
    return bytes.compare(tail, 0, tail.length, textEnd, textEnd + tail.length) === 0 ? textEnd : -1;
  }

  /** The frame at `start`, whose string ends at `textEnd`, as the caller gets it. */
  shown(bytes: Buffer, start: number, textEnd: number): Buffer {
    if (this.isUnchanged) return bytes.subarray(start, this.frameEnd(textEnd));
    const { headOut, tailOut } = this;
    const textStart = this.textStart(start);
    const tailAt = headOut.length + textEnd - textStart;
    // In one piece from the start: views of three pieces would cost more than their bytes.
    const frame = Buffer.allocUnsafe(tailAt + tailOut.length);
    frame.set(headOut);
    frame.set(tailOut, tailAt);
    if (textEnd - textStart > FEW_BYTES) bytes.copy(frame, headOut.length, textStart, textEnd);
    else for (let at = textStart, to = headOut.length; at < textEnd; at++, to++) frame[to] = bytes[at] as number;
    return frame;
  }

  textStart(start: number): number {
    return start + this.head.length;
  }

  frameEnd(textEnd: number): number {
    return textEnd + this.tail.length;
  }
}

/** The closing quote of the string whose content begins at `start`, or -1 when it is not plainly sound. */
function endOfText(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at;
    if (byte < 0x20) return -1;
    if (byte === BACKSLASH && !ESCAPES.has(bytes[++at] as number)) return -1;
  }
  return -1;
}
