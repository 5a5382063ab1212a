import type { AnswerEvent, AnswerEvents } from '@hone/engine';

import type { TokenCollector } from '../../shared/kept-tokens.js';
import type { AnswerReader, RunningAttempt, TokenUsage } from '../target.js';
import type { AnswerWriter } from './answer/answer-writer.js';
import type { UsageMeter } from './answer/usage-meter.js';
import { toTargetFailure } from './engine-failure.js';
import { PauseGate } from './pause-gate.js';

/** What becomes of the events of an answer. */
export interface AnswerParts {
  readonly writer: AnswerWriter;
  readonly meter: UsageMeter;
  /** Null: nobody keeps them. */
  readonly tokens: TokenCollector | null;
}

/** A running attempt at the embedded engine. */
export class EmbeddedAttempt implements RunningAttempt {
  private readonly gate = new PauseGate();
  private readonly finishReasons: string[] = [];
  private isAborted = false;

  /**
   * @param abortion ends the generation behind `events`
   */
  constructor(
    private readonly events: AnswerEvents,
    private readonly parts: AnswerParts,
    private readonly reader: AnswerReader,
    private readonly abortion: AbortController,
  ) {
    // The reader gets no call before `dispatch` has returned.
    queueMicrotask(() => void this.run());
  }

  /** Backpressure: about a thousand events are buffered, then the engine pauses too. */
  pause(): void {
    this.gate.close();
  }

  resume(): void {
    this.gate.open();
  }

  abort(): void {
    this.isAborted = true;
    this.abortion.abort(new Error('The attempt was aborted.'));
    this.gate.open();
  }

  produced(): TokenUsage {
    return this.parts.meter.usage;
  }

  private async run(): Promise<void> {
    try {
      for await (const event of this.events) {
        await this.gate.pass();
        if (this.isAborted) return;
        this.pass(event);
      }
      await this.gate.pass();
      if (this.isAborted) return;
      const { writer, meter, tokens } = this.parts;
      const bytes = writer.end();
      const { finishReasons } = this;
      const kept = tokens && { tokens: tokens.kept };
      this.reader.onComplete({ bytes, usage: meter.usage, oddities: [], finishReasons, ...kept });
    } catch (error) {
      // A failure of one choice ends the others.
      this.abortion.abort(new Error('The attempt failed.'));
      if (!this.isAborted) this.reader.onFailure(toTargetFailure(error));
    }
  }

  private pass(event: AnswerEvent): void {
    const { writer, meter, tokens } = this.parts;
    if (event.kind === 'prompt') meter.readPrompt(event.cachedTokens);
    else {
      meter.add(event.ids.length, event.kind === 'reasoning');
      tokens?.addIds(event.choice, event.ids);
      tokens?.addLogprobs(event.choice, event.logProbabilities?.map(({ logProbability }) => logProbability) ?? []);
    }
    if (event.kind === 'finish') this.finishReasons[event.choice] = event.finishReason;
    const frames = writer.write(event);
    if (frames !== null) this.reader.onFrames(frames.bytes, frames.hasAnswer);
  }
}
