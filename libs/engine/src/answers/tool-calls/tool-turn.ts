import { type GenerationRequest, PLAIN_ENDING } from '../../decode/batch/generation-request.js';
import type { AnswerEvent, AnswerEvents, AnswerTokens, ChoiceEnd } from '../answer-event.js';
import { CallOpening } from './call-opening.js';
import type { ToolPlan } from './tool-plan.js';
import { type Generate, ToolStages } from './tool-stages.js';
import { WrittenCall } from './written-call.js';

/** Tokens that are generated to find out whether an answer starts with a call. */
const PEEKED_TOKENS = 8;

export interface ToolTurnOptions {
  readonly generate: Generate;
  /** The caller's request; its constraint applies to an answer without calls. */
  readonly request: GenerationRequest;
  /** Token limit of the whole answer. */
  readonly maxTokens: number;
  readonly plan: ToolPlan;
  /** Tokens that end an answer. */
  readonly endIds: readonly number[];
  readonly encode: (text: string) => readonly number[];
}

/**
 * One choice whose model may call tools, or must (tool calling, function calling). The model generates text until it
 * begins a call. A call is generated under a constraint (the schemas of the tools), so its arguments always parse once it
 * is whole, and sent as it is written. After a call the model chooses between another call and the end.
 *
 * Ours: `stop`, `stop_token_ids` and `min_tokens` do not apply to calls.
 */
export class ToolTurn {
  private readonly stages: ToolStages;
  private isPromptOut = false;

  constructor(
    private readonly options: ToolTurnOptions,
    private readonly choice: number,
  ) {
    this.stages = new ToolStages(options.generate, options.request, options.maxTokens, choice);
  }

  async *run(): AnswerEvents {
    const { plan } = this.options;
    if (plan.mustCall) {
      const isOpen = await this.stages.force(plan.form.begin);
      yield* this.promptOnce();
      if (!isOpen) return yield this.end('length');
    } else if (!(yield* this.speak())) return;
    await this.stages.force(plan.form.open);
    do {
      const isWhole = yield* this.call();
      yield* this.promptOnce();
      if (!isWhole) return yield this.end('length');
    } while (await this.opensAnother());
    yield this.end(plan.finishReason);
  }

  /** @returns true when a call begins, false when the answer has ended */
  private async *speak(): AsyncGenerator<AnswerEvent, boolean, undefined> {
    const { constraint } = this.options.request;
    if (constraint !== null) {
      const isCall = await this.peek();
      this.stages.reset();
      yield* this.promptOnce();
      if (isCall) return this.stages.force(this.options.plan.form.begin);
    }
    return yield* this.talk(constraint === null);
  }

  /** Streams text until the answer ends or a call begins. @returns true when a call begins */
  private async *talk(mayCall: boolean): AsyncGenerator<AnswerEvent, boolean, undefined> {
    const { stages } = this;
    const { request } = this.options;
    const opening = new CallOpening(mayCall && this.options.plan.form.marker === '');
    const changes = mayCall ? { ending: this.endingWithMarker() } : { constraint: request.constraint };
    let spoken = '';
    for await (const event of stages.run(changes)) {
      yield* this.promptOnce();
      if (event.kind === 'text') {
        stages.take(event);
        const text = opening.push(mayCall ? this.withoutMarker(event.text) : event.text);
        if (opening.isCall) break;
        spoken += text;
        if (text !== '') yield this.textPart(text);
      } else if (event.kind === 'finish') {
        if (mayCall && this.isMarker(event.stopReason)) return this.openAfter(spoken);
        const rest = opening.end();
        if (rest !== '') yield this.textPart(rest);
        const { finishReason, stopReason } = event;
        yield { kind: 'finish', choice: this.choice, finishReason, stopReason, ...stages.buffer.take() };
      }
    }
    if (opening.isCall) stages.reset();
    return opening.isCall;
  }

  /** Generates a few tokens without the text constraint: does the model begin with a call? */
  private async peek(): Promise<boolean> {
    const opening = new CallOpening(this.options.plan.form.marker === '');
    const ending = this.endingWithMarker();
    let text = '';
    for await (const event of this.stages.run({ ending, maxTokens: PEEKED_TOKENS, sampling: { minTokens: 0 } })) {
      if (event.kind === 'text') text += this.withoutMarker(event.text);
      if (event.kind === 'text') opening.push(event.text);
      if (event.kind === 'finish' && this.isMarker(event.stopReason)) return text.trim() === '';
      if (opening.isCall) return true;
    }
    return false;
  }

