import type { JsonSpan } from '../../../wire/json/json-outline.js';
import { findMember, isPlainString } from '../../../wire/json/json-scanner.js';
import { applySplices, type Splice } from '../../../wire/json/splice.js';
import { type SseFrame, writeFrame } from '../../../wire/sse/sse-frame.js';

/** Replaces the answer id in frames and bodies; every other byte stays unchanged. */
export class FrameRewriter {
  /** @param answerId `id` of the answer, `chatcmpl-<rid>` */
  constructor(private readonly answerId: string) {}

  /** Splices of a JSON object that begins at `start`. */
  splicesOf(json: Buffer, start = 0): Splice[] {
    const id = findMember(json, 'id', start);
    if (id === null || isPlainString(json, id.valueStart, id.valueEnd, this.answerId)) return [];
    return [this.idAt(id.valueStart, id.valueEnd)];
  }

  /** Splices of a frame's raw bytes, or of its data when that has several lines. */
  splicesOfFrame({ raw, data, dataStart }: SseFrame): Splice[] {
    return dataStart < 0 ? this.splicesOf(data as Buffer) : this.splicesOf(raw, dataStart);
  }

  frame(frame: SseFrame, splices: readonly Splice[], lineEnd: string): Buffer {
    if (frame.dataStart >= 0 || splices.length === 0) return applySplices(frame.raw, splices);
    return writeFrame(applySplices(frame.data as Buffer, splices), lineEnd);
  }

  body(json: Buffer): Buffer {
    return applySplices(json, this.splicesOf(json));
  }

  /** @param id where the body's id is; undefined: it has none */
  bodyWithId(json: Buffer, id: JsonSpan | undefined): Buffer {
    return id === undefined ? json : applySplices(json, [this.idAt(id.start, id.end)]);
  }

  private idAt(start: number, end: number): Splice {
    return { start, end, bytes: Buffer.from(JSON.stringify(this.answerId)) };
  }

  /**
   * Writes the usage frame of an answer whose upstream sent none.
   *
   * @param usage value of the `usage` member
   */
  usageFrame({ created, ...facts }: FrameFacts, usage: unknown, lineEnd: string): Buffer {
    const head = { id: this.answerId, object: 'chat.completion.chunk', created: created ?? unixSeconds() };
    return writeFrame(JSON.stringify({ ...head, ...facts, choices: [], usage }), lineEnd);
  }
}

/** Members that all frames of an answer have in common. */
export interface FrameFacts {
  /** Unix seconds; null: the upstream sends none. */
  created: number | null;
  model: string;
  /** Undefined: the upstream sends none. */
  system_fingerprint: unknown;
}

const unixSeconds = (): number => Math.floor(Date.now() / 1_000);
