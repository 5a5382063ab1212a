import { applySplices, findMember, isPlainString, type JsonMember, type JsonSpan, type Splice } from '@hone/json/bytes';

import { type SseFrame, writeFrame } from '../../../wire/sse/sse-frame.js';
import type { AnswerTokens } from '../tokens/answer-tokens.js';

/** Members of an answer that the gateway replaces. */
export interface AnswerNames {
  /** `id` of the answer, `chatcmpl-<rid>`. */
  readonly id: string;
  /** `model` of the answer; null: the upstream's own name. */
  readonly model: string | null;
}

const NULL = Buffer.from('null');

/** What a frame's caller does not get. */
export interface HiddenMembers {
  /** Hides some of the tokens; null: the answer has none. */
  readonly tokens?: AnswerTokens | null;
  /** `usage` is null: the caller gets it at the end, or not at all. */
  readonly hidesUsage?: boolean;
}

/** Replaces the names in frames and bodies; every other byte stays unchanged. */
export class FrameRewriter {
  constructor(private readonly names: AnswerNames) {}

  /** Splices of a JSON object that begins at `start`, in their order. */
  splicesOf(json: Buffer, start = 0, { tokens, hidesUsage }: HiddenMembers = {}): Splice[] {
    const { id, model } = this.names;
    const splices = spliceOf(json, findMember(json, 'id', start), id);
    if (model === null && !hidesUsage) return splices;
    if (model !== null) splices.push(...spliceOf(json, findMember(json, 'model', start), model));
    if (model !== null && tokens) splices.push(...tokens.splicesOf(json, start));
    const usage = hidesUsage ? findMember(json, 'usage', start) : null;
    if (usage !== null) splices.push({ start: usage.valueStart, end: usage.valueEnd, bytes: NULL });
    return splices.sort(byStart);
  }

  /** Splices of a frame's raw bytes, or of its data when that has several lines. */
  splicesOfFrame({ raw, data, dataStart }: SseFrame, hidden: HiddenMembers = {}): Splice[] {
    return dataStart < 0 ? this.splicesOf(data as Buffer, 0, hidden) : this.splicesOf(raw, dataStart, hidden);
  }

  frame(frame: SseFrame, splices: readonly Splice[], lineEnd: string): Buffer {
    if (frame.dataStart >= 0 || splices.length === 0) return applySplices(frame.raw, splices);
    return writeFrame(applySplices(frame.data as Buffer, splices), lineEnd);
  }

  body(json: Buffer, tokens: AnswerTokens | null = null): Buffer {
    return applySplices(json, this.splicesOf(json, 0, { tokens }));
  }

  /**
   * @param found where the body's members are; those that it lacks are absent
   * @param more splices of other members
   */
  outlinedBody(json: Buffer, found: ReadonlyMap<string, JsonSpan>, more: readonly Splice[] = []): Buffer {
    const splices = Object.entries(this.names).flatMap(([name, value]: [string, string | null]) => {
      const span = value === null ? undefined : found.get(name);
      return span === undefined ? [] : [{ start: span.start, end: span.end, bytes: jsonText(value) }];
    });
    return applySplices(json, [...splices, ...more].sort(byStart));
  }

  /**
   * Writes the usage frame of an answer whose upstream sent none.
   *
   * @param usage value of the `usage` member
   */
  usageFrame({ created, model, ...facts }: FrameFacts, usage: unknown, lineEnd: string): Buffer {
    const head = { id: this.names.id, object: 'chat.completion.chunk', created: created ?? unixSeconds() };
    const shown = { model: this.names.model ?? model, ...facts };
    return writeFrame(JSON.stringify({ ...head, ...shown, choices: [], usage }), lineEnd);
  }
}

const byStart = (left: Splice, right: Splice): number => left.start - right.start;

const jsonText = (value: string | null): Buffer => Buffer.from(JSON.stringify(value));

/** None when the object has no such member, or has that value already. */
function spliceOf(json: Buffer, member: JsonMember | null, value: string): Splice[] {
  if (member === null || isPlainString(json, member.valueStart, member.valueEnd, value)) return [];
  return [{ start: member.valueStart, end: member.valueEnd, bytes: jsonText(value) }];
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
