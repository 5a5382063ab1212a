import { newId } from '@hone/database';
import { startTestApp, type TestApp } from '@hone/testing';

import { TraceModule } from '../../trace.module.js';

describe('GET /calls/{call_id}/used-in', () => {
  let trace: TestApp;
  let versionId: string;
  const [modelId, checkpointId] = [newId(), newId()];

  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    const start = { project_id: 'acme/demo', id: 'c1', op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
    await trace.as(trace.writer).post('/call/start', { start: { ...start, attributes: {}, inputs: {} } });
    versionId = await addData('thumbs', ['c1']);
    await addData('others', ['c2']);
    await addJob(versionId);
  });
  afterAll(() => trace.close());

  const projectRowId = async () =>
    (await trace.sql<{ id: string }>(`SELECT id FROM projects WHERE name = 'demo'`))[0]?.id as string;

  async function addData(name: string, callIds: string[]): Promise<string> {
    const [artifactId, id, project] = [newId(), newId(), await projectRowId()];
    await trace.sql('INSERT INTO artifacts (project_id, id, name) VALUES ($1, $2, $3)', [project, artifactId, name]);
    await trace.sql(
      `INSERT INTO artifact_versions (project_id, id, artifact_id, version, uri, files, digest, bytes, created_by)
       VALUES ($1, $2, $3, 0, 'local:x', '[]', 'd', 0, $1)`,
      [project, id, artifactId],
    );
    await trace.sql(
      `INSERT INTO training_data_calls (project_id, version_id, call_id, split)
       SELECT $1, $2, id, 'train' FROM unnest($3::text[]) AS c(id)`,
      [project, id, callIds],
    );
    return id;
  }

  async function addJob(dataVersionId: string): Promise<void> {
    await trace.sql(
      `INSERT INTO training_jobs (project_id, id, model_id, kind, status, config, queue_deadline_at, created_by,
         data_version_id, produced_id, produced_step)
       VALUES ($1, $2, $3, 'rl', 'succeeded', '{}', now(), $1, $4, $5, 3)`,
      [await projectRowId(), newId(), modelId, dataVersionId, checkpointId],
    );
  }

  const usesOf = async (callId: string, user = trace.writer) =>
    trace.as(user).get(`/calls/${callId}/used-in?project_id=acme/demo`);

  it('names the data, and what was trained on it', async () => {
    const response = await usesOf('c1');
    const job = { id: expect.any(String), kind: 'rl', status: 'succeeded', model_id: modelId };
    expect([response.status, response.json()]).toEqual([
      200,
      {
        used_in: [
          {
            ...{ id: versionId, url: 'hone-artifact:///acme/demo/thumbs:v0', digest: 'd', split: 'train' },
            created_at: expect.stringMatching(/Z$/),
            jobs: [{ ...job, checkpoint_id: checkpointId, step: 3 }],
          },
        ],
        has_more: false,
      },
    ]);
    expect((await usesOf('none')).json()).toEqual({ used_in: [], has_more: false });
  });

  it('names no data that is deleted, and goes on to name data of a call that is', async () => {
    const gone = await addData('gone', ['c1']);
    await trace.sql('UPDATE artifact_versions SET deleted_at = now() WHERE id = $1', [gone]);
    await trace.as(trace.writer).post('/calls/delete', { project_id: 'acme/demo', call_ids: ['c1'] });
    expect((await usesOf('c1')).json().used_in).toHaveLength(1);
  });

  it('is nothing to those without a right on the project', async () => {
    const stranger = await trace.user('stranger', { roles: { other: 'owner' } });
    const there = await usesOf('c1', stranger);
    expect([there.status, there.json()]).toEqual([
      403,
      { detail: "You have no access to entity 'acme'.", code: 'access.denied' },
    ]);
    expect((await usesOf('none', stranger)).text).toBe(there.text);
  });

  it.each(["'%20OR%201=1", '%00', '%ff', 'x'.repeat(3_000), '%F0%9F%9A%82'])('answers the id %.30s', async (id) => {
    expect([200, 404, 414, 422]).toContain((await usesOf(id)).status);
  });
});
