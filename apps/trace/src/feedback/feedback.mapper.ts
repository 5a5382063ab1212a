import { RawJson } from '@hone/contracts';
import type { FeedbackReceipt } from '@hone/feedback';

/** The answer of create; the payload goes out as its stored text. */
export const toFeedbackResult = (receipt: FeedbackReceipt) => ({
  id: receipt.id,
  created_at: receipt.createdAt.toISOString(),
  svc_user_id: receipt.svcUserId,
  payload: new RawJson(receipt.payloadText),
});

export type FeedbackResult = ReturnType<typeof toFeedbackResult>;
