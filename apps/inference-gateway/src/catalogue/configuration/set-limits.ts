/**
 * The limits that a part of the file sets: `ttft_ms` in the file is `ttftMs` of the limits. Null and absent ones are
 * left to the defaults.
 *
 * @param defaults names the limits, which all are numbers
 */
export function setLimits<T extends { readonly [Name in keyof T]: number }>(dto: object, defaults: T): Partial<T> {
  const fields = dto as Readonly<Record<string, number | null>>;
  const set: Record<string, number> = {};
  for (const name of Object.keys(defaults)) {
    const value = fields[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
    if (value !== undefined && value !== null) set[name] = value;
  }
  return set as Partial<T>;
}
