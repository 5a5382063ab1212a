import type { TokenUsage } from '../../target.js';

/** Counts what an answer has taken until now. */
export class UsageMeter {
  private completionTokens = 0;
  private cachedTokens = 0;
  private isPromptRead = false;

  constructor(private readonly promptTokens: number) {}

  readPrompt(cachedTokens: number): void {
    this.isPromptRead = true;
    this.cachedTokens = cachedTokens;
  }

  add(tokens: number): void {
    this.completionTokens += tokens;
  }

  /** The prompt counts once it is read. */
  get usage(): TokenUsage {
    return {
      promptTokens: this.isPromptRead ? this.promptTokens : 0,
      completionTokens: this.completionTokens,
      cachedTokens: this.cachedTokens,
      reasoningTokens: 0,
      source: 'engine',
    };
  }

  /** `usage` of an answer. */
  toJson(): object {
    const { promptTokens, completionTokens, cachedTokens } = this.usage;
    return {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: cachedTokens },
    };
  }
}
