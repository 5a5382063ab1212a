import type { GenerationEvent } from '../../decode/batch/generation-event.js';
import { type GenerationRequest, PLAIN_ENDING } from '../../decode/batch/generation-request.js';
import type { SamplingSettings } from '../../decode/sampling/sampling-settings.js';
import type { AnswerTokens, PromptRead } from '../answer-event.js';
import { TokenBuffer } from '../token-buffer.js';

/** Starts one generation; `ServingEngine.generate` for one model. */
export type Generate = (request: GenerationRequest) => AsyncGenerator<GenerationEvent, void, undefined>;

type Changes = Partial<Omit<GenerationRequest, 'sampling'>> & { readonly sampling?: Partial<SamplingSettings> };

/** Seeds of the stages of one answer lie far apart; 2^64 divided by the golden ratio, as in SplitMix64. */
const SEED_STEP = 0x9e3779b97f4a7c15n;

/**
 * Generates one answer in stages. Each stage continues where the previous one ended, with its own sampling and
 * constraint. The prompt of a later stage contains the answer so far, which the engine's prefix cache holds.
 */
export class ToolStages {
  /** Tokens of the answer that belong to no event yet. */
  readonly buffer: TokenBuffer;
  /** The prompt's event; null until prefill is done. */
  prompt: PromptRead | null = null;
  private ids: number[] = [];
  private used = 0;
  private stage = 0;

  /**
   * @param request the caller's request for the whole answer
   * @param maxTokens of the answer
   * @param index of the choice
   */
  constructor(
    private readonly generate: Generate,
    private readonly request: GenerationRequest,
    private readonly maxTokens: number,
    private readonly index: number,
  ) {
    this.buffer = new TokenBuffer(request.topLogProbabilities !== null);
  }

  get hasRoom(): boolean {
    return this.used < this.maxTokens;
  }

  get lastId(): number | undefined {
    return this.ids.at(-1);
  }

  /** Runs the next stage. The caller keeps tokens with {@link take}; requires {@link hasRoom}. */
  async *run({ sampling, ...changes }: Changes): ReturnType<Generate> {
    const { request } = this;
    const isFirst = this.stage === 0;
    const seed = request.sampling.seed + BigInt(this.index) + BigInt(this.stage++) * SEED_STEP;
    const room = this.maxTokens - this.used;
    const events = this.generate({
      ...request,
      constraint: null,
      ...changes,
      choices: 1,
      promptIds: [...request.promptIds, ...this.ids],
      promptLogProbabilities: isFirst ? request.promptLogProbabilities : null,
      maxTokens: Math.min(changes.maxTokens ?? room, room),
      sampling: { ...request.sampling, ...sampling, seed },
    });
    for await (const event of events) {
      if (event.kind === 'prompt' && isFirst) {
        this.prompt = { kind: 'prompt', cachedTokens: event.cachedTokens, logProbabilities: event.logProbabilities };
      }
      yield event;
    }
  }

  take(tokens: AnswerTokens): void {
    this.ids.push(...tokens.ids);
    this.used += tokens.ids.length;
    this.buffer.add(tokens);
  }

  /** Discards the answer so far, so that the next stage starts from the prompt. */
  reset(): void {
    this.ids = [];
    this.used = 0;
    this.buffer.take();
  }

  /** Replaces the answer's ids for the next prompt: a text cut within a token is encoded anew. */
  replaceIds(ids: readonly number[]): void {
    this.ids = [...ids];
  }

  /**
   * Samples one of the allowed tokens. It frames a call and is no part of the text: bad words, `min_tokens` and stop
   * strings do not apply.
   *
   * @returns null when the token limit is reached
   */
  async step(allowed: readonly number[]): Promise<number | null> {
    if (!this.hasRoom) return null;
    const sampling = { allowedTokenIds: allowed, badWords: [], minTokens: 0 };
    for await (const event of this.run({ maxTokens: 1, sampling, ending: PLAIN_ENDING })) {
      if (event.kind === 'text') this.take(event);
    }
    return this.lastId ?? null;
  }

  /** Appends exactly these tokens. @returns false when the token limit is reached before the last of them */
  async force(ids: readonly number[]): Promise<boolean> {
    for (const id of ids) if ((await this.step([id])) === null) return false;
    return true;
  }
}
