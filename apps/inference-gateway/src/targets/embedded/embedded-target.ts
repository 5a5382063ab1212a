import type { Capability } from '@hone/contracts';
import {
  type AnswerEvents,
  type CheckpointChoice,
  type ConstraintProbe,
  generateAnswer,
  type GenerationRequest,
} from '@hone/engine';

import { CHAT, type Endpoint } from '../../shared/endpoint.js';
import { TokenCollector } from '../../shared/kept-tokens.js';
import {
  type AnswerReader,
  type Attempt,
  type ChatRequest,
  OWN,
  type Refusal,
  type RunningAttempt,
  type Target,
} from '../target.js';
import type { AnswerForm } from './answer/answer-form.js';
import { fingerprintOf } from './answer/answer-head.js';
import { BodyWriter } from './answer/body-writer.js';
import { StreamWriter } from './answer/stream-writer.js';
import { TokenNames } from './answer/token-names.js';
import { UsageMeter } from './answer/usage-meter.js';
import { EmbeddedAttempt } from './embedded-attempt.js';
import type { EmbeddedBase } from './embedded-base.js';
import { failedAttempt } from './engine-failure.js';
import { PromptsAttempt } from './prompts-attempt.js';
import { toSinglePrompts } from './request/completion-fields.js';
import { checkConstraints } from './request/constraint-check.js';
import { answerRole, echoedText } from './request/conversation.js';
import { effectiveFields, usesFunctions } from './request/effective-fields.js';
import { type PreparedRequest, prepareRequest } from './request/prepared-request.js';
import { encodeAnyPrompt } from './request/prompt.js';
import { RefusedRequest } from './request/request-issue.js';
import { unsupportedFields } from './request/unsupported-fields.js';

/** What each base model answers. */
export const GENERATES: ReadonlySet<Endpoint> = new Set([CHAT, 'completions']);

/** A base model of the embedded engine, or a checkpoint of it, as a target of the gateway. */
export class EmbeddedTarget implements Target {
  readonly model: string;
  readonly owner = OWN;
  readonly endpoints = GENERATES;
  readonly contextLength: number;
  readonly capabilities: ReadonlySet<Capability>;
  private readonly fingerprint: string;
  /** A request is prepared once for all its checks and attempts. */
  private readonly prepared = new WeakMap<ChatRequest, PreparedRequest>();
  private readonly parts = new WeakMap<ChatRequest, readonly ChatRequest[]>();

  /**
   * @param checkpoint pinned for all of this target's answers; null: the base model itself
   * @param trainedName `model` of its answers; null: the base model. Rollouts on a trained model are training data, so
   *   each choice has all fields that training needs
   */
  constructor(
    private readonly base: EmbeddedBase,
    private readonly constraints: ConstraintProbe,
    private readonly checkpoint: CheckpointChoice | null,
    readonly upstream: string,
    private readonly trainedName: string | null = null,
  ) {
    this.model = base.id;
    this.contextLength = base.info.contextLength;
    const tools: Capability[] = base.toolCallForm === null ? [] : ['tools'];
    this.capabilities = new Set([...tools, 'structured', 'prefill', 'logprobs']);
    this.fingerprint = fingerprintOf(base.digest, checkpoint);
  }

  /** Whether the files of the base model have changed since: its next request opens it again. */
  get isOutdated(): boolean {
    return this.base.isOutdated;
  }

  unsupported(request: ChatRequest): readonly string[] {
    const unsupported = unsupportedFields(effectiveFields(request), this.base);
    return usesFunctions(request.fields)
      ? unsupported.map((name) => (name === 'tools' ? 'functions' : name))
      : unsupported;
  }

  /**
   * Validates whether the model can honour a request, before limits are reserved.
   *
   * @returns null: it can honour the request
   */
  async check(request: ChatRequest): Promise<Refusal | null> {
    try {
      for (const part of this.partsOf(request)) {
        const { issues, request: prepared } = await checkConstraints(this.prepare(part), this.constraints);
        if (issues.length > 0) return { status: 422, issues };
        this.prepared.set(part, prepared);
      }
      return null;
    } catch (error) {
      if (error instanceof RefusedRequest) return error.refusal;
      throw error;
    }
  }

