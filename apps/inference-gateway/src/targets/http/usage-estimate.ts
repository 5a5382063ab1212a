import type { TokenUsage } from '../target.js';

const START_TOKENS_PER_BYTE = 0.25;
/** Weight of one answer in the moving average of the ratio. */
const WEIGHT = 0.05;

/** Estimates prompt tokens from bytes, by the counts that the upstream reported for earlier prompts. */
export class UsageEstimate {
  private tokensPerByte = START_TOKENS_PER_BYTE;

  /** @param bytes size of a request whose prompt tokens the upstream has reported */
  learn(bytes: number, { promptTokens }: TokenUsage): void {
    if (bytes === 0 || promptTokens === 0) return;
    this.tokensPerByte += WEIGHT * (promptTokens / bytes - this.tokensPerByte);
  }

  /** @param tokenFrames frames of the answer with text */
  of(bytes: number, tokenFrames: number): TokenUsage {
    return {
      promptTokens: Math.ceil(bytes * this.tokensPerByte),
      completionTokens: tokenFrames,
      cachedTokens: 0,
      reasoningTokens: 0,
      source: 'estimated',
    };
  }
}
