import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import { ChatFrames } from '../../../wire/chat-frames.js';
import type { ChatTranslator } from '../../../wire/chat-translator.js';
import type { ChatRequest, CompleteAnswer } from '../../target.js';
import type { TargetFailure } from '../../target-failure.js';
import { toUsageJson } from '../../usage-json.js';
import type { ConsumerHost } from '../body-consumer.js';

type Json = Record<string, unknown>;

/** Passes an answer of another form on as the chat completion that was asked for. */
export class ChatHost implements ConsumerHost {
  private hasUsage = false;
  private readonly chatFrames: ChatFrames;

  constructor(
    private readonly host: ConsumerHost,
    private readonly translator: ChatTranslator,
    private readonly request: Pick<ChatRequest, 'isStream' | 'wantsUsageFrame'>,
  ) {
    this.chatFrames = new ChatFrames(translator, (chunk) => this.isShown(chunk));
  }

  get limits(): ConsumerHost['limits'] {
    return this.host.limits;
  }

  frames(bytes: Buffer, hasAnswer: boolean): void {
    const frames = this.chatFrames.of(bytes);
    if (frames !== '') this.host.frames(Buffer.from(frames), hasAnswer);
  }

  complete(answer: CompleteAnswer): void {
    const bytes = Buffer.from(this.request.isStream ? this.rest(answer) : this.whole(answer));
    this.host.complete({ ...answer, bytes });
  }

  fail(failure: TargetFailure): void {
    this.host.fail(failure);
  }

  expectWithin(ms: number, onSilence: () => void): void {
    this.host.expectWithin(ms, onSilence);
  }

  private rest({ bytes, usage }: CompleteAnswer): string {
    const frames = this.chatFrames.of(bytes);
    const isOwed = this.request.wantsUsageFrame && !this.hasUsage;
    const counted = { object: 'chat.completion.chunk', choices: [], usage: toUsageJson(usage) };
    return `${frames}${isOwed ? toFrame(counted) : ''}data: [DONE]\n\n`;
  }

  private whole({ bytes, usage }: CompleteAnswer): string {
    const answer = parsePlainJson(bytes);
    const completion = isJsonObject(answer) ? this.translator.whole(answer) : {};
    return JSON.stringify({ ...completion, usage: completion['usage'] ?? toUsageJson(usage) });
  }

  private isShown({ usage }: Json): boolean {
    if (usage === undefined) return true;
    this.hasUsage = true;
    return this.request.wantsUsageFrame;
  }
}

const toFrame = (chunk: Json): string => `data: ${JSON.stringify(chunk)}\n\n`;
