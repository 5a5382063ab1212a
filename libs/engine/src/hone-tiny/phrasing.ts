import type { Random } from './random.js';

/** One of the phrases, with each `{name}` replaced by its value. */
export function phrase(
  random: Random,
  phrases: readonly string[],
  values: Readonly<Record<string, string | number>>,
): string {
  return random.pick(phrases).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
