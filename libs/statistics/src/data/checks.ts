/** @throws RangeError the level is not between 0 and 1, both excluded */
export function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) throw new RangeError(`level must lie between 0 and 1, got ${level}`);
}

/** @throws RangeError fewer values than `least`, or one that is not finite */
export function checkValues(name: string, values: readonly number[], least = 1): void {
  if (values.length < least) throw new RangeError(`${name} must hold at least ${least} values, got ${values.length}`);
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) throw new RangeError(`${name}[${at}] must be a finite number, got ${values[at]}`);
}

/** @throws RangeError as `checkValues`, or the lists differ in length */
export function checkPairs(names: [string, string], a: readonly number[], b: readonly number[], least = 1): void {
  checkValues(names[0], a, least);
  checkValues(names[1], b, least);
  if (a.length === b.length) return;
  throw new RangeError(`${names[0]} and ${names[1]} must be of one length, got ${a.length} and ${b.length}`);
}

/** @throws RangeError a chance is not above 0 and at most 1 */
export function checkChances(chances: readonly number[]): void {
  const at = chances.findIndex((chance) => !(chance > 0 && chance <= 1));
  if (at >= 0) throw new RangeError(`chances[${at}] must be above 0 and at most 1, got ${chances[at]}`);
}

/** @throws RangeError not an integer of at least `least` */
export function checkCount(name: string, count: number, least = 0): void {
  if (Number.isSafeInteger(count) && count >= least) return;
  throw new RangeError(`${name} must be an integer of at least ${least}, got ${count}`);
}

/** @throws RangeError not a finite number of at least 0 */
export function checkAmount(name: string, amount: number): void {
  if (Number.isFinite(amount) && amount >= 0) return;
  throw new RangeError(`${name} must be a number of at least 0, got ${amount}`);
}

/** Every value is 0 or 1. */
export function isBinary(values: readonly number[]): boolean {
  return values.every((value) => value === 0 || value === 1);
}
