import type { BadWords } from './bad-words.js';
import { likeliestToken } from './likeliest.js';
import { applyPenalties, hasPenalties } from './penalties.js';
import { uniformAt } from './philox.js';
import { GREEDY_BELOW, type SamplingSettings } from './sampling-settings.js';
import { TokenDraw } from './token-draw.js';
import { TokenHistory } from './token-history.js';
import { allows, applyMask, type TokenMask, toTokenMask } from './token-mask.js';

/** Memory that all choices of a vocabulary share: one is sampled at a time. */
export class SamplingBuffers {
  readonly scores: Float32Array;
  readonly draw: TokenDraw;

  constructor(readonly vocabSize: number) {
    this.scores = new Float32Array(vocabSize);
    this.draw = new TokenDraw(vocabSize);
  }
}

/**
 * Chooses the tokens of one choice. The order is vLLM's: constraint, allowed tokens, bad words, minimum length,
 * bias, penalties; then temperature, min_p, top_k, top_p.
 */
export class TokenSampler {
  private readonly history: TokenHistory;
  private readonly allowed: TokenMask | null;
  private readonly adjusts: boolean;
  /** Whether it chooses the likeliest allowed token (greedy decoding). */
  readonly isGreedy: boolean;
  private generated = 0;
  private badWordState: number;

  /**
   * @param endIds tokens that end the answer: they wait for `minTokens`
   * @param badWords null: none
   */
  constructor(
    private readonly settings: SamplingSettings,
    private readonly buffers: SamplingBuffers,
    prompt: readonly number[],
    private readonly endIds: readonly number[],
    private readonly badWords: BadWords | null,
  ) {
    const { allowedTokenIds, logitBias, minTokens } = settings;
    this.history = new TokenHistory(prompt);
    this.allowed = allowedTokenIds && toTokenMask(allowedTokenIds, buffers.vocabSize);
    this.badWordState = badWords?.start ?? 0;
    this.isGreedy = settings.temperature < GREEDY_BELOW;
    this.adjusts =
      this.allowed !== null || badWords !== null || logitBias.size > 0 || minTokens > 0 || hasPenalties(settings);
  }

  /**
   * @param logProbabilities raw ones of the next token `[vocabSize]`; left as they are
   * @param logPartition added to them it gives the logits
   * @param mask what a constraint allows; null: everything
   * @returns a token id, or -1 when no token is left
   */
  sample(logProbabilities: Float32Array, logPartition: number, mask: TokenMask | null): number {
    const touched = this.adjusts || mask !== null;
    const scores = touched ? this.adjust(logProbabilities, logPartition, mask) : logProbabilities;
    const id = this.isGreedy
      ? likeliestToken(scores)
      : this.buffers.draw.draw(scores, this.settings, uniformAt(this.settings.seed, this.generated));
    // A constraint that allows the end token only overrides the minimum length.
    return id === -1 && mask !== null ? (this.endIds.find((end) => allows(mask, end)) ?? -1) : id;
  }

  /** Adds the sampled token to the history of the penalties. */
  accept(id: number): void {
    this.generated += 1;
    this.history.add(id);
    if (this.badWords !== null) this.badWordState = this.badWords.after(this.badWordState, id);
  }

  private adjust(logProbabilities: Float32Array, logPartition: number, mask: TokenMask | null): Float32Array {
    const { scores } = this.buffers;
    const { minTokens, logitBias, repetitionPenalty } = this.settings;
    const forbid = (ids: readonly number[]) => ids.forEach((id) => (scores[id] = -Infinity));
    scores.set(logProbabilities);
    // All other steps give the same for logits and for log-probabilities.
    if (repetitionPenalty !== 1) for (let id = 0; id < scores.length; id += 1) scores[id] = scores[id]! + logPartition;
    if (mask !== null) applyMask(scores, mask);
    if (this.allowed !== null) applyMask(scores, this.allowed);
    if (this.badWords !== null) forbid(this.badWords.bannedIn(this.badWordState));
    if (this.generated < minTokens) forbid(this.endIds);
    for (const [id, bias] of logitBias) scores[id] = (scores[id] ?? 0) + bias;
    if (hasPenalties(this.settings)) applyPenalties(scores, this.settings, this.history);
    return scores;
  }
}
