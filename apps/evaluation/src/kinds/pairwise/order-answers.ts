import { PAIRWISE_FLIPPED, PAIRWISE_WIN } from '@hone/contracts';

import { type Outcome, verdict, withoutVerdict } from '../scorer-kind.js';

/** The rating by which a judge says which answer is better, and its steps. */
export const BETTER = 'better';
export const STEPS = { tie: 0, first: 1, second: 2 } as const;

/** Which of the two answers stood first. */
export const ORDERS = ['call', 'other'] as const;
export type Order = (typeof ORDERS)[number];

/** Which answer a judge found better. */
type Better = Order | 'tie';

const WINS: Record<Better, number> = { call: 1, tie: 0.5, other: 0 };

/**
 * The verdict of both orders: which answer is better if they agree, else neither.
 *
 * @param outcomes of a judge that rates {@link BETTER}, one for each of {@link ORDERS}
 */
export function ofBothOrders(outcomes: readonly Outcome[]): Outcome {
  const costNanoUsd = outcomes.reduce((sum, outcome) => sum + outcome.costNanoUsd, 0);
  const isCostOpen = outcomes.some((outcome) => outcome.isCostOpen);
  const unjudged = outcomes.filter(({ state }) => state !== 'done');
  // One that would fail again decides: another try of both would be paid for nothing.
  const decisive = unjudged.find(({ isTransient }) => !isTransient) ?? unjudged[0];
  if (decisive?.state === 'skipped')
    return withoutVerdict('skipped', decisive.code as string, { costNanoUsd, isCostOpen });
  if (decisive)
    return withoutVerdict('failed', decisive.code as string, {
      ...{ costNanoUsd, isCostOpen },
      isTransient: decisive.isTransient,
    });
  const orders = outcomes.map((outcome, at) => ({
    ...{ first: ORDERS[at] as Order, better: betterOf(outcome, ORDERS[at] as Order) },
    ...{ reason: outcome.reason ?? '', call: outcome.judgeCall },
  }));
  const [better, swapped] = orders.map((order) => order.better);
  const isFlipped = better !== swapped;
  return verdict({
    ratings: [{ name: PAIRWISE_WIN, value: WINS[isFlipped ? 'tie' : (better as Better)], scale: [0, 1], spread: null }],
    tags: isFlipped ? [PAIRWISE_FLIPPED] : [],
    reason: orders[0]?.reason ?? null,
    judgeCall: orders[0]?.call ?? null,
    ...{ costNanoUsd, isCostOpen, details: { orders } },
  });
}

function betterOf({ ratings }: Outcome, first: Order): Better {
  const step = ratings.find(({ name }) => name === BETTER)?.value;
  if (step === STEPS.tie) return 'tie';
  return (step === STEPS.first) === (first === 'call') ? 'call' : 'other';
}
