import type { LlamaConfig } from '../model/config/llama-config.js';
import type { TrainSequence } from './train-sequence.js';

/** Sequences of similar length that go through the graph together, padded to `length` tokens. */
export interface MicroBatch {
  /** Indices into the row. */
  readonly members: readonly number[];
  readonly length: number;
}

/** Padded tokens of one pass: what bounds the memory of its activations. */
const MAX_TOKENS = 4096;
/** Attention scores of one layer of one pass. */
const MAX_SCORES = 1 << 23;
/** A batch of this many tokens keeps the cores busy: beyond it padding costs more than it saves. */
const ENOUGH_TOKENS = 768;
/** Lengths are rounded up to this, so that few different shapes occur. */
const GRAIN = 8;

/**
 * Cuts a row into passes that fit the memory. A sequence is never cut; one that is too large by itself
 * gets a pass of its own. The same row always gives the same passes, in the same order.
 *
 * @param maxTokens padded tokens of one pass
 */
export function planMicroBatches(
  row: readonly Pick<TrainSequence, 'ids'>[],
  config: LlamaConfig,
  maxTokens = MAX_TOKENS,
): MicroBatch[] {
  const padded = (index: number) => Math.ceil((row[index]?.ids.length ?? 0) / GRAIN) * GRAIN;
  const byLength = [...row.keys()].sort((a, b) => padded(b) - padded(a) || a - b);
  const batches: { members: number[]; length: number }[] = [];
  for (const index of byLength) {
    const current = batches.at(-1);
    const count = (current?.members.length ?? 0) + 1;
    // The first member is the longest: it sets the length.
    const isFree =
      current !== undefined && count * current.length <= maxTokens && fits(count, current.length, config.numHeads);
    if (isFree && !wastes(current, padded(index))) current.members.push(index);
    else batches.push({ members: [index], length: padded(index) });
  }
  return batches;
}

function wastes({ members, length }: MicroBatch, next: number): boolean {
  return members.length * length >= ENOUGH_TOKENS && next < 0.75 * length;
}

function fits(count: number, length: number, heads: number): boolean {
  return count * heads * length * length <= MAX_SCORES;
}
