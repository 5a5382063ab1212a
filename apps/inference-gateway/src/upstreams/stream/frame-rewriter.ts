import { findMember } from '../json/json-scanner.js';
import { applySplices, type Splice } from '../json/splice.js';
import type { TokenUsage } from '../target.js';
import { type SseFrame, writeFrame } from './sse-frame.js';

/** What the caller sees instead of what the upstream calls itself. */
export interface Names {
  readonly id: string;
  /** Null: the upstream's own stays. */
  readonly model: string | null;
}

/** Puts our names into frames and bodies, and leaves every other byte as it came. */
export class FrameRewriter {
  constructor(private readonly names: Names) {}

  /** Splices for a JSON object that begins at `start`. */
  splicesOf(json: Buffer, start = 0): Splice[] {
    const splices: Splice[] = [];
    for (const [key, value] of [
      ['id', this.names.id],
      ['model', this.names.model],
    ] as const) {
      const member = value === null ? null : findMember(json, key, start);
      if (member === null) continue;
      const bytes = Buffer.from(JSON.stringify(value));
      if (bytes.compare(json, member.valueStart, member.valueEnd) === 0) continue;
      splices.push({ start: member.valueStart, end: member.valueEnd, bytes });
    }
    return splices.sort((left, right) => left.start - right.start);
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

  /**
   * The frame with nothing but the usage, of an answer whose upstream sent none.
   *
   * @param facts of the answer's other frames
   */
  usageFrame(facts: { created: number; model: string }, usage: TokenUsage, lineEnd: string): Buffer {
    const model = this.names.model ?? facts.model;
    const { created } = facts;
    const head = { id: this.names.id, object: 'chat.completion.chunk', created, model };
    return writeFrame(JSON.stringify({ ...head, choices: [], usage: toUsageJson(usage) }), lineEnd);
  }
}

/** Usage as it is on the wire. */
export function toUsageJson({ promptTokens, completionTokens, cachedTokens }: TokenUsage): Record<string, unknown> {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}
