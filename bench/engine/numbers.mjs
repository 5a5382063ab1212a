/** Integers of 24 bits that are the same in each run: the high bits of Numerical Recipes' generator. */
export function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
