/** One bit per token id, lowest bit first: set where the token may come. */
export type TokenMask = Uint32Array;

export function toTokenMask(ids: Iterable<number>, vocabSize: number): TokenMask {
  const mask = new Uint32Array(Math.ceil(vocabSize / 32));
  for (const id of ids) mask[id >>> 5] = (mask[id >>> 5] ?? 0) | (1 << (id & 31));
  return mask;
}

export function allows(mask: TokenMask, id: number): boolean {
  return (((mask[id >>> 5] ?? 0) >>> (id & 31)) & 1) === 1;
}

/** Sets the scores of all tokens outside the mask to -Infinity. */
export function applyMask(scores: Float32Array, mask: TokenMask): void {
  for (let word = 0; word * 32 < scores.length; word += 1) {
    const bits = mask[word] ?? 0;
    if (bits === 0xffffffff) continue;
    const end = Math.min(scores.length, word * 32 + 32);
    for (let id = word * 32; id < end; id += 1) if (((bits >>> (id & 31)) & 1) === 0) scores[id] = -Infinity;
  }
}
