import { newId } from '@hone/database';
import type { TestApp } from '@hone/testing';

import { PROJECT } from '../testing/judged-project.fixture.js';

/** Feedback that a spec stores, as the trace service would have. */
export interface AFeedback {
  readonly call: string;
  readonly type: string;
  readonly payload: object;
  /** `<scorer>:<digest>`; absent: a person's. */
  readonly runnable?: string;
  readonly tags?: readonly string[];
}

const START_MS = Date.UTC(2026, 10, 2);
let count = 0;

/** Stores feedback in the project, each a millisecond newer than the one before. */
export async function addFeedback(app: TestApp, projectRowId: string, ...records: readonly AFeedback[]): Promise<void> {
  await app.sql(
    `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, runnable_ref, payload_text, payload_json,
       scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences)
     SELECT $1::uuid, one->>'id', (one->>'at')::timestamptz, $2::uuid, one->>'type', one->>'ref', one->>'runnable', one->>'payload',
       (one->'payload')::jsonb, ARRAY(SELECT jsonb_array_elements_text(one->'tags')), '{}', '{}', '{}', '{}', '{}'
     FROM jsonb_array_elements($3::jsonb) AS one`,
    [projectRowId, app.writer.id, JSON.stringify(records.map(toRow))],
  );
}

const toRow = ({ call, type, payload, runnable, tags = [] }: AFeedback) => ({
  ...{ id: newId(), at: new Date(START_MS + count++).toISOString(), type, payload, tags },
  ref: `${PROJECT}/call/${call}`,
  runnable: runnable === undefined ? null : `${PROJECT}/object/${runnable}`,
});