  warnings(request: ChatRequest): readonly string[] {
    return this.partsOf(request).flatMap((part) => this.prepared.get(part)?.warnings ?? []);
  }

  async countTokens(request: ChatRequest): Promise<number | Refusal> {
    try {
      return encodeAnyPrompt(effectiveFields(request), this.base).length;
    } catch (error) {
      if (error instanceof RefusedRequest) return error.refusal;
      throw error;
    }
  }

  dispatch({ request }: Attempt, reader: AnswerReader): RunningAttempt {
    const parts = this.partsOf(request);
    const [only] = parts;
    if (parts.length === 1) return this.answerOne(only as ChatRequest, reader);
    return new PromptsAttempt(parts.length, (at, own) => this.answerOne(parts[at] as ChatRequest, own), reader);
  }

  private answerOne(request: ChatRequest, reader: AnswerReader): RunningAttempt {
    try {
      const prepared = this.prepare(request);
      const abortion = new AbortController();
      const form = this.answerForm(request, prepared);
      const meter = new UsageMeter(prepared.generation.promptIds.length);
      const writer = request.isStream ? new StreamWriter(form, meter) : new BodyWriter(form, meter);
      const { promptIds } = prepared.generation;
      const tokens = request.keepsTokens ? new TokenCollector(request.choices, promptIds) : null;
      const parts = { writer, meter, tokens };
      return new EmbeddedAttempt(this.answer(prepared, abortion.signal), parts, reader, abortion);
    } catch (error) {
      return failedAttempt(error, reader);
    }
  }

  private answer(prepared: PreparedRequest, signal: AbortSignal): AnswerEvents {
    const { engine, model, name } = this.base;
    const weights = { base: name, checkpoint: this.checkpoint };
    const generate = (request: GenerationRequest) => engine.generate(weights, request, signal);
    return generateAnswer(model, generate, prepared);
  }

  private answerForm(request: ChatRequest, prepared: PreparedRequest): AnswerForm {
    const { fields, generation, tools } = prepared;
    return {
      head: {
        id: `chatcmpl-${request.rid}`,
        object: request.isStream ? 'chat.completion.chunk' : 'chat.completion',
        created: Math.floor(Date.now() / 1_000),
        model: this.trainedName ?? this.model,
        system_fingerprint: this.fingerprint,
      },
      choices: request.choices,
      role: answerRole(fields),
      echo: request.endpoint === CHAT ? echoedText(fields) : '',
      names: new TokenNames(this.base.model.tokenizer, fields.return_tokens_as_token_ids === true),
      showsReasoning: fields.include_reasoning !== false,
      showsLogprobs: fields.logprobs === true,
      promptIds: fields.return_token_ids === true ? generation.promptIds : null,
      echoedIds: request.endpoint !== CHAT && request.fields['echo'] === true ? generation.promptIds : null,

      choicesHavePrompt: this.trainedName !== null,
      mayCall: tools !== null,
      usesFunctions: prepared.usesFunctions,
      usageFrame: request.wantsUsageFrame,
      continuousUsage: fields.stream_options?.continuous_usage_stats === true,
    };
  }

  /** The same request for each of its prompts; a chat has one. */
  private partsOf(request: ChatRequest): readonly ChatRequest[] {
    if (request.endpoint === CHAT) return [request];
    const known = this.parts.get(request);
    if (known !== undefined) return known;
    const parts = toSinglePrompts(request);
    this.parts.set(request, parts);
    return parts;
  }

  private prepare(request: ChatRequest): PreparedRequest {
    const known = this.prepared.get(request);
    if (known !== undefined) return known;
    const prepared = prepareRequest(request, this.base);
    this.prepared.set(request, prepared);
    return prepared;
  }
}
