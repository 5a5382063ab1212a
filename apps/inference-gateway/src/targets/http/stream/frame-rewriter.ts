import type { JsonSpan } from '../../../wire/json/json-outline.js';
import type { JsonMember } from '../../../wire/json/json-scanner.js';
import { findMember, isPlainString } from '../../../wire/json/json-scanner.js';
import { applySplices, type Splice } from '../../../wire/json/splice.js';
import { type SseFrame, writeFrame } from '../../../wire/sse/sse-frame.js';

/** Members of an answer that the gateway replaces. */
export interface AnswerNames {
  /** `id` of the answer, `chatcmpl-<rid>`. */
  readonly id: string;
  /** `model` of the answer; null: the upstream's own name. */
  readonly model: string | null;
}

/** Replaces the names in frames and bodies; every other byte stays unchanged. */
export class FrameRewriter {
  constructor(private readonly names: AnswerNames) {}

  /** Splices of a JSON object that begins at `start`. */
  splicesOf(json: Buffer, start = 0): Splice[] {
    const { id, model } = this.names;
    const splices = spliceOf(json, findMember(json, 'id', start), id);
    if (model === null) return splices;
    splices.push(...spliceOf(json, findMember(json, 'model', start), model));
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

  /** @param found where the body's members are; those that it lacks are absent */
  outlinedBody(json: Buffer, found: ReadonlyMap<string, JsonSpan>): Buffer {
    const splices = Object.entries(this.names).flatMap(([name, value]: [string, string | null]) => {
      const span = value === null ? undefined : found.get(name);
      return span === undefined ? [] : [{ start: span.start, end: span.end, bytes: jsonText(value) }];
    });
    return applySplices(
      json,
      splices.sort((left, right) => left.start - right.start),
    );
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
