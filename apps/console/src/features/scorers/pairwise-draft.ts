import type { JudgeMessageDto, PairwiseDto } from '@hone/client';

import { type DraftMessage, newDraft, toDraft as toMessageDraft } from '../../shared/messages/draft.js';

/** A comparison of two answers while somebody edits it. */
export interface PairwiseDraft {
  readonly kind: 'pairwise';
  readonly model: string;
  readonly messages: readonly DraftMessage[];
  /** Path of the other answer within the call. */
  readonly against: string;
  /** What makes an answer better. */
  readonly description: string;
  /** What the form has no field for stays as it is. */
  readonly others: Pick<PairwiseDto, 'temperature' | 'seed' | 'max_tokens'>;
}

/** A comparison with the expected answer, to begin with. */
export const emptyPairwise = (model: string): PairwiseDraft => ({
  ...{ kind: 'pairwise', model, against: 'inputs.expected', others: {} },
  messages: [
    {
      ...newDraft('user'),
      content: 'What was asked:\n{{messages}}\n\nThe first answer:\n{{first}}\n\nThe second answer:\n{{second}}',
    },
  ],
  description: 'which answer does better what was asked, however long it is and whichever comes first',
});

export const toPairwiseDraft = ({ model, messages, against, description, ...others }: PairwiseDto): PairwiseDraft => ({
  ...{ kind: 'pairwise', model, against: against ?? '', description: description ?? '', others },
  messages: messages.map(({ role, content }) => toMessageDraft({ role, content })),
});

export const toPairwise = ({ model, messages, against, description, others }: PairwiseDraft): PairwiseDto => ({
  model,
  messages: messages.map(({ role, content }): JudgeMessageDto => ({ role: role as JudgeMessageDto['role'], content })),
  ...(against.trim() !== '' && { against: against.trim() }),
  ...(description.trim() !== '' && { description: description.trim() }),
  ...others,
});
