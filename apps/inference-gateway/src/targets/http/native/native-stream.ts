import { isUtf8 } from 'node:buffer';

import { isJsonObject } from '@hone/json';
import { applySplices, findMember, parsePlainJson, type Splice } from '@hone/json/bytes';

import { KnownDelta } from '../../../wire/sse/delta-frame.js';
import { type SseFrame, writeFrame } from '../../../wire/sse/sse-frame.js';
import type { TokenUsage } from '../../target.js';
import type { TargetFailure } from '../../target-failure.js';
import { mayBeChunk } from '../stream/chunk-json.js';
import { FramedStream } from '../stream/framed-stream.js';
import type { StreamReader } from '../stream/stream-reader.js';
import { readNativeError } from './native-failures.js';
import type { NativeReader } from './native-reader.js';

/** What the answer's head says in place of the upstream's own: its member -> a string. */
export type AnswerHead = ReadonlyMap<string, string>;

/** Reads a stream in a door's own form. Its frames stay as they are, but for {@link AnswerHead}. */
export class NativeStream extends FramedStream implements StreamReader {
  hasStarted = false;
  private readonly rest: Buffer[] = [];
  /** Of an event of text. */
  private readonly known = new KnownDelta<Record<string, unknown>>();

  constructor(
    private readonly reader: NativeReader,
    private readonly head: AnswerHead,
  ) {
    super();
  }

  get isFinished(): boolean {
    return this.reader.finishReason !== null;
  }

  get tokenFrames(): number {
    return this.reader.deltas;
  }

  /** Counts of the prompt alone are no usage: those of the answer come with its end. */
  get usage(): TokenUsage | null {
    return this.isFinished ? this.reader.usage : null;
  }

  get finishReasons(): readonly string[] {
    const { finishReason } = this.reader;
    return finishReason === null ? [] : [finishReason];
  }

  get silence(): TargetFailure {
    return { reason: 'stalled', message: 'The upstream stopped amid its answer.' };
  }

  passText(): null {
    return null;
  }

  lostPart(): null {
    return null;
  }

  takeRest(): Buffer {
    return Buffer.concat([...this.rest, Buffer.from(this.reader.end)]);
  }

  protected readEvent(frame: SseFrame, data: Buffer): void {
    const json = isUtf8(frame.raw) ? parsePlainJson(data) : undefined;
    if (isJsonObject(json) && typeof json['type'] === 'string') return this.readTyped(frame, json);
    if (isJsonObject(json) && (json['error'] ?? null) !== null)
      return void (this.failure ??= readNativeError(json['error']));
    this.malformedFrames++;
    if (!isJsonObject(json) && mayBeChunk(data.toString(), json)) {
      this.fail('damaged', 'A part of the answer was damaged on its way from the upstream.');
    }
  }

  protected override passFrame(bytes: Buffer, at: number): number | null {
    const text = this.known.match(bytes, at);
    if (text === null) return null;
    this.pass(bytes.subarray(at, text.end), text.value);
    return text.end;
  }

  private readTyped(frame: SseFrame, json: Record<string, unknown>): void {
    this.known.learn(frame, json, () => json);
    this.pass(this.shown(frame, json), json);
  }

  /** @param event that `shown` says, but for a text */
  private pass(shown: Buffer, event: Record<string, unknown>): void {
    const kind = this.reader.read(event);
    if (typeof kind !== 'string') return void (this.failure ??= kind);
    const isAnswer = kind === 'answer';
    this.hasAdvanced ||= kind !== 'idle';
    this.hasStarted ||= isAnswer;
    if (this.reader.isDone) this.isDone = true;
    if (this.isFinished) return void this.rest.push(shown);
    this.out.push(shown);
    this.hasAnswer ||= isAnswer;
  }

  private shown(frame: SseFrame, json: Record<string, unknown>): Buffer {
    const { headMember } = this.reader;
    if (!isJsonObject(json[headMember])) return frame.raw;
    const { raw, data, dataStart, event } = frame;
    if (dataStart >= 0) return applySplices(raw, headSplices(raw, dataStart, headMember, this.head));
    const named = applySplices(data as Buffer, headSplices(data as Buffer, 0, headMember, this.head));
    const lines = writeFrame(named, this.lineEnd);
    return event === null ? lines : Buffer.concat([Buffer.from(`event: ${event}${this.lineEnd}`), lines]);
  }
}

/**
 * Members that the answer does not have stay away.
 *
 * @param holder member that is the head; null: the object at `start` is it
 */
export function headSplices(json: Buffer, start: number, holder: string | null, head: AnswerHead): Splice[] {
  const at = holder === null ? start : (findMember(json, holder, start)?.valueStart ?? null);
  if (at === null) return [];
  const splices = [...head].flatMap(([name, value]) => {
    const member = findMember(json, name, at);
    return member === null
      ? []
      : [{ start: member.valueStart, end: member.valueEnd, bytes: Buffer.from(JSON.stringify(value)) }];
  });
  return splices.sort((a, b) => a.start - b.start);
}
