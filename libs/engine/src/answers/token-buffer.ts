import type { TokenReport } from '../decode/batch/generation-event.js';
import type { AnswerTokens } from './answer-event.js';

/** Buffers tokens until the next event takes them. */
export class TokenBuffer {
  private ids: number[] = [];
  private reports: TokenReport[] = [];

  /** @param hasReports log-probabilities were asked for */
  constructor(readonly hasReports: boolean) {}

  add({ ids, logProbabilities }: AnswerTokens): void {
    this.ids.push(...ids);
    this.reports.push(...(logProbabilities ?? []));
  }

  take(): AnswerTokens {
    const { ids, reports } = this;
    this.ids = [];
    this.reports = [];
    return { ids, logProbabilities: this.hasReports ? reports : null };
  }
}
