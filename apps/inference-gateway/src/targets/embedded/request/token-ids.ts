import type { ChatCompletionRequestDto } from '@hone/contracts';

import type { RefusalIssue } from '../../target.js';
import { wrongValue } from './request-issue.js';

/** Issues of token ids that the model does not have. */
export function unknownTokenIssues(fields: ChatCompletionRequestDto, vocabSize: number): RefusalIssue[] {
  const msg = `Input should be a token id of the model, 0 to ${vocabSize - 1}`;
  const inList = (name: 'allowed_token_ids' | 'stop_token_ids') =>
    (fields[name] ?? []).flatMap((id, index) => (id < vocabSize ? [] : [wrongValue([name, index], msg)]));
  const biased = Object.keys(fields.logit_bias ?? {}).filter((id) => Number(id) >= vocabSize);
  return [
    ...inList('allowed_token_ids'),
    ...inList('stop_token_ids'),
    ...biased.map((id) => wrongValue(['logit_bias', id], msg)),
  ];
}
