export type { QueueDraft, QueueRules } from './annotation-queues/queue-draft.js';
export { QueueWriteRepository } from './annotation-queues/queue-write.repository.js';
export type { FeedbackDraft, FeedbackReceipt, InsertOutcome, SentFeedback } from './feedback.record.js';
export { FeedbackWriteRepository } from './feedback-write.repository.js';
export { toSentFeedback } from './sent-feedback.mapper.js';
export { annotationName, formIssues, isReserved } from './types/type-forms.js';
