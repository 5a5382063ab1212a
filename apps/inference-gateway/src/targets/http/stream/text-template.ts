import { applySplices, endOfPlainString, findMember, firstItem, type Splice } from '@hone/json/bytes';

import type { SseFrame } from '../../../wire/sse/sse-frame.js';

/** Up to this length a loop copies bytes faster than a native call; most tokens are shorter. */
const FEW_BYTES = 32;
/**
 * Template of frames that differ only in one string, the text of a delta. A frame that matches is valid and finishes no
 * choice, without being parsed: its head and tail are compared, and the string between them is scanned.
 */
export class TextTemplate {
  /** The caller gets the frames' own bytes. */
  private readonly isUnchanged: boolean;

  private constructor(
    private readonly head: Buffer,
    private readonly tail: Buffer,
    /** Head and tail for the caller. */
    private readonly headOut: Buffer,
    private readonly tailOut: Buffer,
  ) {
    this.isUnchanged = headOut.equals(head) && tailOut.equals(tail);
  }

  /**
   * @param frame valid, on one line, with one unfinished choice
   * @param field name of a string in the delta
   * @param splices edits of the frame's raw bytes for the caller
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

  /** @returns end offset of the string, if a complete frame of this template begins at `start`; else -1 */
  match(bytes: Buffer, start: number): number {
    const { head, tail } = this;
    const textStart = start + head.length;
    if (textStart + tail.length > bytes.length) return -1;
    if (bytes.compare(head, 0, head.length, start, textStart) !== 0) return -1;
    const textEnd = endOfPlainString(bytes, textStart, true);
    if (textEnd < 0 || textEnd + tail.length > bytes.length) return -1;
    return bytes.compare(tail, 0, tail.length, textEnd, textEnd + tail.length) === 0 ? textEnd : -1;
  }

  /** The frame at `start`, whose string ends at `textEnd`, in the form for the caller. */
  shown(bytes: Buffer, start: number, textEnd: number): Buffer {
    if (this.isUnchanged) return bytes.subarray(start, this.frameEnd(textEnd));
    const { headOut, tailOut } = this;
    const textStart = this.textStart(start);
    const tailAt = headOut.length + textEnd - textStart;
    // One allocation: concatenating three views would cost more than their bytes.
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
