import { isJsonObject, JsonNumber } from '@hone/client';

/** Levels of a score within which numbers are looked for. */
const MAX_LEVELS = 4;

/**
 * The numbers in the scores of a trial by their dotted names: `exact`, `judge.accuracy`. True is 1, false is 0; texts and
 * lists are no metrics.
 */
export function metricsOf(scores: unknown): ReadonlyMap<string, number> {
  const metrics = new Map<string, number>();
  collect(scores, '', 0, metrics);
  return metrics;
}

function collect(value: unknown, name: string, level: number, into: Map<string, number>): void {
  const number = toNumber(value);
  if (number !== null) into.set(name, number);
  else if (isJsonObject(value) && level < MAX_LEVELS)
    for (const [key, item] of Object.entries(value))
      collect(item, name === '' ? key : `${name}.${key}`, level + 1, into);
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = value instanceof JsonNumber ? Number(value.text) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
