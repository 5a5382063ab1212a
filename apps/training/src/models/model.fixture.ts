import { newId } from '@hone/database';
import type { TestClient } from '@hone/testing';

import type { TrainingApp } from '../training-app.fixture.js';

export const MODELS = '/v1/preview/models';

/** A valid body of `POST /v1/preview/models`. */
export const aModel = (fields: Record<string, unknown> = {}) => ({
  entity: 'acme',
  project: 'p',
  name: 'agent',
  base_model: 'hone-tiny',
  ...fields,
});

/** Makes a model of a name of its own; returns its id. */
export async function createModel(client: TestClient, fields: Record<string, unknown> = {}): Promise<string> {
  const { status, json } = await client.post(MODELS, aModel({ name: `m-${newId()}`, ...fields }));
  if (status !== 200) throw new Error(`no model: ${status} ${JSON.stringify(json())}`);
  return json().id;
}

/** Gives a model a base that was taken away since. */
export async function loseBase(training: TrainingApp, modelId: string, baseModel: string): Promise<void> {
  await training.sql('UPDATE trainable_models SET base_model = $2 WHERE id = $1', [modelId, baseModel]);
}

/** Rows as a trainer's commits leave them; returns the ids. */
export async function addCheckpoints(
  training: TrainingApp,
  modelId: string,
  steps: number[],
  fields: { metrics?: Record<string, number>; uri?: string; bytes?: number; manifestSha256?: string } = {},
): Promise<string[]> {
  const { metrics = {}, uri, bytes = 10, manifestSha256 = '' } = fields;
  const rows = steps.map((step) => ({ id: newId(), step, uri: uri ?? `local:models/${modelId}/step-${step}` }));
  await training.sql(
    `INSERT INTO checkpoints (project_id, id, model_id, step, job_id, parent_step, kind, uri, bytes, manifest_sha256, metrics)
     SELECT m.project_id, r.id, m.id, r.step, $3, r.step - 1, 'rl', r.uri, $4, $5, $6::jsonb
     FROM trainable_models m, jsonb_to_recordset($2::jsonb) AS r (id uuid, step int, uri text) WHERE m.id = $1`,
    [modelId, JSON.stringify(rows), newId(), bytes, manifestSha256, JSON.stringify(metrics)],
  );
  await training.sql('UPDATE trainable_models SET last_step = greatest(last_step, $2) WHERE id = $1', [
    modelId,
    Math.max(...steps),
  ]);
  return rows.map(({ id }) => id);
}

/** A queued job as its creation leaves it; returns its id. */
export async function addJob(training: TrainingApp, modelId: string, status = 'queued'): Promise<string> {
  const id = newId();
  await training.sql(
    `INSERT INTO training_jobs (project_id, id, model_id, kind, status, config, queue_deadline_at, created_by,
       attempt, lease_owner, lease_expires_at, started_at)
     SELECT project_id, $2, id, 'rl', $3, '{}', now() + interval '1 day', created_by,
       CASE WHEN $3 = 'queued' THEN 0 ELSE 1 END, CASE WHEN $3 = 'queued' THEN NULL ELSE 'worker' END,
       CASE WHEN $3 = 'queued' THEN NULL ELSE now() + interval '30 s' END, CASE WHEN $3 = 'queued' THEN NULL ELSE now() END
     FROM trainable_models WHERE id = $1`,
    [modelId, id, status],
  );
  return id;
}
