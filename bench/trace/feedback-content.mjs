import { createHash } from 'node:crypto';

/** About 600 bytes as a request, as a scorer with reasons writes it. Different for every `seed`, the same in every run. */
export function feedbackBody(projectId, seed) {
  const hash = createHash('sha256').update(String(seed)).digest('hex');
  const share = (at) => parseInt(hash.slice(at, at + 4), 16) / 65_535;
  return {
    project_id: projectId,
    trace_ref: `hone:///${projectId}/call/${hash.slice(0, 32)}`,
    feedback_type: 'quality',
    creator: 'scorer',
    payload: {
      score: share(0),
      verdict: share(4) > 0.5 ? 'pass' : 'fail',
      why: `The answer names the source of claim ${hash.slice(0, 8)} and keeps to the question that was asked.`,
      tokens: { input: Math.round(share(8) * 4_000), output: Math.round(share(12) * 800) },
    },
    scorer_tags: ['grounded', 'concise'],
    scorer_tag_confidences: { grounded: share(16), concise: share(20) },
    scorer_ratings: { overall: share(24) },
    scorer_rating_reasons: { overall: 'Two of three claims are supported by the context.' },
  };
}

/** The same content as the columns of a row; what a body leaves out is empty, as in the service. */
export function feedbackRow(projectId, seed) {
  const body = feedbackBody(projectId, seed);
  return {
    creator: body.creator,
    feedback_type: body.feedback_type,
    trace_ref: body.trace_ref.slice('hone:///'.length),
    payload: JSON.stringify(body.payload),
    scorer_tags: body.scorer_tags,
    scorer_tag_reasons: {},
    scorer_tag_confidences: body.scorer_tag_confidences,
    scorer_ratings: body.scorer_ratings,
    scorer_rating_reasons: body.scorer_rating_reasons,
    scorer_rating_confidences: {},
  };
}

const COLUMNS = `project_id, id, created_at, svc_user_id, creator, feedback_type, trace_ref, payload_text, payload_json,
  scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons,
  scorer_rating_confidences`;

/** The bare peer of a batch: a plain insert without validation, ids or answers. */
export const INSERT_BATCH = {
  name: 'insert_batch',
  text: `INSERT INTO feedback (${COLUMNS})
    SELECT $2::uuid, uuidv7()::text, now(), $3::uuid, creator, feedback_type, trace_ref, payload, payload::jsonb,
      scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons,
      scorer_rating_confidences
    FROM jsonb_to_recordset($1::jsonb) AS row (creator text, feedback_type text, trace_ref text, payload text,
      scorer_tags text[], scorer_tag_reasons jsonb, scorer_tag_confidences jsonb, scorer_ratings jsonb,
      scorer_rating_reasons jsonb, scorer_rating_confidences jsonb)`,
};

/** The bare peer of a single create: one prepared row, one commit. */
export const INSERT_ONE = {
  name: 'insert_one',
  text: `INSERT INTO feedback (${COLUMNS})
    VALUES ($1, uuidv7()::text, now(), $2, $3, $4, $5, $6, $6::text::jsonb, $7, $8, $9, $10, $11, $12)`,
};

export const insertOneValues = (projectRowId, userId, row) => [
  projectRowId,
  userId,
  row.creator,
  row.feedback_type,
  row.trace_ref,
  row.payload,
  row.scorer_tags,
  ...[
    row.scorer_tag_reasons,
    row.scorer_tag_confidences,
    row.scorer_ratings,
    row.scorer_rating_reasons,
    row.scorer_rating_confidences,
  ].map((map) => JSON.stringify(map)),
];

/** @throws when a row that was answered with 200, or one of the peer's, is not in the table */
export async function assertAllStored(client, projectRowId, expected) {
  const { rows } = await client.query('SELECT count(*)::int AS stored FROM feedback WHERE project_id = $1', [
    projectRowId,
  ]);
  if (rows[0].stored !== expected) throw new Error(`${expected} rows were acknowledged, ${rows[0].stored} are stored`);
}
