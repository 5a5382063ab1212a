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
  const alone = [...row.keys()].map((index) => [index]);
  return planGroups(row, alone, config, maxTokens);
}

/**
 * The same with groups of sequences that no cut divides. Null: a group of several is too large for a pass, or padding its
 * sequences to one length costs more time than a forward pass of each, of which a step without groups has one more.
 *
 * @param groups indices into the row, each of which is in one group
 */
export function planWholeGroups(
  row: readonly Pick<TrainSequence, 'ids'>[],
  groups: readonly (readonly number[])[],
  config: LlamaConfig,
  maxTokens: number,
): MicroBatch[] | null {
  const batches = planGroups(row, groups, config, maxTokens);
  const isTooLarge = ({ members, length }: MicroBatch) => !isFree(members.length, length, config, maxTokens);
  if (batches.some(isTooLarge)) return null;
  const tokensOf = (all: readonly MicroBatch[]) =>
    all.reduce((tokens, { members, length }) => tokens + members.length * length, 0);
  // A backward pass takes twice as long as a forward pass.
  const [inGroups, alone] = [3 * tokensOf(batches), 4 * tokensOf(planMicroBatches(row, config, maxTokens))];
  return inGroups <= alone ? batches : null;
}

function planGroups(
  row: readonly Pick<TrainSequence, 'ids'>[],
  groups: readonly (readonly number[])[],
  config: LlamaConfig,
  maxTokens: number,
): MicroBatch[] {
  const padded = (group: readonly number[]) =>
    Math.max(...group.map((index) => Math.ceil((row[index]?.ids.length ?? 0) / GRAIN) * GRAIN));
  const byLength = groups
    .map((group) => ({ group, length: padded(group) }))
    .sort((a, b) => b.length - a.length || (a.group[0] ?? 0) - (b.group[0] ?? 0));
  const batches: { members: number[]; length: number }[] = [];
  for (const { group, length } of byLength) {
    const current = batches.at(-1);
    // The first member is the longest: it sets the length.
    const isRoom =
      current !== undefined && isFree(current.members.length + group.length, current.length, config, maxTokens);
    if (isRoom && !wastes(current, length)) current.members.push(...group);
    else batches.push({ members: [...group], length });
  }
  return batches;
}

function wastes({ members, length }: MicroBatch, next: number): boolean {
  return members.length * length >= ENOUGH_TOKENS && next < 0.75 * length;
}

function isFree(count: number, length: number, { numHeads }: LlamaConfig, maxTokens: number): boolean {
  return count * length <= maxTokens && count * numHeads * length * length <= MAX_SCORES;
}
