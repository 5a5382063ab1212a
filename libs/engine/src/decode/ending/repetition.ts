/** When a choice counts as repeating itself; all three 0: never. */
export interface RepetitionLimits {
  /** Tokens of the longest and the shortest pattern looked for. */
  readonly maxPatternSize: number;
  readonly minPatternSize: number;
  /** How often the pattern must stand at the end, one after the other. */
  readonly minCount: number;
}

/** True when the tokens end in one pattern, repeated often enough. */
export function endsInRepetition(ids: readonly number[], limits: RepetitionLimits): boolean {
  const { maxPatternSize, minPatternSize, minCount } = limits;
  if (maxPatternSize < 1 || minCount < 2) return false;
  for (let size = Math.max(1, minPatternSize); size <= maxPatternSize; size += 1) {
    if (size * minCount > ids.length) return false;
    if (repeats(ids, size, size * (minCount - 1))) return true;
  }
  return false;
}

/** The last `length` tokens all equal the token `size` before them. */
function repeats(ids: readonly number[], size: number, length: number): boolean {
  for (let index = ids.length - length; index < ids.length; index += 1) {
    if (ids[index] !== ids[index - size]) return false;
  }
  return true;
}
