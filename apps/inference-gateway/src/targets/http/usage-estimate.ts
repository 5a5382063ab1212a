import type { TokenUsage } from '../target.js';

const START_TOKENS_PER_BYTE = 0.25;
/** How much one answer moves the ratio. */
const WEIGHT = 0.05;

/** Estimates prompts in tokens by their bytes, from what an upstream counted for earlier ones. */
export class UsageEstimate {
  private tokensPerByte = START_TOKENS_PER_BYTE;

  /** @param bytes of the request whose prompt the upstream has counted */
  learn(bytes: number, { promptTokens }: TokenUsage): void {
    if (bytes === 0 || promptTokens === 0) return;
    this.tokensPerByte += WEIGHT * (promptTokens / bytes - this.tokensPerByte);
  }

  /** @param tokenFrames frames of the answer that carried text */
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
