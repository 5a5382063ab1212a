import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { verifyManifest } from '@hone/engine';

const TERMINAL = `('succeeded', 'failed', 'cancelled')`;

/**
 * Compares the database with the ledger of acknowledged writes.
 *
 * @returns {Promise<{ what: string, acknowledged: number, missing: number, doubled: number }[]>}
 */
export async function audit(client, ledger, dataDir) {
  const rows = [];
  const add = (what, acknowledged, missing, doubled) => rows.push({ what, acknowledged, missing, doubled });
  for (const [kind, sql] of Object.entries(COUNTS)) {
    const counts = await countsOf(client, sql, ledger.keysOf(kind));
    const acknowledged = ledger.acknowledgedOf(kind);
    const expected = EXPECTED[kind] ?? 1;
    const missing = acknowledged.filter(([key]) => (counts.get(key) ?? 0) < expected).length;
    const doubled = ledger.keysOf(kind).filter((key) => ![0, expected].includes(counts.get(key) ?? 0)).length;
    add(kind, acknowledged.length, missing, doubled);
  }
  const jobs = ledger.acknowledgedOf('training job').map(([, id]) => id);
  const { rows: known } = await client.query(`SELECT id FROM training_jobs WHERE id = ANY($1::uuid[])`, [jobs]);
  const all = await number(client, 'SELECT count(*) FROM training_jobs');
  const unconfirmed = ledger.keysOf('training job').length - jobs.length;
  add('training job', jobs.length, jobs.length - known.length, Math.max(0, all - jobs.length - unconfirmed));
  for (const [what, sql] of Object.entries(CONTRADICTIONS)) add(what, all, await number(client, sql), 0);
  add('checkpoint with all its bytes', ...(await damagedCheckpoints(client, dataDir)), 0);
  return rows;
}

/** Waits until every job is over. */
export async function untilJobsEnd(client, limitMs) {
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; await sleep(500)) {
    if ((await number(client, `SELECT count(*) FROM training_jobs WHERE status NOT IN ${TERMINAL}`)) === 0) return;
  }
}

/** Waits until the gateway has written its whole usage journal to the database. */
export async function untilUsageIsWritten(client, ledger, limitMs) {
  const rids = ['chat', 'chat stream'].flatMap((kind) => ledger.acknowledgedOf(kind).map(([rid]) => rid));
  const isThere = async () => (await countsOf(client, COUNTS.chat, rids)).size === rids.length;
  const deadline = Date.now() + limitMs;
  for (let last = -1; Date.now() < deadline; await sleep(1_500)) {
    const now = await number(client, 'SELECT count(*) FROM usage_records');
    if (now === last && (await isThere())) return;
    last = now;
  }
}

/** The name under which a team was made, without its plural. */
const TEAM = `left(e.name, -1)`;

