import type { Trainer } from '../../train/trainer.js';
import type { ChatEncoder } from '../chat-encoder.js';
import { heldOutExamples } from '../corpus.js';
import type { Family } from '../example.js';
import { toTrainRow } from './train-row.js';

/**
 * Share of held-out examples that the model answers exactly, decoding greedily.
 *
 * One pass over question and expected answer is enough: greedy decoding gives that answer just when each
 * of its tokens is the likeliest after those before it.
 */
export async function greedyAccuracy(
  trainer: Trainer,
  encoder: ChatEncoder,
  family: Family,
  seed: number,
  count: number,
): Promise<number> {
  const scores = await trainer.score(toTrainRow(heldOutExamples(family, seed, count), encoder));
  const exact = scores.filter(({ lp, best }) => lp.every((value, at) => value >= (best[at] as number)));
  return exact.length / count;
}