  /** Generates one call under its constraint. @returns false when the token limit cuts it off */
  private async *call(): AsyncGenerator<AnswerEvent, boolean, undefined> {
    const { stages, choice } = this;
    if (!stages.hasRoom) return false;
    const call = new WrittenCall();
    const changes = { constraint: this.options.plan.call, ending: PLAIN_ENDING, sampling: { minTokens: 0 } };
    for await (const event of stages.run({ ...changes, text: SHOWN_TEXT })) {
      yield* this.promptOnce();
      if (event.kind !== 'text') continue;
      stages.take(this.withoutEnd(event));
      const { name } = call;
      const text = call.push(event.text);
      if (name === null && call.name !== null) {
        yield { kind: 'call', choice, name: call.name, ...stages.buffer.take() };
      }
      if (text !== '') yield { kind: 'arguments', choice, text, ...stages.buffer.take() };
    }
    if (call.isWhole) yield { kind: 'call_end', choice, ids: [], logProbabilities: null };
    return call.isWhole;
  }

  /** A whole constraint allows only an end token: the model did not choose it, `opensAnother` lets it choose. */
  private withoutEnd({ ids, logProbabilities }: AnswerTokens): AnswerTokens {
    if (!this.options.endIds.includes(ids.at(-1) as number)) return { ids, logProbabilities };
    return { ids: ids.slice(0, -1), logProbabilities: logProbabilities?.slice(0, -1) ?? null };
  }

  /** Writes the frame after a call and lets the model choose between another call and the end. */
  private async opensAnother(): Promise<boolean> {
    const { stages } = this;
    const { form, mayRepeat } = this.options.plan;
    const { endIds } = this.options;
    if (!(await stages.force(form.after))) return false;
    const next = mayRepeat && form.next !== null ? form.next : [];
    const ends = form.close.length > 0 ? form.close.slice(0, 1) : endIds;
    const chosen = await stages.step([...next.slice(0, 1), ...ends]);
    if (chosen === null) return false;
    if (chosen === next[0]) {
      await stages.force(next.slice(1));
      return true;
    }
    if (form.close.length > 0 && (await stages.force(form.close.slice(1)))) await stages.step(endIds);
    return false;
  }

  private async openAfter(spoken: string): Promise<boolean> {
    const { form } = this.options.plan;
    // A marker of plain text may end within a token: the text before it is encoded anew.
    if (form.begin.length > 1) this.stages.replaceIds([...this.options.encode(spoken), ...form.begin]);
    return true;
  }

  private *promptOnce(): Generator<AnswerEvent, void, undefined> {
    if (this.isPromptOut || this.stages.prompt === null) return;
    this.isPromptOut = true;
    yield this.stages.prompt;
  }

  private endingWithMarker(): GenerationRequest['ending'] {
    const { ending } = this.options.request;
    const { begin, marker } = this.options.plan.form;
    if (begin.length === 1) return { ...ending, stopTokenIds: [...ending.stopTokenIds, ...begin] };
    return marker === '' ? ending : { ...ending, stop: [...ending.stop, marker] };
  }

  /** False when the caller set the marker itself as a stop: the answer ends there. */
  private isMarker(stopReason: string | number | null): boolean {
    const { begin, marker } = this.options.plan.form;
    const { stop, stopTokenIds } = this.options.request.ending;
    if (begin.length === 1) return stopReason === begin[0] && !stopTokenIds.includes(stopReason as number);
    return marker !== '' && stopReason === marker && !stop.includes(marker);
  }

  /** With `include_stop_str_in_output` the engine returns the marker too; callers never see it. */
  private withoutMarker(text: string): string {
    const { marker } = this.options.plan.form;
    return marker !== '' && text.endsWith(marker) ? text.slice(0, -marker.length) : text;
  }

  private textPart(text: string): AnswerEvent {
    return { kind: 'text', choice: this.choice, text, ...this.stages.buffer.take() };
  }

  private end(finishReason: ChoiceEnd['finishReason']): ChoiceEnd {
    return { kind: 'finish', choice: this.choice, finishReason, stopReason: null, ...this.stages.buffer.take() };
  }
}

const SHOWN_TEXT = { skipSpecialTokens: true, spacesBetweenSpecialTokens: true };