/** How often each key is there. */
const COUNTS = {
  feedback: `SELECT id AS key, count(*) FROM feedback WHERE id = ANY($1) GROUP BY 1`,
  'feedback batch': `SELECT substr(feedback_type, 7) AS key, count(*) FROM feedback
    WHERE substr(feedback_type, 7) = ANY($1) GROUP BY 1`,
  'object version': `SELECT val_text::json->>'mark' AS key, count(*) FROM object_versions
    WHERE object_id LIKE 'thing-%' AND val_text::json->>'mark' = ANY($1) GROUP BY 1`,
  'heavy version': `SELECT object_id AS key, count(*) FROM object_versions v WHERE object_id = ANY($1)
    AND 1200000 < (SELECT sum(length(b.bytes)) FROM blob_chunks b
      WHERE b.project_id = v.project_id AND b.blob_key = v.val_blob) GROUP BY 1`,
  call: `SELECT id AS key, count(*) FROM calls WHERE id = ANY($1) GROUP BY 1`,
  'batch of whole calls': `SELECT c.trace_id AS key, count(*) FROM calls c JOIN call_values v USING (project_id, id)
    WHERE c.trace_id = ANY($1) AND (v.output_blob IS NULL OR 400000 < (SELECT sum(length(b.bytes)) FROM blob_chunks b
      WHERE b.project_id = v.project_id AND b.blob_key = v.output_blob)) GROUP BY 1`,
  'call of two halves': `SELECT c.id AS key, count(*) FROM calls c JOIN call_values v USING (project_id, id) WHERE c.id = ANY($1)
    AND c.started_at IS NOT NULL AND c.ended_at IS NOT NULL AND v.inputs_text = v.output_text GROUP BY 1`,
  span: `SELECT id AS key, count(*) FROM calls WHERE id = ANY($1) AND ended_at IS NOT NULL GROUP BY 1`,
  file: `SELECT digest AS key, count(*) FROM files f WHERE digest = ANY($1) AND 400000 < (
    SELECT sum(length(b.bytes)) FROM blob_chunks b WHERE b.project_id = f.project_id AND b.blob_key = f.digest) GROUP BY 1`,
  'api key': `SELECT label AS key, count(*) FROM api_keys WHERE label = ANY($1) GROUP BY 1`,
  'revoked key': `SELECT id::text AS key, count(*) FROM api_keys WHERE id::text = ANY($1) AND revoked_at IS NOT NULL GROUP BY 1`,
  user: `SELECT username AS key, count(*) FROM users WHERE username = ANY($1) GROUP BY 1`,
  team: `SELECT ${TEAM} AS key, count(*) FROM entities e WHERE ${TEAM} = ANY($1) GROUP BY 1`,
  member: `SELECT ${TEAM} AS key, count(*) FROM memberships m JOIN entities e ON e.id = m.entity_id
    JOIN users u ON u.id = m.user_id WHERE ${TEAM} = ANY($1) AND u.username <> 'admin' GROUP BY 1`,
  'removed member': `SELECT ${TEAM} AS key, count(*) FROM entities e WHERE ${TEAM} = ANY($1) AND NOT EXISTS (
    SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.entity_id = e.id AND u.username = 'admin') GROUP BY 1`,
  project: `SELECT ${TEAM} AS key, count(*) FROM projects p JOIN entities e ON e.id = p.entity_id
    WHERE ${TEAM} = ANY($1) GROUP BY 1`,
  limits: `SELECT ${TEAM} AS key, count(*) FROM usage_limits l JOIN projects p ON p.id = l.subject_id
    JOIN entities e ON e.id = p.entity_id WHERE ${TEAM} = ANY($1) AND l.requests_per_minute = 5 GROUP BY 1`,
  queue: `SELECT name AS key, count(*) FROM annotation_queues WHERE name = ANY($1) GROUP BY 1`,
  'queue item': `SELECT call_id AS key, count(*) FROM annotation_queue_items WHERE call_id = ANY($1) GROUP BY 1`,
  judgement: `SELECT item_id::text AS key, count(*) FROM annotation_progress
    WHERE item_id::text = ANY($1) AND state = 'completed' GROUP BY 1`,
  'claimable item': `SELECT call_id AS key, count(*) FROM annotation_queue_items WHERE call_id = ANY($1) GROUP BY 1`,
  'completed claim': `SELECT item_id || ' ' || user_id AS key, count(*) FROM annotation_progress
    WHERE item_id || ' ' || user_id = ANY($1) AND state = 'completed' GROUP BY 1`,
  'model version': `SELECT object_id AS key, count(*) FROM object_versions WHERE object_id = ANY($1) GROUP BY 1`,
  evaluation: `SELECT object_id AS key, count(*) FROM object_versions WHERE object_id = ANY($1) GROUP BY 1`,
  'deleted evaluation': `SELECT object_id AS key, count(*) FROM object_versions
    WHERE object_id = ANY($1) AND deleted_at IS NOT NULL GROUP BY 1`,
  'trainable model': `SELECT name AS key, count(*) FROM trainable_models WHERE name = ANY($1) GROUP BY 1`,
  'deleted model': `SELECT name AS key, count(*) FROM trainable_models
    WHERE name = ANY($1) AND deleted_at IS NOT NULL GROUP BY 1`,
  'cancelled job': `SELECT id::text AS key, count(*) FROM training_jobs
    WHERE id::text = ANY($1) AND status = 'cancelled' GROUP BY 1`,
  'deleted checkpoint': `SELECT id::text AS key, count(*) FROM checkpoints
    WHERE id::text = ANY($1) AND deleted_at IS NOT NULL GROUP BY 1`,
  'imported checkpoint': `SELECT m.name AS key, count(*) FROM trainable_models m JOIN checkpoints c ON c.model_id = m.id
    WHERE m.name = ANY($1) AND c.kind = 'import' AND c.step = 1 GROUP BY 1`,
  'row of a table': `SELECT v.digest AS key, count(*) FROM table_versions v JOIN table_chunks c USING (project_id, digest)
    CROSS JOIN LATERAL unnest(c.row_digests) AS u (row) JOIN table_rows r ON r.project_id = v.project_id AND r.digest = u.row
    WHERE v.digest = ANY($1) GROUP BY 1`,
  tag: `SELECT tag AS key, count(*) FROM object_tags WHERE tag = ANY($1) GROUP BY 1`,
  alias: `SELECT alias AS key, count(*) FROM object_aliases WHERE alias = ANY($1) GROUP BY 1`,
  artifact: `SELECT name AS key, count(*) FROM artifacts a JOIN artifact_versions v ON v.artifact_id = a.id
    WHERE name = ANY($1) GROUP BY 1`,
  'deleted artifact': `SELECT name AS key, count(*) FROM artifacts a JOIN artifact_versions v ON v.artifact_id = a.id
    WHERE name = ANY($1) AND v.deleted_at IS NOT NULL GROUP BY 1`,
  chat: `SELECT rid AS key, count(*) FROM usage_records WHERE rid = ANY($1) GROUP BY 1`,
  'chat stream': `SELECT rid AS key, count(*) FROM usage_records WHERE rid = ANY($1) GROUP BY 1`,
  'trajectory log': `SELECT split AS key, count(*) FROM trajectories WHERE split = ANY($1) GROUP BY 1`,
};
const EXPECTED = { 'feedback batch': 20, 'batch of whole calls': 20, 'row of a table': 50, 'trajectory log': 2 };

