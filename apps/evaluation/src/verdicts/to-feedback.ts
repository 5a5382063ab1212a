import { FeedbackCreateDto, withScheme } from '@hone/contracts';
import { newId } from '@hone/database';
import { type FeedbackDraft, toSentFeedback } from '@hone/feedback';

import type { Outcome, Rating } from '../kinds/scorer-kind.js';
import type { ScoringRecord } from '../scorings/scoring.record.js';

const MAX_REASON = 1_024;

/**
 * The feedback that says a verdict: of type `hone.runnable.<scorer>`, its ratings as shares of their scales, its payload with the
 * numbers themselves.
 */
export function toFeedback(
  scoring: ScoringRecord,
  { callId, scorerRef, refScheme }: { callId: string; scorerRef: string; refScheme: string },
  outcome: Outcome,
): FeedbackDraft {
  const { ratings, tags, reason, details, judgeCall } = outcome;
  const body = Object.assign(new FeedbackCreateDto(), {
    project_id: scoring.projectId,
    trace_ref: withScheme(`${scoring.projectId}/call/${callId}`, refScheme),
    feedback_type: `hone.runnable.${scoring.scorerId}`,
    runnable_ref: scorerRef,
    call_ref: judgeCall,
    payload: {
      output: {
        ...Object.fromEntries(ratings.map(({ name, value }) => [name, value])),
        ...(tags.length > 0 && { tags }),
        ...(reason !== null && { reason }),
        ...spreadsOf(ratings),
        ...details,
      },
    },
    scorer_tags: [...tags],
    scorer_ratings: sharesOf(ratings),
    scorer_rating_reasons: reason === null ? {} : reasonsOf(ratings, reason.slice(0, MAX_REASON).toWellFormed()),
  });
  return {
    projectRowId: scoring.projectRowId,
    projectId: scoring.projectId,
    id: newId(),
    hasClientId: false,
    createdAt: new Date(),
    svcUserId: scoring.createdBy,
    sent: toSentFeedback(body),
  };
}

function spreadsOf(ratings: readonly Rating[]): object {
  const spreads = ratings.filter(({ spread }) => spread !== null).map(({ name, spread }) => [name, spread]);
  return spreads.length > 0 ? { spread: Object.fromEntries(spreads) } : {};
}

/** Ratings as numbers between 0 and 1; those without a scale are in the payload alone. */
const sharesOf = (ratings: readonly Rating[]): Record<string, number> =>
  Object.fromEntries(
    ratings.flatMap(({ name, value, scale }) =>
      scale === null ? [] : [[name, Math.min(1, Math.max(0, (value - scale[0]) / (scale[1] - scale[0])))]],
    ),
  );

const reasonsOf = (ratings: readonly Rating[], reason: string): Record<string, string> =>
  Object.fromEntries(ratings.filter(({ scale }) => scale !== null).map(({ name }) => [name, reason]));
