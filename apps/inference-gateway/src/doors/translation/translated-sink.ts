import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import type { ReplySink } from '../../chat/reply-sink.js';
import type { AnswerFailure } from '../../dispatch/answer/answer-failure.js';
import type { AnswerSink } from '../../dispatch/answer/answer-sink.js';
import type { AnswerOutcome } from '../../dispatch/answer/outcome.js';
import { type Endpoint, isNative } from '../../shared/endpoint.js';
import { endOfFrame, readFrame } from '../../wire/sse/sse-frame.js';
import { TextFrame } from '../../wire/sse/text-frame.js';
import type { AnswerForm } from './answer-form.js';
import type { Chunk, Completion } from './chat-json.js';
import type { NativeAnswer } from './native-answer.js';

/**
 * Writes the answer to a chat completion in a door's form, in which it may come already. The call keeps the chat completion.
 */
export class TranslatedSink implements AnswerSink {
  /** The whole answer; null: it is not there yet, or is streamed, or needs no translation. */
  private whole: Buffer | null = null;
  private isNative = false;
  /** What most frames of this answer look like. */
  private textFrame: TextFrame | null = null;

  /** @param native reads answers in the door's own form; null: there are none */
  constructor(
    private readonly reply: ReplySink,
    private readonly form: AnswerForm,
    private readonly isStream: boolean,
    private readonly native: NativeAnswer | null = null,
  ) {}

  answersIn(endpoint: Endpoint): void {
    this.isNative = isNative(endpoint);
    if (this.isNative) this.native?.begin();
  }

  commit(headers: Readonly<Record<string, string>>): void {
    const { whole } = this;
    this.reply.commit(whole === null ? headers : { ...headers, 'content-length': String(whole.length) });
  }

  write(bytes: Buffer): boolean {
    const native = this.nativeAnswer;
    if (native !== null) {
      this.reply.keep(native.frames(bytes));
      return this.reply.send(bytes);
    }
    this.reply.keep(bytes);
    const events = this.translate(bytes);
    return events === '' || this.reply.send(Buffer.from(events));
  }

  onDrain(run: () => void): void {
    this.reply.onDrain(run);
  }

  get pendingBytes(): number {
    return this.reply.pendingBytes;
  }

  settle(outcome: AnswerOutcome, bytes: Buffer): Promise<void> {
    const native = this.nativeAnswer;
    if (native !== null) return this.reply.settle(outcome, this.isStream ? native.frames(bytes) : native.whole(bytes));
    if (!this.isStream) {
      this.whole = Buffer.from(JSON.stringify(this.form.whole(JSON.parse(bytes.toString()) as Completion)));
    }
    return this.reply.settle(outcome, bytes);
  }

  end(bytes: Buffer): void {
    if (this.nativeAnswer !== null) return this.reply.end(bytes);
    this.reply.end(this.whole ?? Buffer.from(this.translate(bytes) + this.form.end()));
  }

  fail(failure: AnswerFailure): void {
    this.reply.end(Buffer.from(this.nativeAnswer?.fail(failure) ?? this.form.fail(failure)));
  }

  /** Null: the answer comes as a chat completion. */
  private get nativeAnswer(): NativeAnswer | null {
    return this.isNative ? this.native : null;
  }

  /** @param bytes whole frames */
  private translate(bytes: Buffer): string {
    let events = '';
    for (let at = 0; at < bytes.length;) {
      const textEnd = this.textFrame?.endOf(bytes, at) ?? -1;
      const end = textEnd >= 0 ? textEnd : endOfFrame(bytes, at);
      if (end < 0) break;
      const text = textEnd < 0 ? null : this.translateText(bytes, at, end);
      events += text ?? this.translateFrame(bytes.subarray(at, end));
      at = end;
    }
    return events;
  }

  private translateText(bytes: Buffer, start: number, end: number): string | null {
    const json = this.textFrame?.textOf(bytes, start, end).toString();
    return json ? (this.form.text?.(json) ?? null) : null;
  }

  private translateFrame(frame: Buffer): string {
    const { data } = readFrame(frame);
    // A comment keeps the connection alive.
    if (data === null) return frame.toString();
    const chunk = parsePlainJson(data); // [DONE] is no JSON
    if (!isJsonObject(chunk)) return '';
    if (this.form.text) this.textFrame = TextFrame.of(frame, chunk) ?? this.textFrame;
    return this.form.chunk(chunk as Chunk);
  }
}
