import { numbers } from './numbers.mjs';

const SEQUENCES = 16;
const LENGTH = 128;
/** The first half is prompt. */
const ANSWER_START = LENGTH / 2;

/**
 * A row of a reinforcement learning job: 2,048 tokens, half of them trained, each rewarded or not.
 *
 * @param {number} vocabSize
 * @returns sequences as `Trainer` takes them, without `old`
 */
export function trainRow(vocabSize) {
  const next = numbers(7);
  return Array.from({ length: SEQUENCES }, (_, index) => {
    const trained = Array.from({ length: LENGTH - ANSWER_START }, (_, at) => ANSWER_START + at);
    return {
      ids: Array.from({ length: LENGTH }, () => next() % vocabSize),
      trained,
      weight: trained.map(() => 1 / (SEQUENCES * trained.length)),
      advantage: trained.map(() => (index % 2 === 0 ? 1 : -1)),
    };
  });
}
