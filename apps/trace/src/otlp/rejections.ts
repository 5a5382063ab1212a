import { ValidationError } from '@hone/platform/body-task';

/** What was not stored, and why; null: all was. */
export type Rejected = { count: number; errorMessage: string } | null;

const MAX_REASONS = 5;

/** Counts what cannot be stored, by the reason. */
export class Rejections {
  private readonly counts = new Map<string, number>();

  add(problem: string): void {
    this.counts.set(problem, (this.counts.get(problem) ?? 0) + 1);
  }

  /**
   * @param stored how many could be stored
   * @throws ValidationError none could: exporters do not say what an answer of success refuses
   */
  toResult(stored: number): Rejected {
    if (this.counts.size === 0) return null;
    const errorMessage = [...this.counts.keys()].slice(0, MAX_REASONS).join('; ');
    if (stored === 0) throw new ValidationError([{ loc: ['body'], msg: errorMessage, type: 'value_error' }]);
    return { count: [...this.counts.values()].reduce((sum, count) => sum + count, 0), errorMessage };
  }
}
