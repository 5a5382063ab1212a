import { firstMember, hasKey, isPlainString, type JsonMember, nextMember } from '../json/json-scanner.js';
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
    const { id, model } = this.names;
    const splices: Splice[] = [];
    let left = model === null ? 1 : 2;
    for (let member = firstMember(json, start); member !== null && left > 0; member = nextMember(json, member)) {
      if (hasKey(json, member, 'id')) addSplice(splices, json, member, id);
      else if (model !== null && hasKey(json, member, 'model')) addSplice(splices, json, member, model);
      else continue;
      left--;
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

/** Where the member's value is another one. */
function addSplice(splices: Splice[], json: Buffer, { valueStart, valueEnd }: JsonMember, value: string): void {
  if (isPlainString(json, valueStart, valueEnd, value)) return;
  splices.push({ start: valueStart, end: valueEnd, bytes: Buffer.from(JSON.stringify(value)) });
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