/** What must not be; each counts its offenders. */
const CONTRADICTIONS = {
  'item with more annotators than its queue allows': `SELECT count(*) FROM (
    SELECT FROM annotation_progress p JOIN annotation_queues q ON q.project_id = p.project_id AND q.id = p.queue_id
    WHERE p.state IN ('completed', 'skipped') OR p.lease_expires_at > now() OR p.state = 'in_progress' AND p.lease_id IS NULL
    GROUP BY p.queue_id, p.item_id, q.reviewers_per_item HAVING count(*) > q.reviewers_per_item) d`,
  'item whose finished annotators are miscounted': `SELECT count(*) FROM annotation_queue_items i WHERE finished_count <> (
    SELECT count(*) FROM annotation_progress p WHERE p.project_id = i.project_id AND p.queue_id = i.queue_id
      AND p.item_id = i.id AND p.state IN ('completed', 'skipped'))`,
  'job that has not ended': `SELECT count(*) FROM training_jobs WHERE status NOT IN ${TERMINAL}`,
  'job without its one terminal event': `SELECT count(*) FROM training_jobs j WHERE status IN ${TERMINAL} AND (
    SELECT count(*) FROM training_job_events e WHERE e.job_id = j.id AND e.type IN ('training_ended', 'training_failed')) <> 1`,
  'job with a gap in its events': `SELECT count(*) FROM (SELECT job_id FROM training_job_events GROUP BY job_id
    HAVING count(*) <> max(seq) + 1 OR min(seq) <> 0) g`,
  'succeeded job without its checkpoint': `SELECT count(*) FROM training_jobs j WHERE (status = 'succeeded') <> EXISTS (
    SELECT 1 FROM checkpoints c WHERE c.job_id = j.id AND c.id = j.produced_id)`,
  'checkpoint made twice by one step of a job': `SELECT count(*) FROM (SELECT FROM checkpoints
    WHERE job_id IS NOT NULL GROUP BY job_id, gradient_step HAVING count(*) > 1) d`,
  'chat whose usage records and calls are not one to one': `SELECT count(*) FROM (
    SELECT rid, count(*) AS records FROM usage_records GROUP BY 1) r FULL JOIN (
    SELECT v.attributes_text::json->>'request_id' AS rid, count(*) AS calls FROM calls c
    JOIN call_values v USING (project_id, id) WHERE c.op_name LIKE '%/op/chat.completions:v0' GROUP BY 1) c
    USING (rid) WHERE r.records IS DISTINCT FROM c.calls`,
  'hour of usage that is not the sum of its records': `SELECT count(*) FROM (
    SELECT coalesce(r.hour, h.hour) FROM (SELECT date_trunc('hour', started_at) AS hour, count(*) AS requests,
      sum(completion_tokens) AS tokens FROM usage_records GROUP BY 1) r
    FULL JOIN (SELECT hour, sum(requests) AS requests, sum(completion_tokens) AS tokens FROM usage_hours GROUP BY 1) h
    USING (hour) WHERE r.requests IS DISTINCT FROM h.requests OR r.tokens IS DISTINCT FROM h.tokens) d`,
};

async function countsOf(client, sql, keys) {
  const { rows } = await client.query(sql, [keys]);
  return new Map(rows.map(({ key, count }) => [key, Number(count)]));
}

const number = async (client, sql) => Number((await client.query(sql)).rows[0].count);

async function damagedCheckpoints(client, dataDir) {
  const { rows } = await client.query('SELECT uri, manifest_sha256 FROM checkpoints WHERE deleted_at IS NULL');
  let damaged = 0;
  for (const { uri, manifest_sha256: sha256 } of rows) {
    const folder = join(dataDir, 'artifacts', uri.replace(/^local:/, ''));
    await verifyManifest(folder, sha256).catch(() => (damaged += 1));
  }
  return [rows.length, damaged];
}
