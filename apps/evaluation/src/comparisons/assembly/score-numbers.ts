import { isJsonObject, type JsonValue } from '@hone/contracts';

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
