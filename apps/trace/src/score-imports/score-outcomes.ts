import type { LangfuseEventsResultDto, ScoreImportResultDto } from '@hone/contracts';
import { type DomainError, statusOf } from '@hone/platform';
import { HttpStatus } from '@nestjs/common';

import type { SentEvent } from './forms/langfuse-events.js';

const MAX_REASONS = 20;
const MAX_EXAMPLE = 128;

/** What became of the scores of a request. */
export class ScoreOutcomes {
  /** Why scores were rejected, for each its name, a sentence and a status of HTTP. */
  readonly errors: { readonly name: string; readonly reason: string; readonly status: number }[] = [];
  /** What a request with one score alone is refused with. Undefined: all were taken, or the body is wrong. */
  refusal: DomainError | undefined;
  private readonly counts = { created: 0, updated: 0, unchanged: 0 };
  private readonly reasons = new Map<string, { count: number; example: string }>();

  count(outcome: 'created' | 'updated' | 'unchanged'): void {
    this.counts[outcome]++;
  }

  /** @param name of the score, its id if it has one. @returns no scores */
  reject(reason: string, name: string, refusal?: DomainError): [] {
    const known = this.reasons.get(reason);
    if (known) known.count++;
    else this.reasons.set(reason, { count: 1, example: name.slice(0, MAX_EXAMPLE).toWellFormed() });
    this.errors.push({ name, reason, status: refusal ? statusOf(refusal.kind) : HttpStatus.BAD_REQUEST });
    this.refusal ??= refusal;
    return [];
  }

  toResult(): ScoreImportResultDto {
    const rejected = [...this.reasons].map(([reason, found]) => ({ reason, ...found }));
    return { ...this.counts, rejected: rejected.sort((a, b) => b.count - a.count).slice(0, MAX_REASONS) };
  }
}

/** What became of events, each by its own id. @param outcomes of the scores that they made, where these were some */
export function toEventsResult(events: readonly SentEvent[], outcomes: ScoreOutcomes): LangfuseEventsResultDto {
  const byName = new Map(outcomes.errors.map((error) => [error.name, error]));
  const result: LangfuseEventsResultDto = { successes: [], errors: [] };
  for (const { id, score, problem } of events) {
    const error = problem === null ? byName.get(score?.id ?? '') : { status: HttpStatus.BAD_REQUEST, reason: problem };
    if (error) result.errors.push({ id, status: error.status, message: error.reason });
    else result.successes.push({ id, status: HttpStatus.CREATED });
  }
  return result;
}
