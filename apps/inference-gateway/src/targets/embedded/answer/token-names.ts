import type { ModelTokenizer, PromptTokenReport, TokenLogProbability, TokenReport } from '@hone/engine';

interface NamedToken {
  /** Text of the token, with U+FFFD for a part of a character; or `token_id:<n>`. */
  readonly token: string;
  readonly logprob: number;
  /** UTF-8. */
  readonly bytes: readonly number[];
}

/** Formats tokens and their log-probabilities. */
export class TokenNames {
  /** @param asIds `token_id:<n>` instead of texts */
  constructor(
    private readonly tokenizer: ModelTokenizer,
    private readonly asIds: boolean,
  ) {}

  /** `choices[].logprobs`; null where there are no log-probabilities. */
  logprobs(reports: readonly TokenReport[] | null): object | null {
    if (reports === null) return null;
    return {
      content: reports.map((report) => ({
        ...this.named(report),
        top_logprobs: report.top.map((token) => this.named(token)),
      })),
    };
  }

  /** `prompt_logprobs`: token id -> log-probability, rank and text; null for the first token. */
  promptLogprobs(reports: readonly (PromptTokenReport | null)[]): (object | null)[] {
    return reports.map((report) => {
      if (report === null) return null;
      const ranked = report.top.map((token, index) => this.ranked(token, index + 1));
      return Object.fromEntries([...ranked, this.ranked(report, report.rank)]);
    });
  }

  /** Text of each token. */
  texts(ids: readonly number[]): string[] {
    return ids.map((id) => this.tokenizer.tokenText(id));
  }

  private named({ id, logProbability }: TokenLogProbability): NamedToken {
    const token = this.asIds ? `token_id:${id}` : this.tokenizer.tokenText(id);
    return { token, logprob: logProbability, bytes: Array.from(this.tokenizer.tokenBytes(id)) };
  }

  private ranked({ id, logProbability }: TokenLogProbability, rank: number): [string, object] {
    return [String(id), { logprob: logProbability, rank, decoded_token: this.tokenizer.tokenText(id) }];
  }
}
