import { NoTrainableTokensError } from './plan.errors.js';
import { DROPPED_LINE_HINTS, type DroppedLine, type LineDropReason } from './plan.js';

/** The error of a job that would train nothing: without it the job would succeed with the weights it started from. */
export function noTrainableLine(lines: readonly DroppedLine[], contextLength: number): NoTrainableTokensError {
  const sentences: Record<LineDropReason, string> = {
    too_long: `have more than ${contextLength} tokens, the context of the model`,
    no_tokens: 'have no assistant turn to train',
    assistant_first: 'begin with the assistant, which the chat template refuses',
    equal_answers: 'have two answers of the same tokens',
  };
  const reasons = (Object.keys(sentences) as LineDropReason[]).filter((one) =>
    lines.some(({ reason }) => reason === one),
  );
  const parts = reasons.map((one) => `${lines.filter(({ reason }) => reason === one).length} ${sentences[one]}`);
  return new NoTrainableTokensError(
    `No line has a token to train: ${parts.join('; ')}`,
    DROPPED_LINE_HINTS[reasons[0] ?? 'no_tokens'],
    lines.map(({ number }) => ({ loc: ['line', number], detail: '' })),
  );
}
