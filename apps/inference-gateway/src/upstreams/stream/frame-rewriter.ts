import { scanMembers } from '../json/json-scanner.js';
import { applySplices, type Splice } from '../json/splice.js';
import type { TokenUsage } from '../target.js';
import { type SseFrame, writeFrame } from './sse-frame.js';

/** What the caller sees instead of what the upstream calls itself. */
export interface Names {
  readonly id: string;
  /** Null: the upstream's own stays. */
  readonly model: string | null;
}

const named = (key: string, value: string) => ({ key, bytes: Buffer.from(JSON.stringify(value)) });

/** Puts our names into frames and bodies, and leaves every other byte as it came. */
export class FrameRewriter {
  /** The members that are replaced, and their values as JSON. */
  private readonly wanted: readonly { readonly key: string; readonly bytes: Buffer }[];

  constructor(private readonly names: Names) {
    const { id, model } = names;
    this.wanted = model === null ? [named('id', id)] : [named('id', id), named('model', model)];
  }

  /** Splices for a JSON object that begins at `start`. */
  splicesOf(json: Buffer, start = 0): Splice[] {
    const splices: Splice[] = [];
    let left = this.wanted.length;
    for (const { key, valueStart, valueEnd } of scanMembers(json, start)) {
      const wanted = this.wanted.find((name) => name.key === key);
      if (wanted === undefined) continue;
      const { bytes } = wanted;
      if (bytes.compare(json, valueStart, valueEnd) !== 0) splices.push({ start: valueStart, end: valueEnd, bytes });
      if (--left === 0) break;
    }
    return splices;
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
