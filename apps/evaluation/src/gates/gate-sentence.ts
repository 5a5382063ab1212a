import type { GateLook } from './decision/gate-looks.js';
import type { GateRecord } from './gate.record.js';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** What a gate says by now, in one sentence. */
export function sentenceOf(gate: GateRecord): string {
  const { status, verdict, reason, reasonGuards, settings, looks } = gate;
  if (status === 'failed') return `It could not go on: ${gate.error ?? 'nobody knows why'}`;
  if (status === 'cancelled') return 'It was cancelled before it decided anything.';
  const seen = seenBy(looks.at(-1));
  if (verdict === null || reason === null)
    return (looks.length === 0 ? 'Nothing is known yet.' : `Undecided so far: ${seen}.`) + unreadLabels(gate);
  const named = reasonGuards.map((name) => `'${name}'`).join(', ');
  const uncorrected = gate.basis === 'judge' ? ' This is a judge’s opinion alone, which no label corrects.' : '';
  const sentences: Record<typeof reason, string> = {
    gain: `Promote: ${seen}, above ${percent(settings.min_gain)}.`,
    no_gain: `Reject: ${seen}, below ${percent(settings.min_gain)}.`,
    guard_broken: `Reject: ${named} became worse than is accepted; ${seen}.`,
    reward_hacked: `Reject: the reward is being hacked, it gained more than the metric (${named}); ${seen}.`,
    slice_worse: `Reject: it is worse in ${named}; ${seen}.`,
    guard_unproven: `Undecided: it is better, but nothing proves that ${named} holds; the current one stays.`,
    guard_undefined: `Undecided: it is better, but too few answers say anything about ${named}; the current one stays.`,
    pairs_used_up: `Undecided: ${seen}, and there are no more pairs; the current one stays.`,
    too_few_pairs: 'Undecided: there are too few pairs to say anything; the current one stays.',
    uncorrected: 'It needs labels: a judge’s opinion alone decides nothing. Say by `truth` where people judge, too.',
    advisory: 'It needs labels: the judge agrees too little with people to decide. With `label_share` 1 people decide.',
  };
  return reason === 'uncorrected' ? sentences[reason] : sentences[reason] + uncorrected;
}

function unreadLabels({ leftOut: { labels_off_scale: count = 0 } }: GateRecord): string {
  return count === 0 ? '' : ` Labels that are no number of the scale do not count: ${count}; judge these answers anew.`;
}

function seenBy(look: GateLook | undefined): string {
  if (!look) return 'no pair counts yet';
  const { estimate, low, high } = look.gain;
  const side = estimate < 0 ? 'worse' : 'better';
  const labels = look.labels > 0 ? `, ${look.labels} of them judged by people,` : '';
  return `of ${look.pairs} pairs${labels} the candidate is ${percent(Math.abs(estimate))} ${side} (${percent(low)} to ${percent(high)})`;
}
