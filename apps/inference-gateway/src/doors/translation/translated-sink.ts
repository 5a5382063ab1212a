import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import type { ReplySink } from '../../chat/reply-sink.js';
import type { AnswerFailure } from '../../dispatch/answer/answer-failure.js';
import type { AnswerSink } from '../../dispatch/answer/answer-sink.js';
import type { AnswerOutcome } from '../../dispatch/answer/outcome.js';
import { endOfFrame, readFrame } from '../../wire/sse/sse-frame.js';
import type { AnswerForm } from './answer-form.js';
import type { Chunk, Completion } from './chat-json.js';

/** Writes the answer to a chat completion in a door's form. The call keeps the chat completion. */
export class TranslatedSink implements AnswerSink {
  /** The whole answer; null: it is not there yet, or is streamed. */
  private whole: Buffer | null = null;

  constructor(
    private readonly reply: ReplySink,
    private readonly form: AnswerForm,
    private readonly isStream: boolean,
  ) {}

  commit(headers: Readonly<Record<string, string>>): void {
    const { whole } = this;
    this.reply.commit(whole === null ? headers : { ...headers, 'content-length': String(whole.length) });
  }

  write(bytes: Buffer): boolean {
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
    if (!this.isStream) {
      this.whole = Buffer.from(JSON.stringify(this.form.whole(JSON.parse(bytes.toString()) as Completion)));
    }
    return this.reply.settle(outcome, bytes);
  }

  end(bytes: Buffer): void {
    this.reply.end(this.whole ?? Buffer.from(this.translate(bytes) + this.form.end()));
  }

  fail(failure: AnswerFailure): void {
    this.reply.end(Buffer.from(this.form.fail(failure)));
  }

  /** @param bytes whole frames */
  private translate(bytes: Buffer): string {
    let events = '';
    for (let at = 0; at < bytes.length;) {
      const end = endOfFrame(bytes, at);
      if (end < 0) break;
      const frame = bytes.subarray(at, end);
      const { data } = readFrame(frame);
      // A comment keeps the connection alive; `[DONE]` is no JSON.
      if (data === null) events += frame.toString();
      else {
        const chunk = parsePlainJson(data);
        if (isJsonObject(chunk)) events += this.form.chunk(chunk as Chunk);
      }
      at = end;
    }
    return events;
  }
}
