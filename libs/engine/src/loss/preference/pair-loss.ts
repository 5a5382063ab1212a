import { dpo, ipo, oddsRatio, rewardsOf } from './pair-terms.js';
import type {
  PreferenceFindings,
  PreferenceLoss,
  PreferenceResult,
  PreferenceSequence,
  PreferenceSizes,
} from './preference-sequence.js';
import { evenly, mean, sum } from './sums.js';

interface Pair {
  readonly chosen: PreferenceSequence;
  readonly rejected: PreferenceSequence;
}

const TERMS = { dpo, ipo, orpo: oddsRatio };

/**
 * The mean over the pairs of a row of their losses, each times its weight. ORPO adds the cross entropy of the chosen
 * answers: the mean over all their tokens.
 *
 * @param row chosen and rejected answers in turn
 * @param whole sizes of the row that these pairs are a part of: the losses of its parts add up to that of the row
 */
export function pairLoss(
  settings: PreferenceLoss & { readonly method: keyof typeof TERMS },
  row: readonly PreferenceSequence[],
  whole: PreferenceSizes | null,
): PreferenceResult {
  const pairs = pairsOf(row);
  const size = whole?.pairs ?? pairs.length;
  const tokens = whole?.chosenTokens ?? sum(pairs.map(({ chosen }) => chosen.lp.length));
  let loss = 0;
  const coefficients = pairs.flatMap(({ chosen, rejected }) => {
    const share = chosen.weight / size;
    const terms = TERMS[settings.method](settings, chosen, rejected);
    const nll = settings.method === 'orpo' ? chosen.weight / tokens : 0;
    loss += share * terms.loss - nll * sum(chosen.lp);
    return [evenly(chosen.lp, nll - share * terms.byChosen), evenly(rejected.lp, -share * terms.byRejected)];
  });
  return { loss, coefficients, findings: findingsOf(settings, pairs) };
}

function pairsOf(row: readonly PreferenceSequence[]): Pair[] {
  return row.flatMap((chosen, at) => {
    const rejected = row[at + 1];
    return chosen.role === 'chosen' && rejected?.role === 'rejected' ? [{ chosen, rejected }] : [];
  });
}

function findingsOf(settings: PreferenceLoss, pairs: readonly Pair[]): PreferenceFindings {
  const rewards = pairs.map(({ chosen, rejected }) => rewardsOf(settings, chosen, rejected));
  return {
    rewardChosen: mean(rewards.map(({ chosen }) => chosen)),
    rewardRejected: mean(rewards.map(({ rejected }) => rejected)),
    accuracy: mean(rewards.map(({ chosen, rejected }) => (chosen > rejected ? 1 : 0))),
    logpChosen: mean(pairs.map(({ chosen }) => sum(chosen.lp))),
    logpRejected: mean(pairs.map(({ rejected }) => sum(rejected.lp))),
    divergence: NaN,
  };
}
