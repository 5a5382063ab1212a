import type { CheckpointChoice, GenerationRequest } from '@hone/engine';

import type { AnswerReader, Attempt, Capability, ChatRequest, RunningAttempt, Target } from '../upstreams/target.js';
import type { AnswerEvents } from './answer/answer-event.js';
import type { AnswerForm } from './answer/answer-form.js';
import { fingerprintOf } from './answer/answer-head.js';
import { BodyWriter } from './answer/body-writer.js';
import { mergeAnswers } from './answer/merge-answers.js';
import { plainAnswer } from './answer/plain-answer.js';
import { StreamWriter } from './answer/stream-writer.js';
import { TokenNames } from './answer/token-names.js';
import { UsageMeter } from './answer/usage-meter.js';
import { EmbeddedAttempt } from './embedded-attempt.js';
import type { EmbeddedBase } from './embedded-base.js';
import { failedAttempt } from './failed-attempt.js';
import { answerRole, echoedText } from './request/conversation.js';
import { effectiveFields } from './request/effective-fields.js';
import { type PreparedRequest, prepareRequest } from './request/prepared-request.js';
import { RefusedRequest, type Refusal } from './request/request-issue.js';
import { unsupportedFields } from './request/unsupported-fields.js';
import { ToolTurn } from './tools/tool-turn.js';

/** A base model of the embedded engine, or a checkpoint of it, as a target of the gateway. */
export class EmbeddedTarget implements Target {
  readonly model: string;
  readonly contextLength: number;
  readonly capabilities: ReadonlySet<Capability>;
  private readonly fingerprint: string;
  /** A request is prepared once, whether it is checked, counted or dispatched, and however often. */
  private readonly prepared = new WeakMap<ChatRequest, PreparedRequest>();

  /**
   * @param checkpoint pinned for all of this target's answers; null: the base model itself
   * @param trainedName what it answers as; null: the base model. Rollouts on it are trained on, so each choice brings
   *   along all that training needs
   */
  constructor(
    private readonly base: EmbeddedBase,
    private readonly checkpoint: CheckpointChoice | null,
    readonly upstream: string,
    private readonly trainedName: string | null = null,
  ) {
    this.model = base.id;
    this.contextLength = base.info.contextLength;
    const tools: Capability[] = base.toolCallForm === null ? [] : ['tools'];
    this.capabilities = new Set([...tools, 'structured', 'prefill', 'logprobs']);
    this.fingerprint = fingerprintOf(base, checkpoint);
  }

  unsupported(request: ChatRequest): readonly string[] {
    return unsupportedFields(effectiveFields(request), this.base);
  }

  /**
   * Whether the model can do what a request asks for; to be asked before anything is spent on it.
   *
   * @returns null: it can
   */
  async check(request: ChatRequest): Promise<Refusal | null> {
    try {
      const issues = await this.base.constraints.issues(this.prepare(request));
      return issues.length > 0 ? { status: 422, issues } : null;
    } catch (error) {
      if (error instanceof RefusedRequest) return error.refusal;
      throw error;
    }
  }

  dispatch({ request }: Attempt, reader: AnswerReader): RunningAttempt {
    try {
      const prepared = this.prepare(request);
      const abortion = new AbortController();
      const form = this.answerForm(request, prepared);
      const meter = new UsageMeter(prepared.generation.promptIds.length);
      const writer = request.isStream ? new StreamWriter(form, meter) : new BodyWriter(form, meter);
      return new EmbeddedAttempt(this.answer(prepared, abortion.signal), writer, meter, reader, abortion);
    } catch (error) {
      return failedAttempt(error, reader);
    }
  }

  private answer({ generation, tools, maxTokens }: PreparedRequest, signal: AbortSignal): AnswerEvents {
    const { engine, model } = this.base;
    const weights = { base: model.directory, checkpoint: this.checkpoint };
    const generate = (request: GenerationRequest) => engine.generate(weights, request, signal);
    if (tools === null) return plainAnswer(generate(generation), generation.topLogProbabilities !== null);
    const encode = (text: string) => model.tokenizer.encode(text);
    const endIds = model.config.eosTokenIds;
    const options = { generate, request: generation, maxTokens, plan: tools, endIds, encode };
    const choices = Array.from({ length: generation.choices }, (_, index) => new ToolTurn(options, index).run());
    return mergeAnswers(choices);
  }

  private answerForm(request: ChatRequest, { fields, generation }: PreparedRequest): AnswerForm {
    return {
      head: {
        id: `chatcmpl-${request.rid}`,
        object: request.isStream ? 'chat.completion.chunk' : 'chat.completion',
        created: Math.floor(Date.now() / 1_000),
        model: this.trainedName ?? request.answerModel ?? this.model,
        system_fingerprint: this.fingerprint,
      },
      choices: request.choices,
      role: answerRole(fields),
      echo: echoedText(fields),
      names: new TokenNames(this.base.model.tokenizer, fields.return_tokens_as_token_ids === true),
      promptIds: fields.return_token_ids === true ? generation.promptIds : null,
      choicesHavePrompt: this.trainedName !== null,
      usageFrame: request.wantsUsageFrame,
      continuousUsage: fields.stream_options?.continuous_usage_stats === true,
    };
  }

  private prepare(request: ChatRequest): PreparedRequest {
    const known = this.prepared.get(request);
    if (known !== undefined) return known;
    const prepared = prepareRequest(request, this.base);
    this.prepared.set(request, prepared);
    return prepared;
  }
}
