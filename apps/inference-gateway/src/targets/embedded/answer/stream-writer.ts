import type { AnswerEvent, AnswerTokens, CallPart, ChoiceEnd } from '@hone/engine';

import { type AnswerForm, toToolCall } from './answer-form.js';
import type { AnswerWriter, WrittenFrames } from './answer-writer.js';
import type { UsageMeter } from './usage-meter.js';

const DONE = 'data: [DONE]\n\n';
const NO_TOKENS: AnswerTokens = { ids: [], logProbabilities: null };

/** Writes an answer as frames of one choice each, with one role frame and one finish frame per choice. */
export class StreamWriter implements AnswerWriter {
  private readonly head: string;
  private readonly calls: number[];
  private unfinished: number;
  private last = '';

  constructor(
    private readonly form: AnswerForm,
    private readonly meter: UsageMeter,
  ) {
    this.head = JSON.stringify(form.head).slice(0, -1);
    this.calls = Array.from({ length: form.choices }, () => 0);
    this.unfinished = form.choices;
  }

  write(event: AnswerEvent): WrittenFrames | null {
    if (event.kind === 'prompt') {
      const frames = this.openingFrames();
      return { bytes: Buffer.from(frames), hasAnswer: this.form.echo !== '' };
    }
    const frames = this.framesOf(event);
    if (event.kind === 'finish' && --this.unfinished === 0) {
      this.last = frames;
      return null;
    }
    return { bytes: Buffer.from(frames), hasAnswer: true };
  }

  /** The frame that finishes the last choice, the usage frame, and `[DONE]`. */
  end(): Buffer {
    const usage = this.form.usageFrame ? `data: ${this.head},"choices":[],"usage":${this.usageJson()}}\n\n` : '';
    return Buffer.from(this.last + usage + DONE);
  }

  private framesOf(event: Exclude<AnswerEvent, { kind: 'prompt' }>): string {
    switch (event.kind) {
      case 'text':
        return this.frame(event.choice, { content: event.text }, event);
      case 'call':
        return this.callFrames(event);
      case 'finish':
        return this.frame(event.choice, {}, event, event);
    }
  }

  private openingFrames(): string {
    const { role, echo, promptIds, choicesHavePrompt } = this.form;
    const ids = promptIds === null ? '' : `,"prompt_token_ids":[${promptIds.join()}]`;
    const own = promptIds !== null && choicesHavePrompt ? { prompt_token_ids: promptIds } : {};
    let frames = '';
    for (let choice = 0; choice < this.form.choices; choice += 1) {
      frames += this.frame(choice, { role, content: '' }, NO_TOKENS, null, { own, top: choice === 0 ? ids : '' });
      if (echo !== '') frames += this.frame(choice, { content: echo }, NO_TOKENS);
    }
    return frames;
  }

  private callFrames(call: CallPart): string {
    const index = this.calls[call.choice] as number;
    this.calls[call.choice] = index + 1;
    const { function: written, ...named } = toToolCall(call);
    const opened = { index, ...named, function: { name: written.name, arguments: '' } };
    const args = { index, function: { arguments: written.arguments } };
    return (
      this.frame(call.choice, { tool_calls: [opened] }, NO_TOKENS) +
      this.frame(call.choice, { tool_calls: [args] }, call)
    );
  }

  /** @param beside more fields of the choice, and JSON after the choices */
  private frame(
    index: number,
    delta: object,
    tokens: AnswerTokens,
    end: ChoiceEnd | null = null,
    beside: { readonly own?: object; readonly top: string } = { top: '' },
  ): string {
    const { names, showsLogprobs, promptIds, continuousUsage } = this.form;
    const { ids, logProbabilities } = tokens;
    const choice = {
      index,
      delta,
      logprobs: names.logprobs(showsLogprobs && ids.length > 0 ? logProbabilities : null),
      finish_reason: end?.finishReason ?? null,
      ...(end !== null && end.stopReason !== null && { stop_reason: end.stopReason }),
      ...(promptIds !== null && ids.length > 0 && { token_ids: ids }),
      ...beside.own,
    };
    const usage = continuousUsage ? `,"usage":${this.usageJson()}` : '';
    return `data: ${this.head},"choices":[${JSON.stringify(choice)}]${beside.top}${usage}}\n\n`;
  }

  private usageJson(): string {
    return JSON.stringify(this.meter.toJson());
  }
}
