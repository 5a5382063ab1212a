import { createHash } from 'node:crypto';

import { asNumber, FeedbackCreateDto, type JsonObject, type JsonValue, setKey } from '@hone/contracts';
import { type SentFeedback, toSentFeedback } from '@hone/feedback';

import type { ImportedScore } from './imported-score.js';

const MAX_ID = 128;
const MAX_REASON = 1_024;
const MAX_CREATOR = 1_024;
const MAX_TAG = 1_024;
const MAX_OP = 128;
const DIGEST = 8;
const NO_NAME = /[^\p{L}\p{N}_.-]+/gu;
const CORRECTION = 'hone.correction.1';

/** Id of the feedback that a score becomes: the same each time, so that a score which comes again is known. */
export function feedbackIdOf(score: ImportedScore): string {
  const { tool, traceId, spanId, name, creator, timestamp } = score;
  const id = score.id ?? JSON.stringify([traceId, spanId, name, creator, timestamp]);
  const whole = `${tool}:${id}`;
  return score.id !== null && whole.length <= MAX_ID
    ? whole
    : `${tool}:${createHash('sha256').update(id).digest('hex')}`;
}

/**
 * Feedback that says a score. Evidence of different kinds is never of one type: what people say is `human.<name>`, without a
 * scorer, and what models and programs found is `hone.runnable.judge.<name>` and `hone.runnable.check.<name>`.
 *
 * @param callId of the call that is judged
 */
export function toScoreFeedback(score: ImportedScore, projectId: string, callId: string, scheme: string): SentFeedback {
  const isHuman = score.evidence === 'human';
  const body = {
    id: feedbackIdOf(score),
    project_id: projectId,
    trace_ref: `${scheme}:///${projectId}/call/${callId}`,
    creator: score.creator?.slice(0, MAX_CREATOR).toWellFormed() ?? null,
    ...(isHuman
      ? ofPeople(score)
      : ofScorer(score, `${scheme}:///${projectId}/op/${encodeURIComponent(opOf(score))}:${score.tool}`)),
  };
  return toSentFeedback(Object.assign(new FeedbackCreateDto(), body));
}

function ofPeople(score: ImportedScore): object {
  if (score.kind === 'correction')
    return { feedback_type: CORRECTION, payload: { output: score.value, ...besides(score) } };
  const prefix = score.kind === 'expectation' ? 'expected' : 'human';
  return { feedback_type: `${prefix}.${score.name}`, payload: { value: score.value, ...besides(score) } };
}

function ofScorer(score: ImportedScore, runnable: string): object {
  const { name, value, comment } = score;
  const output: JsonObject = {};
  setKey(output, name, value);
  const share = typeof value === 'boolean' ? Number(value) : typeof value === 'string' ? undefined : asNumber(value);
  const isShare = share !== undefined && share >= 0 && share <= 1;
  return {
    feedback_type: `hone.runnable.${opOf(score)}`,
    runnable_ref: runnable,
    payload: { output: { ...output, ...(comment !== null && { reason: comment }) }, ...besides(score) },
    ...(isShare && {
      scorer_ratings: { [name]: share },
      ...(comment !== null && { scorer_rating_reasons: { [name]: comment.slice(0, MAX_REASON).toWellFormed() } }),
    }),
    ...(typeof value === 'string' && value.length <= MAX_TAG && { scorer_tags: [value] }),
  };
}

/** What a payload says beside the value. */
function besides({ tool, evidence, kind, comment, timestamp, metadata }: ImportedScore): Record<string, JsonValue> {
  return {
    ...{ evidence, imported_from: tool },
    ...(kind !== 'score' && { kind }),
    ...(comment !== null && { reason: comment }),
    ...(timestamp !== null && { timestamp }),
    ...(metadata !== null && { metadata }),
  };
}

/**
 * A name of an op, with who judged: scorers that Hone does not run are of one, and their feedback is of its name. What a name of
 * an op cannot have is `_`, and a digest tells such names apart.
 */
export function opOf({ name, evidence }: ImportedScore): string {
  const whole = `${evidence}.${name}`;
  const plain = whole.replace(NO_NAME, '_');
  const characters = [...plain];
  if (plain === whole && characters.length <= MAX_OP) return whole;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST);
  return `${characters.slice(0, MAX_OP - DIGEST - 1).join('')}-${digest}`;
}
