import type { ScoreImportResultDto } from '@hone/contracts';
import type { DomainError } from '@hone/platform';

const MAX_REASONS = 20;
const MAX_EXAMPLE = 128;

/** What became of the scores of a request. */
export class ScoreOutcomes {
  /** Why scores were rejected, one sentence for each. */
  readonly errors: string[] = [];
  /** What a request with one score alone is refused with. Undefined: all were taken, or the body is wrong. */
  refusal: DomainError | undefined;
  private readonly counts = { created: 0, updated: 0, unchanged: 0 };
  private readonly reasons = new Map<string, { count: number; example: string }>();

  count(outcome: 'created' | 'updated' | 'unchanged'): void {
    this.counts[outcome]++;
  }

  /** @param example names the score. @returns no scores */
  reject(reason: string, example: string, refusal?: DomainError): [] {
    const known = this.reasons.get(reason);
    if (known) known.count++;
    else this.reasons.set(reason, { count: 1, example: example.slice(0, MAX_EXAMPLE).toWellFormed() });
    this.errors.push(reason);
    this.refusal ??= refusal;
    return [];
  }

  toResult(): ScoreImportResultDto {
    const rejected = [...this.reasons].map(([reason, found]) => ({ reason, ...found }));
    return { ...this.counts, rejected: rejected.sort((a, b) => b.count - a.count).slice(0, MAX_REASONS) };
  }
}
