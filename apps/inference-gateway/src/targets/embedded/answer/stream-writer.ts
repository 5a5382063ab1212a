import type { AnswerEvent, AnswerTokens, ChoiceEnd } from '@hone/engine';

import { type AnswerForm, finishReasonOf, newCallId } from './answer-form.js';
import type { AnswerWriter, WrittenFrames } from './answer-writer.js';
import type { UsageMeter } from './usage-meter.js';

const DONE = 'data: [DONE]\n\n';
const NO_TOKENS: AnswerTokens = { ids: [], logProbabilities: null };

type PartEvent = Exclude<AnswerEvent, { kind: 'prompt' | 'call_end' }>;

/** Writes an answer as frames of one choice each, with one role frame and one finish frame per choice. */
export class StreamWriter implements AnswerWriter {
  private readonly head: string;
  /** Calls of each choice so far. */
  private readonly calls: number[];
  /** Choices whose role frame is still to come. */
  private readonly unopened: Set<number>;
  /** Usage in frames that have no part of the answer. */
  private openingUsage = '';
  private unfinished: number;
  private last = '';

  constructor(
    private readonly form: AnswerForm,
    private readonly meter: UsageMeter,
  ) {
    this.head = JSON.stringify(form.head).slice(0, -1);
    this.calls = Array.from({ length: form.choices }, () => 0);
    this.unopened = new Set(this.calls.keys());
    this.unfinished = form.choices;
  }

  write(event: AnswerEvent): WrittenFrames | null {
    if (event.kind === 'prompt') return this.writeOpening();
    if (event.kind === 'call_end') return null;
    const frames = this.openingOf(event) + this.framesOf(event);
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

  /** Role frames tell whether a call comes first, so those of an answer with tools wait for its first part. */
  private writeOpening(): WrittenFrames | null {
    this.openingUsage = this.usageMember();
    if (this.form.mayCall && this.form.echo === '') return null;
    const frames = [...this.unopened].map((choice) => this.openingFrames(choice, ''));
    return { bytes: Buffer.from(frames.join('')), hasAnswer: this.form.echo !== '' };
  }

  /** As OpenAI has it, a choice that begins with a call has no text, not an empty one. */
  private openingOf({ kind, choice }: PartEvent): string {
    return this.unopened.has(choice) ? this.openingFrames(choice, kind === 'call' ? null : '') : '';
  }

  private openingFrames(choice: number, content: string | null): string {
    const { role, echo, promptIds, choicesHavePrompt } = this.form;
    const isFirst = this.unopened.size === this.form.choices;
    this.unopened.delete(choice);
    const ids = promptIds === null || !isFirst ? '' : `,"prompt_token_ids":[${promptIds.join()}]`;
    const own = promptIds !== null && choicesHavePrompt ? { prompt_token_ids: promptIds } : {};
    const beside = { own, top: ids, usage: this.openingUsage };
    const opening = this.frame(choice, { role, content }, NO_TOKENS, null, beside);
    return echo === '' ? opening : opening + this.frame(choice, { content: echo }, NO_TOKENS);
  }

  private framesOf(event: PartEvent): string {
    switch (event.kind) {
      case 'text':
        return this.frame(event.choice, { content: event.text }, event);
      case 'reasoning':
        // A frame all the same: whoever waits for the answer sees that it goes on.
        if (!this.form.showsReasoning) return this.frame(event.choice, {}, NO_TOKENS);
        return this.frame(event.choice, { reasoning: event.text }, event);
      case 'call':
        return this.frame(event.choice, this.callDelta(event.choice, event.name), event);
      case 'arguments':
        return this.frame(event.choice, this.argumentsDelta(event.choice, event.text), event);
      case 'finish':
        return this.frame(event.choice, {}, event, event);
    }
  }

  private callDelta(choice: number, name: string): object {
    if (this.form.usesFunctions) return { function_call: { name, arguments: '' } };
    const index = this.calls[choice] as number;
    this.calls[choice] = index + 1;
    return { tool_calls: [{ index, id: newCallId(), type: 'function', function: { name, arguments: '' } }] };
  }

  private argumentsDelta(choice: number, text: string): object {
    if (this.form.usesFunctions) return { function_call: { arguments: text } };
    return { tool_calls: [{ index: (this.calls[choice] as number) - 1, function: { arguments: text } }] };
  }

  /** @param beside more fields of the choice, and JSON after the choices */
  private frame(
    index: number,
    delta: object,
    tokens: AnswerTokens,
    end: ChoiceEnd | null = null,
    beside: { readonly own?: object; readonly top?: string; readonly usage?: string } = {},
  ): string {
    const { names, showsLogprobs, promptIds } = this.form;
    const { ids, logProbabilities } = tokens;
    const choice = {
      index,
      delta,
      logprobs: names.logprobs(showsLogprobs && ids.length > 0 ? logProbabilities : null),
      finish_reason: end && finishReasonOf(end, this.form),
      ...(end !== null && end.stopReason !== null && { stop_reason: end.stopReason }),
      ...(promptIds !== null && ids.length > 0 && { token_ids: ids }),
      ...beside.own,
    };
    const { top = '', usage = this.usageMember() } = beside;
    return `data: ${this.head},"choices":[${JSON.stringify(choice)}]${top}${usage}}\n\n`;
  }

  /** Empty: the caller did not ask for the usage in each frame. */
  private usageMember(): string {
    return this.form.continuousUsage ? `,"usage":${this.usageJson()}` : '';
  }

  private usageJson(): string {
    return JSON.stringify(this.meter.toJson());
  }
}
