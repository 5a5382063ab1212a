import { isJsonObject, type JsonValue, PAIRWISE_WIN } from '@hone/contracts';

/** Levels of objects within a score that are looked into. */
const MAX_LEVELS = 8;
/** Numbers beyond these have squares that no double holds, or are no measurement. */
const MAX_NUMBER = 1e12;

/**
 * What a prediction's scores say, by the names of metrics: `scores.<name>`, or `scores.<name>.<path>` for what is within
 * an object. True is 1 and false 0.
 *
 * @param found is called for each leaf, with null where it is no number, such as text or a list; null itself says nothing
 */
export function eachScore(scores: unknown, found: (metric: string, value: number | null) => void): void {
  if (isJsonObject(scores)) walk(scores, SCORES, 1, found);
}

/**
 * What judges found that compared a prediction's answer with that of a run: 1, 0.5 or 0, by the names of their scores.
 *
 * @param baseline id of the run
 */
export function eachWin(scores: unknown, baseline: string, found: (metric: string, win: number) => void): void {
  if (!isJsonObject(scores)) return;
  for (const [name, score] of Object.entries(scores)) {
    const win = isJsonObject(score) && score['baseline'] === baseline ? toNumber(score[PAIRWISE_WIN]) : null;
    if (win !== null && win >= 0 && win <= 1) found(scoreMetric(name), win);
  }
}

/** The metric of a score. */
export const scoreMetric = (name: string): string => within(SCORES, name);

const SCORES = 'scores';
/** As fields of calls are named: `\\.` is a dot within a part. */
const within = (prefix: string, key: string): string => `${prefix}.${key.replaceAll('.', '\\.')}`;

function walk(
  of: Readonly<Record<string, JsonValue | undefined>>,
  prefix: string,
  level: number,
  found: (metric: string, value: number | null) => void,
): void {
  for (const key of Object.keys(of)) {
    const value = of[key];
    const name = within(prefix, key);
    if (isJsonObject(value)) {
      if (level < MAX_LEVELS) walk(value, name, level + 1, found);
    } else if (value !== null && value !== undefined) found(name, toNumber(value));
  }
}

/** Null: it is no number that can be averaged. */
export function toNumber(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' && Math.abs(value) <= MAX_NUMBER ? value : null;
}

/** Whether a name of a body means a metric: the metric itself, or a score that it is within. */
export const covers = (name: string, metric: string): boolean => metric === name || metric.startsWith(`${name}.`);
