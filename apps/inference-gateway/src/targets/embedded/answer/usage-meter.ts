import type { TokenUsage } from '../../target.js';
import { toUsageJson } from '../../usage-json.js';

/** Counts the tokens of an answer so far. */
export class UsageMeter {
  private completionTokens = 0;
  private reasoningTokens = 0;
  private cachedTokens = 0;
  private isPromptRead = false;

  constructor(private readonly promptTokens: number) {}

  readPrompt(cachedTokens: number): void {
    this.isPromptRead = true;
    this.cachedTokens = cachedTokens;
  }

  /** @param isReasoning they are among the completion's all the same */
  add(tokens: number, isReasoning: boolean): void {
    this.completionTokens += tokens;
    if (isReasoning) this.reasoningTokens += tokens;
  }

  /** Prompt tokens count after prefill. */
  get usage(): TokenUsage {
    return {
      promptTokens: this.isPromptRead ? this.promptTokens : 0,
      completionTokens: this.completionTokens,
      cachedTokens: this.cachedTokens,
      reasoningTokens: this.reasoningTokens,
      source: 'engine',
    };
  }

  /** `usage` of an answer. */
  toJson(): object {
    return toUsageJson(this.usage);
  }
}
