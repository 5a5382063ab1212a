import type { GenerationEvent, GenerationRequest, SamplingSettings } from '@hone/engine';
import { PLAIN_ENDING } from '@hone/engine';

import type { AnswerTokens, PromptRead } from '../answer/answer-event.js';
import { TokenBuffer } from '../answer/token-buffer.js';

export type Generate = (request: GenerationRequest) => AsyncGenerator<GenerationEvent, void, undefined>;

type Changes = Partial<Omit<GenerationRequest, 'sampling'>> & { readonly sampling?: Partial<SamplingSettings> };

/** Seeds of the stages of one answer lie far apart; 2^64 divided by the golden ratio, as in SplitMix64. */
const SEED_STEP = 0x9e3779b97f4a7c15n;

/**
 * One answer that is generated in stages, each of which goes on where the one before ended, under rules of its own.
 * Prompts of later stages hold the answer so far: the engine finds nearly all of it in its cache.
 */
export class ToolStages {
  /** Tokens of the answer that no event has taken along yet. */
  readonly basket: TokenBuffer;
  /** The prompt's event, once it is there. */
  prompt: PromptRead | null = null;
  private ids: number[] = [];
  private used = 0;
  private stage = 0;

  /**
   * @param request what the whole answer is asked for
   * @param maxTokens of the answer
   * @param index of the choice
   */
  constructor(
    private readonly generate: Generate,
    private readonly request: GenerationRequest,
    private readonly maxTokens: number,
    private readonly index: number,
  ) {
    this.basket = new TokenBuffer(request.topLogProbabilities !== null);
  }

  get hasRoom(): boolean {
    return this.used < this.maxTokens;
  }

  get lastId(): number | undefined {
    return this.ids.at(-1);
  }

  /** Generates on from here; the caller says with {@link take} which tokens stay. There must be room. */
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
    this.basket.add(tokens);
  }

  /** Takes back the last token. */
  dropLast(): void {
    this.ids.pop();
    this.used -= 1;
    this.basket.dropLast();
  }

  /** Begins anew: what was generated does not count. */
  reset(): void {
    this.ids = [];
    this.used = 0;
    this.basket.take();
  }

  /** Goes on as if the answer so far had been these tokens, where the cut between two tokens would be in the way. */
  replaceIds(ids: readonly number[]): void {
    this.ids = [...ids];
  }

  /**
   * One token out of a few; null when there is no room for it. It is the frame of a call and not a part of it, so
   * nothing but these few is asked of it.
   */
  async step(allowed: readonly number[]): Promise<number | null> {
    if (!this.hasRoom) return null;
    const sampling = { allowedTokenIds: allowed, badWords: [], minTokens: 0 };
    for await (const event of this.run({ maxTokens: 1, sampling, ending: PLAIN_ENDING })) {
      if (event.kind === 'text') this.take(event);
    }
    return this.lastId ?? null;
  }

  /** Exactly these tokens. @returns false when there is no room for all of them */
  async force(ids: readonly number[]): Promise<boolean> {
    for (const id of ids) if ((await this.step([id])) === null) return false;
    return true;
  }
}
