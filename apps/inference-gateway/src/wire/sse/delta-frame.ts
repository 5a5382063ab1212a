import { isJsonObject } from '@hone/json';
import { endOfPlainString, findMember } from '@hone/json/bytes';

import type { SseFrame } from './sse-frame.js';

const NOTHING = Buffer.alloc(0);
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
    /** Between number and text. */
    private readonly middle: Buffer,
    private readonly tail: Buffer,
    /** Where the event has its number; null: it has none. */
    private readonly number: 'before' | 'behind' | null,
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
    const bytes = (from: number, to = raw.length) => Buffer.from(raw.subarray(from, to));
    const number = findMember(raw, 'sequence_number', dataStart);
    if (number === null) return new DeltaFrame(bytes(0, textStart), NOTHING, bytes(textEnd), null);
    const { valueStart, valueEnd } = number;
    return valueEnd <= textStart
      ? new DeltaFrame(bytes(0, valueStart), bytes(valueEnd, textStart), bytes(textEnd), 'before')
      : new DeltaFrame(bytes(0, textStart), bytes(textEnd, valueStart), bytes(valueEnd), 'behind');
  }

  /** @returns null: no whole frame of this kind begins at `start`, or its text has code points in digits */
  match(bytes: Buffer, start: number): FoundText | null {
    const { head, middle, tail, number } = this;
    let at = endIfSame(head, bytes, start);
    if (number === 'before') at = endIfSame(middle, bytes, endOfDigits(bytes, at));
    if (at < 0) return null;
    const textStart = at;
    const textEnd = endOfPlainString(bytes, at, true);
    at = textEnd;
    if (number === 'behind') at = endOfDigits(bytes, endIfSame(middle, bytes, at));
    const end = endIfSame(tail, bytes, at);
    return end < 0 ? null : { textStart, textEnd, end };
  }
}

/** Where `part` ends, if it is what `bytes` have at `at`; else -1. */
function endIfSame(part: Buffer, bytes: Buffer, at: number): number {
  const end = at + part.length;
  return at >= 0 && end <= bytes.length && part.compare(bytes, at, end) === 0 ? end : -1;
}

/** Where a number of digits alone ends that begins at `at`; -1: none does. */
function endOfDigits(bytes: Buffer, at: number): number {
  if (at < 0 || !isDigit(bytes[at])) return -1;
  let end = at + 1;
  while (isDigit(bytes[end])) end++;
  return end;
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
