import type { EditItem, PromptEditPlan } from '../prompt-edit.record.js';

/** Undefined: it is not known yet; null: there is none. */
export type Known = number | null | undefined;

/** What is known of the scores of a job's prompts, in the unit of its metric. */
export class SearchScores {
  private readonly scores = new Map<string, Known>();
  /** Of each candidate, the item of its edit. */
  readonly edits: readonly EditItem[];
  /** Answers that were asked for. */
  readonly asked: number;
  readonly hasOpen: boolean;

  constructor(
    private readonly plan: PromptEditPlan,
    private readonly items: readonly EditItem[],
  ) {
    this.hasOpen = items.some(isOpen);
    this.edits = items.filter(({ rowDigest }) => rowDigest === '').sort((a, b) => a.candidate - b.candidate);
    const answers = items.filter(isAnswer);
    this.asked = answers.length;
    for (const item of answers)
      this.scores.set(keyOf(item), isOpen(item) || item.state === 'done' ? undefined : this.worst);
    for (const item of items)
      if (item.scorer === plan.metric.scorer && !isOpen(item)) this.scores.set(keyOf(item), this.clamped(item.score));
  }

  /** Of an answer that failed: the worst one. */
  of(candidate: number, rowDigest: string): Known {
    return this.scores.get(keyOf({ candidate, rowDigest }));
  }

  /** The more, the better. */
  gain(candidate: number, rowDigest: string): Known {
    const score = this.of(candidate, rowDigest);
    return typeof score === 'number' && this.plan.metric.lowerIsBetter ? -score : score;
  }

  hasAsked(candidate: number, rows: readonly string[]): boolean {
    return rows.some((rowDigest) => this.scores.has(keyOf({ candidate, rowDigest })));
  }

  isKnown(candidate: number, rows: readonly string[]): boolean {
    return rows.every((rowDigest) => this.of(candidate, rowDigest) !== undefined);
  }

  /** Whether no score could be better. */
  isPerfect(candidate: number, rowDigest: string): boolean {
    const { scale, lowerIsBetter } = this.plan.metric;
    return this.of(candidate, rowDigest) === scale[lowerIsBetter ? 0 : 1];
  }

  /** Of the rows that have a score. @returns null: none has */
  mean(candidate: number, rows: readonly string[]): { rows: number; mean: number | null } {
    const scores = rows.map((row) => this.of(candidate, row)).filter((score) => typeof score === 'number');
    return { rows: scores.length, mean: meanOf(scores) };
  }

  /** Of both, on the rows on which both have a score. */
  compared(one: number, other: number, rows: readonly string[]) {
    const both = rows.filter((row) => [one, other].every((candidate) => typeof this.of(candidate, row) === 'number'));
    const means = [one, other].map((candidate) => this.mean(candidate, both).mean) as [number | null, number | null];
    const [first, second] = means;
    const gain =
      first === null || second === null ? null : (second - first) * (this.plan.metric.lowerIsBetter ? -1 : 1);
    return { rows: both.length, means, gain };
  }

  /** Answers with all their scores. */
  get evaluations(): number {
    const open = new Set(this.items.filter((item) => item.scorer > 0 && isOpen(item)).map(keyOf));
    return this.items.filter((item) => isAnswer(item) && !isOpen(item) && !open.has(keyOf(item))).length;
  }

  /** Why most of some items are not there; null: all are. */
  codeOf(isMeant: (item: EditItem) => boolean): string | null {
    const codes = this.items.filter((item) => isMeant(item) && item.code !== null).map(({ code }) => code as string);
    const count = (code: string) => codes.filter((other) => other === code).length;
    return codes.toSorted((a, b) => count(b) - count(a))[0] ?? null;
  }

  hasAnswer(candidate: number): boolean {
    return this.items.some((item) => item.candidate === candidate && isAnswer(item) && item.state === 'done');
  }

  /** Whether the scorer found the metric of any answer. */
  hasScore(candidate: number): boolean {
    const { scorer } = this.plan.metric;
    return this.items.some((item) => item.candidate === candidate && item.scorer === scorer && item.score !== null);
  }

  private get worst(): number {
    const { scale, lowerIsBetter } = this.plan.metric;
    return scale[lowerIsBetter ? 1 : 0];
  }

  private clamped(score: number | null): number | null {
    const [least, largest] = this.plan.metric.scale;
    return score === null ? null : Math.min(largest, Math.max(least, score));
  }
}

const keyOf = ({ candidate, rowDigest }: Pick<EditItem, 'candidate' | 'rowDigest'>): string =>
  `${candidate} ${rowDigest}`;

const isAnswer = ({ rowDigest, scorer }: EditItem): boolean => rowDigest !== '' && scorer === 0;

const isOpen = ({ state }: EditItem): boolean => state === 'pending' || state === 'running';

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
