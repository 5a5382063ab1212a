import { isJsonObject } from '@hone/json';
import { endOfPlainString, findMember } from '@hone/json/bytes';

import type { SseFrame } from './sse-frame.js';

const ZERO = 0x30;
const NINE = 0x39;

/** Where a frame has its text, without quotes, and where it ends. */
interface FoundText {
  readonly textStart: number;
  readonly textEnd: number;
  readonly end: number;
}

/**
 * What the frames of a door's own stream share that add a text alone: all of their bytes but the text and the number of
 * the event. Such a frame says what the one says that this was learned from, but for its text, without being parsed.
 */
class DeltaFrame {
  private constructor(
    private readonly head: Buffer,
    /** Between number and text; null: events have no number. */
    private readonly middle: Buffer | null,
    private readonly tail: Buffer,
  ) {}

  /**
   * @param event the parsed frame
   * @returns null: it is no event of text, or says more than its text
   */
  static of({ raw, dataStart }: SseFrame, event: Readonly<Record<string, unknown>>): DeltaFrame | null {
    const holder = dataStart < 0 ? null : textHolder(event, raw, dataStart);
    const text = holder && findMember(raw, holder.name, holder.start);
    if (text === null || text.valueEnd - text.valueStart < 2) return null;
    const [textStart, textEnd] = [text.valueStart + 1, text.valueEnd - 1];
    const tail = Buffer.from(raw.subarray(textEnd));
    const number = findMember(raw, 'sequence_number', dataStart);
    if (number === null) return new DeltaFrame(Buffer.from(raw.subarray(0, textStart)), null, tail);
    if (number.valueEnd > textStart) return null;
    const middle = Buffer.from(raw.subarray(number.valueEnd, textStart));
    return new DeltaFrame(Buffer.from(raw.subarray(0, number.valueStart)), middle, tail);
  }

  /** @returns null: no whole frame of this kind begins at `start`, or its text has code points in digits */
  match(bytes: Buffer, start: number): FoundText | null {
    const { head, middle, tail } = this;
    let at = start + head.length;
    if (at > bytes.length || head.compare(bytes, start, at) !== 0) return null;
    if (middle !== null) {
      const number = at;
      while (isDigit(bytes[at])) at++;
      const from = at + middle.length;
      if (at === number || from > bytes.length || middle.compare(bytes, at, from) !== 0) return null;
      at = from;
    }
    const textEnd = endOfPlainString(bytes, at, true);
    const end = textEnd + tail.length;
    if (textEnd < 0 || end > bytes.length || tail.compare(bytes, textEnd, end) !== 0) return null;
    return { textStart: at, textEnd, end };
  }
}

/** Frames in a row that were learned and never came again: some upstreams pad every event differently. */
const MAX_UNMATCHED = 8;

/** The last frame of a text that a stream has shown. `T`: what its reader wants to know when another one comes. */
export class KnownDelta<T> {
  private known: { readonly frame: DeltaFrame; readonly value: T } | null = null;
  private unmatched = 0;

  /** @returns null: what begins at `start` must be read and, perhaps, learned */
  match(bytes: Buffer, start: number): (FoundText & { readonly value: T }) | null {
    const { known } = this;
    const found = known === null ? null : known.frame.match(bytes, start);
    if (known === null || found === null) return null;
    this.unmatched = 0;
    return { ...found, value: known.value };
  }

  /**
   * @param event the parsed frame
   * @param toValue null: it is not to be learned
   */
  learn(frame: SseFrame, event: Readonly<Record<string, unknown>>, toValue: () => T | null): void {
    if (this.unmatched >= MAX_UNMATCHED) return;
    const learned = DeltaFrame.of(frame, event);
    const value = learned === null ? null : toValue();
    if (learned === null || value === null) return;
    this.known = { frame: learned, value };
    this.unmatched++;
  }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

/** The member that has the text, and where the object begins that has the member. */
function textHolder(
  { type, delta, logprobs }: Readonly<Record<string, unknown>>,
  json: Buffer,
  start: number,
): { readonly name: string; readonly start: number } | null {
  if (type === 'response.output_text.delta') {
    const isPlain = typeof delta === 'string' && !(Array.isArray(logprobs) && logprobs.length > 0);
    return isPlain ? { name: 'delta', start } : null;
  }
  if (type !== 'content_block_delta' || !isJsonObject(delta) || delta['type'] !== 'text_delta') return null;
  const at = findMember(json, 'delta', start)?.valueStart;
  return at === undefined || typeof delta['text'] !== 'string' ? null : { name: 'text', start: at };
}
