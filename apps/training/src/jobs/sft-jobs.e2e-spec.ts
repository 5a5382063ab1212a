import { newId } from '@hone/database';

import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const JOBS = '/v1/preview/sft-training-jobs';

let app: TrainingApp;
beforeAll(async () => {
  app = await startTrainingApp();
});
afterAll(() => app.close());

const create = async (url: string, more: object = {}, caller = app.caller) =>
  caller.post(JOBS, { model_id: await createModel(app.caller), training_data_url: url, ...more });
const rowOf = (id: string) => app.db.client.trainingJob.findUniqueOrThrow({ where: { id } });

/** Versions of an artifact in the project `acme/p`; returns their ids. */
async function addVersions(name: string, versions: { version: number; isDeleted?: boolean }[]): Promise<string[]> {
  await createModel(app.caller);
  const [project] = await app.sql<{ id: string }>(`SELECT id FROM projects WHERE name = 'p'`);
  const artifactId = newId();
  await app.sql('INSERT INTO artifacts (project_id, id, name) VALUES ($1, $2, $3)', [project?.id, artifactId, name]);
  const ids = versions.map(() => newId());
  for (const [at, { version, isDeleted }] of versions.entries()) {
    await app.sql(
      `INSERT INTO artifact_versions (project_id, id, artifact_id, version, uri, files, digest, bytes, created_by, deleted_at)
       VALUES ($1, $2, $3, $4, 'local:artifacts/x', '[]', '', 0, $1, $5)`,
      [project?.id, ids[at], artifactId, version, isDeleted ? new Date() : null],
    );
  }
  return ids;
}

