import { setKey } from '@hone/contracts';
import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import { endOfFrame, readFrame } from '../wire/sse/sse-frame.js';
import { TextFrame, textOf } from '../wire/sse/text-frame.js';

/** Frames are folded some at a time: one by one costs more, and all at the end would hold them all. */
const PENDING_BYTES = 16_384;
const MAX_FRAMES_PER_LOOK = 8;
/** Members of a delta that come once, whole; every other text comes in parts. */
const WHOLE_TEXTS = new Set(['role', 'id', 'type', 'name']);

type Json = Record<string, unknown>;

interface FoldedChoice {
  readonly index: number;
  readonly message: Json;
  logprobs: Json | null;
  finish_reason: unknown;
}

/**
 * Puts the chunks of a streamed answer together to the answer that would have come unstreamed
 * (https://platform.openai.com/docs/api-reference/chat-streaming).
 */
export class StreamFold {
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private head: Json | null = null;
  private usage: unknown = null;
  private readonly choices = new Map<number, FoldedChoice>();
  /** Tool calls by choice. */
  private readonly calls = new Map<number, ToolCalls>();
  private textFrame: TextFrame | null = null;
  /** Frames left until their form is looked for again: more and more, as not all streams have one. */
  private untilLook = 0;
  private looks = 0;
  /** Texts of frames that are not in their message yet, all of one choice. */
  private texts: Buffer[] = [];

  /** @param frames whole ones */
  push(frames: Buffer): void {
    this.pending.push(frames);
    this.pendingBytes += frames.length;
    if (this.pendingBytes > PENDING_BYTES) this.fold();
  }

  /** The answer so far; null: no chunk has come. */
  answer(): object | null {
    this.fold();
    if (this.head === null) return null;
    const choices = [...this.choices.values()].sort((one, other) => one.index - other.index);
    return { ...this.head, object: 'chat.completion', choices, ...(this.usage !== null && { usage: this.usage }) };
  }

  private fold(): void {
    const bytes = this.pending.length === 1 ? (this.pending[0] as Buffer) : Buffer.concat(this.pending);
    this.pending = [];
    this.pendingBytes = 0;
    for (let at = 0; at < bytes.length;) {
      const { textFrame } = this;
      let end = textFrame === null ? -1 : textFrame.endOf(bytes, at);
      if (textFrame !== null && end >= 0) this.texts.push(textFrame.textOf(bytes, at, end));
      else {
        end = endOfFrame(bytes, at);
        if (end < 0) break;
        this.addFrame(bytes.subarray(at, end));
      }
      at = end;
    }
    this.addTexts();
  }

  private addFrame(frame: Buffer): void {
    this.addTexts();
    const { data } = readFrame(frame);
    const chunk = data === null ? undefined : parsePlainJson(data); // [DONE] is no JSON
    if (!isJsonObject(chunk)) return;
    this.add(chunk);
    if (this.untilLook-- > 0) return;
    this.textFrame = TextFrame.of(frame, chunk) ?? this.textFrame;
    this.untilLook = Math.min(this.looks++, MAX_FRAMES_PER_LOOK);
  }

  private addTexts(): void {
    const { textFrame, texts } = this;
    if (textFrame === null || texts.length === 0) return;
    this.texts = [];
    const content = textOf(Buffer.concat(texts).toString());
    this.addChoice({ index: textFrame.choice, delta: { content } });
  }

  private add({ choices, usage, ...head }: Json): void {
    this.head ??= head;
    if (isJsonObject(usage)) this.usage = usage;
    if (!Array.isArray(choices)) return;
    for (const choice of choices)
      if (isJsonObject(choice) && typeof choice['index'] === 'number') this.addChoice(choice);
  }

  private addChoice({ index, delta, logprobs, finish_reason, ...others }: Json): void {
    const at = index as number;
    let choice = this.choices.get(at);
    if (!choice) {
      choice = { index: at, message: {}, logprobs: null, finish_reason: null };
      this.choices.set(at, choice);
    }
    if (isJsonObject(delta)) addDelta(choice.message, delta, (parts) => this.withCalls(at, parts));
    if (isJsonObject(logprobs)) addLists((choice.logprobs ??= {}), logprobs);
    if (finish_reason !== null && finish_reason !== undefined) choice.finish_reason = finish_reason;
    addLists(choice as unknown as Json, others);
  }

  private withCalls(choice: number, parts: unknown[]): readonly Json[] {
    const calls = this.calls.get(choice) ?? new ToolCalls();
    this.calls.set(choice, calls);
    for (const part of parts) if (isJsonObject(part)) calls.add(part);
    return calls.all;
  }
}

/** @param withCalls returns the message's tool calls with these parts; absent: they are no message */
function addDelta(message: Json, delta: Json, withCalls?: (parts: unknown[]) => readonly Json[]): void {
  for (const [key, value] of Object.entries(delta)) {
    const known = own(message, key);
    if (key === 'tool_calls' && Array.isArray(value) && withCalls) setKey(message, key, withCalls(value));
    else if (typeof value === 'string' && typeof known === 'string') {
      setKey(message, key, WHOLE_TEXTS.has(key) ? value || known : known + value);
    } else if (isJsonObject(value) && isJsonObject(known)) addDelta(known, value);
    else if (value !== null || known === undefined) setKey(message, key, value);
  }
}

/** Puts the tool calls of one message together. */
class ToolCalls {
  readonly all: Json[] = [];
  /** The last call of each index that parts have. */
  private readonly callOf = new Map<unknown, Json>();

  /** @param part has the index of its call; without one it continues the last call, unless it begins another */
  add({ index, ...part }: Json): void {
    const known = Number.isInteger(index) ? this.callOf.get(index) : this.all.at(-1);
    if (known && !isOther(known, part)) return addDelta(known, part);
    this.all.push(part);
    this.callOf.set(index, part);
  }
}

/** Some upstreams send all calls under one index. Parts may repeat their call's id, or have one each, but only one name. */
function isOther(call: Json, part: Json): boolean {
  const [id, name] = [call['id'], nameOf(part)];
  return isText(name) && isText(nameOf(call)) && isText(part['id']) && isText(id) && part['id'] !== id;
}

const nameOf = ({ function: called, custom }: Json): unknown =>
  isJsonObject(called) ? called['name'] : isJsonObject(custom) ? custom['name'] : null;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Lists come in parts, anything else as it is. */
function addLists(into: Json, part: Json): void {
  for (const [key, value] of Object.entries(part)) {
    const known = own(into, key);
    if (Array.isArray(value) && Array.isArray(known)) for (const item of value) known.push(item);
    else if (value !== null || known === undefined) setKey(into, key, value);
  }
}

const own = (object: Json, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);
