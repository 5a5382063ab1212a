import type { PromptSize } from '../prompt-size.js';
import type { TokenUsage } from '../target.js';

const START_TOKENS_PER_BYTE = 0.25;
/**
 * Bounds of the ratio. No tokenizer makes more than one token of a byte, and none merges this many bytes on average:
 * an upstream that reports so counts something else, such as images or a prompt of its own.
 */
const MAX_TOKENS_PER_BYTE = 1;
const MIN_TOKENS_PER_BYTE = 1 / 32;
/** Weight of one answer in the moving average of the ratio. */
const WEIGHT = 0.05;

/** Estimates prompt tokens from bytes, by the counts that the upstream reported for earlier prompts. */
export class UsageEstimate {
  private tokensPerByte = START_TOKENS_PER_BYTE;

  /** @param size of a request whose prompt tokens the upstream has reported; an outlier is ignored */
  learn({ textBytes, mediaTokens }: PromptSize, { promptTokens }: TokenUsage): void {
    if (textBytes === 0 || mediaTokens > 0) return;
    const ratio = promptTokens / textBytes;
    if (ratio < MIN_TOKENS_PER_BYTE || ratio > MAX_TOKENS_PER_BYTE) return;
    this.tokensPerByte += WEIGHT * (ratio - this.tokensPerByte);
  }

  /** @param tokenFrames frames of the answer with text */
  of({ textBytes, mediaTokens }: PromptSize, tokenFrames: number): TokenUsage {
    return {
      promptTokens: Math.ceil(textBytes * this.tokensPerByte) + mediaTokens,
      completionTokens: tokenFrames,
      cachedTokens: 0,
      reasoningTokens: 0,
      source: 'estimated',
    };
  }
}
