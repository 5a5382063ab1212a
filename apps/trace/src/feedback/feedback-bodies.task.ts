import { FeedbackBatchDto, FeedbackCreateDto, FeedbackReplaceDto, type Issue, type Loc } from '@hone/contracts';
import type { SentFeedback } from '@hone/feedback';
import { toSentFeedback } from '@hone/feedback';
import { formIssues } from '@hone/feedback';
import { bodyTask } from '@hone/platform/body-task';

/** A record that takes the place of another, as a body has it. */
export interface SentReplacement {
  /** Of the record that is replaced. */
  readonly oldId: string;
  readonly reason: string | null;
  readonly feedback: SentFeedback;
}

const module = import.meta.url;

export const CREATE_BODY = bodyTask({
  ...{ type: FeedbackCreateDto, module, name: 'CREATE_BODY' },
  digest(body: FeedbackCreateDto, issues): SentFeedback {
    return toSentRecords([body], issues, () => ['body'])[0] as SentFeedback;
  },
});

export const BATCH_BODY = bodyTask({
  ...{ type: FeedbackBatchDto, module, name: 'BATCH_BODY' },
  digest({ batch }: FeedbackBatchDto, issues): SentFeedback[] {
    return toSentRecords(batch, issues, (index) => ['body', 'batch', index]);
  },
});

export const REPLACE_BODY = bodyTask({
  ...{ type: FeedbackReplaceDto, module, name: 'REPLACE_BODY' },
  digest({ feedback_id: oldId, reason = null, ...body }: FeedbackReplaceDto, issues): SentReplacement {
    return { oldId, reason, feedback: toSentRecords([body], issues, () => ['body'])[0] as SentFeedback };
  },
});

/** None when one of them has issues. */
function toSentRecords(bodies: FeedbackCreateDto[], issues: Issue[], locOf: (index: number) => Loc): SentFeedback[] {
  for (const [index, body] of bodies.entries())
    for (const issue of formIssues(body)) issues.push({ ...issue, loc: [...locOf(index), ...issue.loc] });
  return issues.length > 0 ? [] : bodies.map(toSentFeedback);
}
