import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import type { AnswerFailure } from '../../dispatch/answer/answer-failure.js';
import { ChatFrames } from '../../wire/chat-frames.js';
import type { ChatTranslator } from '../../wire/chat-translator.js';
import { eventsIn } from '../../wire/sse/events-in.js';

type Json = Record<string, unknown>;

/** What a door knows of its own form, for answers that come in it. */
export interface NativeForm {
  /** Reads an answer as a chat completion. */
  translator(): ChatTranslator;
  /** The events that end a stream that failed, after its first and its last event so far; empty objects: they had none. */
  failAfter(failure: AnswerFailure, first: Json, last: Json): string;
}

const NOTHING = Buffer.alloc(0);
const DATA = 'data:';

/** An answer in the door's own form on its way to the caller: as a chat completion, it becomes the call. */
export class NativeAnswer {
  private translator: ChatTranslator | null = null;
  private chatFrames: ChatFrames | null = null;
  private first: Buffer | null = null;
  private last: Buffer | null = null;

  /** @param isKept the call has the answer; otherwise nothing of it is read */
  constructor(
    private readonly form: NativeForm,
    private readonly isKept: boolean,
  ) {}

  /** Another attempt begins: nothing of an earlier one went to the caller. */
  begin(): void {
    this.translator = this.form.translator();
    this.chatFrames = new ChatFrames(this.translator);
    this.first = null;
    this.last = null;
  }

  /** Frames of the chat completion. @param bytes whole frames */
  frames(bytes: Buffer): Buffer {
    if (bytes.includes(DATA)) {
      this.first ??= bytes;
      this.last = bytes;
    }
    return this.isKept && this.chatFrames !== null ? Buffer.from(this.chatFrames.of(bytes)) : NOTHING;
  }

  /** The chat completion that a whole answer is. */
  whole(bytes: Buffer): Buffer {
    const answer = this.isKept ? parsePlainJson(bytes) : null;
    return isJsonObject(answer) ? Buffer.from(JSON.stringify(this.translator?.whole(answer))) : NOTHING;
  }

  /** @returns null: nothing of it went to the caller, to whom the failure is to be told as that of any other answer */
  fail(failure: AnswerFailure): string | null {
    const { first, last } = this;
    if (first === null || last === null) return null;
    return this.form.failAfter(failure, eventsIn(first)[0] ?? {}, eventsIn(last).at(-1) ?? {});
  }
}
