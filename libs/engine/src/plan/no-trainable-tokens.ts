import { NoTrainableTokensError } from './plan.errors.js';
import type { DropReason } from './plan.js';
import { locOf, type TrajectoryDraft } from './rl-drafts.js';

type Reason = Exclude<DropReason, 'zero_advantage' | 'validation' | 'assistant_first' | 'equal_answers'>;

const SENTENCES: Record<Reason, string> = {
  no_choice: 'have no Choice, only messages',
  no_logprobs: 'have Choices without logprobs',
  no_tokens: 'have Choices without tokens',
  too_long: 'are longer than a row or the context, before their first trained token',
};

const HINTS: Record<Reason, string> = {
  no_choice: 'Keep the Choice objects of the answers in messages_and_choices.',
  no_logprobs: 'Ask for return_token_ids and logprobs, or set allow_training_without_logprobs.',
  no_tokens: 'Empty answers cannot be trained.',
  too_long: 'Shorten the prompts, or raise packed_sequence_length up to the context of the model.',
};

const isReason = (reason: DropReason): reason is Reason => reason in SENTENCES;

/** The error that says why no trajectory that differs in reward is left; the most frequent reason gives the hint. */
export function noTrainableTokens(
  drafts: readonly TrajectoryDraft[],
  reasons: readonly (DropReason | null)[],
): NoTrainableTokensError {
  const counts = new Map<Reason, number>();
  for (const reason of reasons) {
    if (reason && isReason(reason)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const ranked = [...counts].toSorted((a, b) => b[1] - a[1]);
  const parts = ranked.map(([reason, count]) => `${count} ${SENTENCES[reason]}`);
  const concerned = drafts.filter((_, at) => reasons[at] !== 'zero_advantage');
  return new NoTrainableTokensError(
    `No trajectory with an advantage has a token to train: ${parts.join('; ')}`,
    HINTS[ranked[0]?.[0] ?? 'no_choice'],
    concerned.map((draft) => ({ loc: locOf(draft), detail: '' })),
  );
}