describe('POST /v1/preview/sft-training-jobs', () => {
  it('queues a job on a version of an artifact', async () => {
    const [v0, v1] = await addVersions('lines', [{ version: 0 }, { version: 1 }, { version: 2, isDeleted: true }]);
    for (const [suffix, versionId] of [
      [':v0', v0],
      [':v1', v1],
      [':latest', v1],
      ['', v1],
    ] as const) {
      const config = { batch_size: 4, learning_rate: [2e-4, 1e-4] };
      const response = await create(`any-artifact://acme/p/lines${suffix}`, { config });
      expect([response.status, response.json()]).toMatchObject([
        200,
        {
          kind: 'sft',
          status: 'queued',
          config: { ...config, assistant_turns: 'all', metric_logging: { enabled: false, target_training_step: 1 } },
          data: { groups_submitted: 0, trajectories: 0 },
        },
      ]);
      expect(await rowOf(response.json().id)).toMatchObject({ dataVersionId: versionId, inputUri: null });
    }
  });

  it('copies the lines of a data: URL', async () => {
    const line = '{"messages":[{"role":"user","content":"a, ä"}]}';
    for (const url of [
      `data:,${encodeURIComponent(line)}`,
      `data:application/jsonl;base64,${Buffer.from(line).toString('base64')}`,
    ]) {
      const row = await rowOf((await create(url)).json().id);
      expect((await app.store.read(row.inputUri as string, row.inputSha256 as string)).toString()).toBe(line);
      expect(row.trainingDataUrl).toBe(url.slice(0, url.indexOf(',')));
    }
  });

  it('keeps a configuration that it does not know, as far as the database can hold it', async () => {
    const sent = Buffer.from(
      `{"model_id":"${await createModel(app.caller)}","training_data_url":"https://example.com/a.jsonl",` +
        `"experimental_config":{"text":"a\\u0000b\\ud800","number":1.0}}`,
    );
    const response = await app.caller.post(JOBS, sent);
    expect(response.status).toBe(200);
    expect(await rowOf(response.json().id)).toMatchObject({
      extraConfig: { text: 'a\ufffdb\ufffd', number: 1 },
      trainingDataUrl: 'https://example.com/a.jsonl',
      dataVersionId: null,
      inputUri: null,
    });
  });

  it.each(['file:///etc/passwd', 'gopher://x/', 's3://bucket/key', 'data:,%zz', 'data:;base64,?'])(
    'refuses %s',
    async (url) => {
      const response = await create(url);
      expect([response.status, response.json().detail]).toMatchObject([
        422,
        [{ loc: ['body', 'training_data_url'], type: 'value_error' }],
      ]);
    },
  );

  it('refuses a data: URL of more than 8 MiB', async () => {
    const response = await create(`data:,${'x'.repeat(8 * 1_048_576 + 1)}`);
    expect([response.status, response.json().code]).toEqual([413, 'data.too_large']);
  });

  it('knows no such artifact, version or project', async () => {
    await addVersions('gone', [{ version: 0, isDeleted: true }]);
    for (const name of ['acme/p/none', 'acme/p/gone', 'acme/p/gone:v0', 'acme/nothing/gone', 'acme/p/lines:v9']) {
      const response = await create(`hone-artifact:///${name}`);
      expect([name, response.status, response.json().code]).toEqual([name, 404, 'artifact.not_found']);
    }
  });

  it('reads no artifact of an entity on which the caller has no role', async () => {
    await app.user('other-team');
    for (const name of ['other-team/p/x', 'nobody/p/x']) {
      const response = await create(`hone-artifact:///${name}:v0`);
      expect([response.status, response.json().code]).toEqual([403, 'access.denied']);
    }
    expect((await create('data:,x', {}, app.by(await app.user('sft-stranger')))).status).toBe(403);
  });

  it('fixes the validation data as it does the training data', async () => {
    const [v0] = await addVersions('held-out', [{ version: 0 }]);
    const line = '{"messages":[{"role":"user","content":"a, ä"}]}';
    const validate = async (validation_data_url: string) =>
      (await create('data:,x', { config: { validation_data_url } })).json();
    const artifact = await validate('hone-artifact:///acme/p/held-out:latest');
    expect(artifact.config.validation_data_url).toBe('hone-artifact:///acme/p/held-out:latest');
    expect(await rowOf(artifact.id)).toMatchObject({
      validationVersionId: v0,
      validationUri: null,
      dataVersionId: null,
    });
    const copied = await validate(`data:application/jsonl,${encodeURIComponent(line)}`);
    expect(copied.config.validation_data_url).toBe('data:application/jsonl');
    const row = await rowOf(copied.id);
    expect((await app.store.read(row.validationUri as string, row.validationSha256 as string)).toString()).toBe(line);
    expect((await app.store.read(row.inputUri as string, row.inputSha256 as string)).toString()).toBe('x');
    const remote = await validate('https://example.com/a.jsonl');
    expect(await rowOf(remote.id)).toMatchObject({ validationVersionId: null, validationUri: null });
    expect(remote.config.validation_data_url).toBe('https://example.com/a.jsonl');
  });

  it('checks the validation data as it does the training data, and stores nothing', async () => {
    const jobs = await app.db.client.trainingJob.count();
    const statusOf = async (validation_data_url: string) => {
      const { status, json } = await create('data:,x', { config: { validation_data_url } });
      return [status, json().code ?? json().detail[0].loc];
    };
    const field = ['body', 'config', 'validation_data_url'];
    expect(await statusOf('file:///etc/passwd')).toEqual([422, field]);
    expect(await statusOf('data:;base64,?')).toEqual([422, field]);
    expect(await statusOf(`data:,${'x'.repeat(8 * 1_048_576 + 1)}`)).toEqual([413, 'data.too_large']);
    expect(await statusOf('hone-artifact:///acme/p/none')).toEqual([404, 'artifact.not_found']);
    await app.user('validation-team');
    expect(await statusOf('hone-artifact:///validation-team/p/x')).toEqual([403, 'access.denied']);
    expect(await app.db.client.trainingJob.count()).toBe(jobs);
  });

  it('makes one job of one key', async () => {
    const body = { model_id: await createModel(app.caller), training_data_url: 'data:,x' };
    const headers = { 'idempotency-key': 'sft' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.caller.post(JOBS, body, { headers })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await app.db.client.trainingJob.count({ where: { modelId: body.model_id } })).toBe(1);
  });
});
