import type { Random } from './random.js';

/** One of the phrases, with each `{name}` replaced by its value. */
export function phrase(
  random: Random,
  phrases: readonly string[],
  values: Readonly<Record<string, string | number>>,
): string {
  return fill(random.pick(phrases), values);
}

/** A phrase with each `{name}` replaced by its value. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
