import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  createTestDatabase,
  createTestUser,
  type ServiceProcess,
  startService,
  type TestDatabase,
  type TestUser,
  until,
} from '@hone/testing';

const MODELS = '/v1/preview/models';

interface Answer {
  id: string;
  base_metrics: object;
  data: unknown[];
}

describe('processes of the training service', () => {
  let database: TestDatabase;
  let user: TestUser;
  let dataDir: string;
  let first: ServiceProcess;
  let second: ServiceProcess;
  const start = () => startService('training', { DATABASE_URL: database.url, HONE_DATA_DIR: dataDir });
  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'hone-training-processes-'));
    user = await createTestUser(database.db, 'wendy', { roles: { acme: 'writer' } });
    [first, second] = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all([first.stop('SIGKILL'), second.stop('SIGKILL')]);
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  const headers = () => ({ authorization: `Bearer ${user.key}`, 'content-type': 'application/json' });
  async function send(service: ServiceProcess, method: string, path: string, body?: unknown) {
    const init = { method, headers: headers(), ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(service.url + path, init);
    return { status: response.status, json: (await response.json()) as Answer };
  }
  const aModel = (name: string) => ({
    entity: 'acme',
    project: 'p',
    name,
    base_model: 'hone-tiny',
    return_existing: true,
  });

  it('make one model of creates at once', async () => {
    const creates = Array.from({ length: 20 }, (_, n) => send(n % 2 ? first : second, 'POST', MODELS, aModel('one')));
    const answers = await Promise.all(creates);
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1);
  });

  it('know at once what the other one did', async () => {
    const { id } = (await send(first, 'POST', MODELS, aModel('two'))).json;
    const body = { split: 'val', trajectory_groups: [{ trajectories: [{ reward: 1 }] }] };
    expect((await send(second, 'POST', `${MODELS}/${id}/log`, body)).status).toBe(200);
    expect((await send(first, 'GET', `${MODELS}/${id}`)).json.base_metrics).toMatchObject({ 'val/reward': 1 });
    expect((await send(first, 'GET', `${MODELS}/${id}/trajectories`)).json.data).toHaveLength(1);
    expect((await send(second, 'DELETE', `${MODELS}/${id}`)).status).toBe(200);
    expect((await send(first, 'GET', `${MODELS}/${id}`)).status).toBe(404);
  });

  it('leave nothing but a temporary file of an upload that they are killed in', async () => {
    const victim = await start();
    const upload = request(`${victim.url}/v1/preview/artifacts/acme/p/cut`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/jsonl' },
    });
    upload.on('error', () => undefined);
    upload.write('x'.repeat(1_000_000));
    const temporary = () => readdir(join(dataDir, 'artifacts/tmp'));
    await until(async () => (await temporary()).length > 0, 'the begin of the upload');
    await victim.stop('SIGKILL');
    expect(await temporary()).toHaveLength(1);
    expect(await readdir(join(dataDir, 'artifacts')).then((names) => names.includes('artifacts'))).toBe(false);
    expect(await database.sql('SELECT 1 FROM artifact_versions')).toEqual([]);
  });

  it('keep nothing of an upload whose client goes away', async () => {
    const before = await readdir(join(dataDir, 'artifacts/tmp'));
    const upload = request(`${first.url}/v1/preview/artifacts/acme/p/gone`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'multipart/form-data; boundary=b' },
    });
    upload.on('error', () => undefined);
    upload.write(`--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n${'x'.repeat(1_000_000)}`);
    const temporary = () => readdir(join(dataDir, 'artifacts/tmp'));
    await until(async () => (await temporary()).length > before.length, 'the begin of the upload');
    upload.destroy();
    await until(async () => (await temporary()).length === before.length, 'the end of the upload');
    expect((await send(first, 'GET', MODELS)).status).toBe(200);
  });

  it('tell their dependencies, and stop when they are asked to', async () => {
    const service = await start();
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });
});
