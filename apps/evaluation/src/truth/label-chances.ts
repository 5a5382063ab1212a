import type { CallDraw } from './verdict-groups.js';

/** Calls with the same draws, and whether people labelled them. */
export interface DrawnCalls {
  /** Null: no label queue could draw the calls. */
  readonly draws: readonly CallDraw[] | null;
  readonly calls: number;
  readonly isLabelled: boolean;
}

/** Whether a label queue drew the calls. */
export const wereDrawn = ({ draws }: Pick<DrawnCalls, 'draws'>): boolean => draws?.some(hasDrawn) ?? false;

/** Whether a label queue found the calls labelled by people to whom none had given them. */
export const wereKnown = ({ draws }: Pick<DrawnCalls, 'draws'>): boolean =>
  draws?.some(({ isKnown }) => isKnown) ?? false;

const hasDrawn = ({ isDrawn, isKnown }: CallDraw): boolean => isDrawn && !isKnown;

/**
 * Share of a queue's drawn calls that people have labelled so far. Calls that other queues drew, too, may have their label
 * by those, so they count only where nothing else explains a label.
 *
 * @returns queue -> share
 */
export function labelledShares(calls: readonly DrawnCalls[]): Map<string, number> {
  const alone = new Map<string, Count>();
  const any = new Map<string, Count>();
  for (const { draws, calls: count, isLabelled } of calls) {
    const queues = queuesOf(draws);
    for (const queue of queues)
      for (const counts of queues.length === 1 ? [alone, any] : [any]) {
        const { drawn, labelled } = counts.get(queue) ?? { drawn: 0, labelled: 0 };
        counts.set(queue, { drawn: drawn + count, labelled: labelled + (isLabelled ? count : 0) });
      }
  }
  const shares = new Map([...any].map(([queue, counts]) => [queue, shareOf(alone.get(queue) ?? counts)]));
  for (const { draws, isLabelled } of calls) {
    const queues = isLabelled ? queuesOf(draws) : [];
    if (queues.some((queue) => shares.get(queue) !== 0)) continue;
    for (const queue of queues) shares.set(queue, shareOf(any.get(queue) as Count));
  }
  return shares;
}

interface Count {
  readonly drawn: number;
  readonly labelled: number;
}

/** Those that drew the calls. */
const queuesOf = (draws: DrawnCalls['draws']): string[] =>
  (draws ?? []).flatMap((draw) => (hasDrawn(draw) ? [draw.queueId] : []));

const shareOf = ({ drawn, labelled }: Count): number => labelled / drawn;

/**
 * The chance with which a call has a label by now, by any of the queues that could draw it: their draws are independent,
 * but those of one seed draw alike, so that the largest chance of them counts. A drawn call has its label with the chance
 * that any drawn call of its queue has, as people are given these in random order.
 */
export function labelChance(draws: readonly CallDraw[], labelled: ReadonlyMap<string, number>): number {
  const ofSeeds = new Map<number, number>();
  for (const { queueId, seed, chance = 0, isKnown } of draws) {
    if (isKnown) return 1;
    ofSeeds.set(seed, Math.max(ofSeeds.get(seed) ?? 0, chance * (labelled.get(queueId) ?? 0)));
  }
  return 1 - [...ofSeeds.values()].reduce((without, chance) => without * (1 - chance), 1);
}
