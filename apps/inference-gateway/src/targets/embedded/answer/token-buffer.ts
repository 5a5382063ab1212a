import type { TokenReport } from '@hone/engine';

import type { AnswerTokens } from './answer-event.js';

/** Tokens that wait for the event that takes them along. */
export class TokenBuffer {
  private ids: number[] = [];
  private reports: TokenReport[] = [];

  /** @param hasReports log-probabilities were asked for */
  constructor(private readonly hasReports: boolean) {}

  add({ ids, logProbabilities }: AnswerTokens): void {
    this.ids.push(...ids);
    this.reports.push(...(logProbabilities ?? []));
  }

  /** Takes back the token that was added last. */
  dropLast(): void {
    this.ids.pop();
    this.reports.pop();
  }

  take(): AnswerTokens {
    const { ids, reports } = this;
    this.ids = [];
    this.reports = [];
    return { ids, logProbabilities: this.hasReports ? reports : null };
  }
}
