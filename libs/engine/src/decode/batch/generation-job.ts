import { countTokens, type KeyValues } from '../cache/key-values.js';
import { BadWords } from '../sampling/bad-words.js';
import { ContextLengthError, EmptyPromptError, UnknownTokenError } from './batch.errors.js';
import { Choice } from './choice.js';
import type { GenerationEvent } from './generation-event.js';
import type { GenerationRequest } from './generation-request.js';
import type { ServedModel } from './served-model.js';

/** Receives the events of a generation. No call follows `fail` or the last finish event. */
export interface GenerationSink {
  emit(event: GenerationEvent): void;
  fail(error: Error): void;
}

/** A running request: its prompt, as far as it is prefilled, and its choices. */
export class GenerationJob {
  /** Tokens per choice. */
  readonly maxTokens: number;
  /** KV cache of the prompt, as far as it is prefilled. Emptied once no choice needs it. */
  pieces: KeyValues[] = [];
  cachedTokens = 0;
  /** Predictions after the whole prompt; null until prefill is done. */
  predictions: { logProbabilities: Float32Array; logPartition: number } | null = null;
  /** The request was aborted or has failed. */
  isOver = false;
  /** Backpressure: the reader is slow. */
  isPaused = false;
  private started = 0;
  private finished = 0;
  private readonly badWords: BadWords | null;

  /**
   * @throws EmptyPromptError
   * @throws ContextLengthError
   * @throws UnknownTokenError
   */
  constructor(
    readonly request: GenerationRequest,
    readonly model: ServedModel,
    /** Position in the order of arrival. */
    readonly arrival: number,
    private readonly sink: GenerationSink,
  ) {
    const { promptIds, maxTokens, sampling } = request;
    const { contextLength } = model.base;
    if (promptIds.length === 0) throw new EmptyPromptError();
    const room = contextLength - promptIds.length;
    if (room < 1) throw new ContextLengthError(promptIds.length, contextLength);
    this.maxTokens = Math.min(room, maxTokens ?? room);
    assertKnownTokens(request, model.base.config.vocabSize);
    this.badWords = sampling.badWords.length === 0 ? null : new BadWords(sampling.badWords, model.base.tokenizer);
  }

  get waitingChoices(): number {
    return this.request.choices - this.started;
  }

  get readTokens(): number {
    return countTokens(this.pieces);
  }

  /** Tokens that a choice's KV cache may have to hold: its last token is never an input. */
  get tokensPerChoice(): number {
    return this.request.promptIds.length + this.maxTokens - 1;
  }

  /** Equal prompts with equal scopes have equal keys and values. */
  get prefixScope(): string {
    return JSON.stringify([this.model.id, this.request.cacheSalt]);
  }

  startChoice(): Choice {
    const { request, model, badWords } = this;
    const constraint = request.constraint && model.base.constraints.create(request.constraint);
    return new Choice(this.started++, request, model.base, this.maxTokens, badWords, constraint);
  }

  emit(events: readonly GenerationEvent[]): void {
    if (this.isOver) return;
    for (const event of events) {
      this.sink.emit(event);
      if (event.kind === 'finish') this.finished += 1;
    }
    if (this.finished === this.request.choices) this.isOver = true;
  }

  fail(error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.sink.fail(error);
  }
}

function assertKnownTokens(request: GenerationRequest, vocabSize: number): void {
  const { promptIds, sampling, ending } = request;
  const fields = {
    prompt: promptIds,
    allowed_token_ids: sampling.allowedTokenIds ?? [],
    stop_token_ids: ending.stopTokenIds,
    logit_bias: [...sampling.logitBias.keys()],
  };
  for (const [field, ids] of Object.entries(fields)) {
    const unknown = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= vocabSize);
    if (unknown !== undefined) throw new UnknownTokenError(field, unknown, vocabSize);
  }
}
