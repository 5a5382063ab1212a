import { createHash } from 'node:crypto';

import { newId } from '@hone/database';
import { MIB } from '@hone/platform';
import { aFile, multipart, type Part, type TestClient } from '@hone/testing';

import { addJob, createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const ARTIFACTS = '/v1/preview/artifacts';
const LIMIT = 3 * MIB;
const JSONL = { headers: { 'content-type': 'application/jsonl' } };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('artifacts', () => {
  let training: TrainingApp;
  let caller: TestClient;
  beforeAll(async () => {
    training = await startTrainingApp({ artifactLimitBytes: LIMIT });
    caller = training.caller;
  });
  afterAll(() => training.close());

  const upload = (name: string, ...parts: Part[]) => {
    const { body, options } = multipart(...parts);
    return caller.post(`${ARTIFACTS}/acme/p/${name}`, body, options);
  };

  describe('a file', () => {
    beforeAll(async () => {
      await upload('files', aFile('a.txt', 'first'));
      await upload('files', aFile('a.txt', 'second'));
    });

    it('is handed out as it was sent', async () => {
      const path = `${ARTIFACTS}/acme/p/files`;
      const { status, text, headers } = await caller.get(`${path}/v0/files/a.txt`);
      expect([status, text, headers['etag']]).toEqual([200, 'first', `"${sha256('first')}"`]);
      expect((await caller.get(`${path}/latest/files/a.txt`)).text).toBe('second');
      const known = await caller.get(`${path}/v0/files/a.txt`, {
        headers: { 'if-none-match': `"${sha256('first')}"` },
      });
      expect([known.status, known.text]).toEqual([304, '']);
    });

    it.each([
      'v2/files/a.txt',
      'v00/files/a.txt',
      'V0/files/a.txt',
      'x/files/a.txt',
      'v0/files/b.txt',
      'v0/files/..%2fa.txt',
    ])('is not at %s', async (path) => {
      const { status, json } = await caller.get(`${ARTIFACTS}/acme/p/files/${path}`);
      expect([status, json().code]).toEqual([404, 'artifact.not_found']);
    });

    it('of another entity is denied, whether it is there or not', async () => {
      const stranger = training.by(await training.user('stranger'));
      for (const name of ['files', 'none']) {
        const { status, json } = await stranger.get(`${ARTIFACTS}/acme/p/${name}/v0/files/a.txt`);
        expect([status, json()]).toEqual([
          403,
          { detail: "You have no access to entity 'acme'.", code: 'access.denied' },
        ]);
      }
    });
  });

  describe('the list', () => {
    it('pages through versions, narrowed by names', async () => {
      const owner = training.by(await training.user('lister', { roles: { lists: 'writer' } }));
      for (const name of ['a', 'b', 'a']) await owner.post(`${ARTIFACTS}/lists/p/${name}`, name, JSONL);
      const first = (await owner.get(`${ARTIFACTS}?limit=2`)).json();
      expect(first.data.map(({ name, version }: Record<string, string>) => `${name}:${version}`)).toEqual([
        'a:v0',
        'b:v0',
      ]);
      expect(first.data[0]).toEqual({
        id: first.first_id,
        name: 'a',
        version: 'v0',
        url: 'hone-artifact:///lists/p/a:v0',
        digest: sha256(`train.jsonl\0${sha256('a')}\n`),
        bytes: 1,
        created_at: expect.any(String),
      });
      await owner.delete(`${ARTIFACTS}/lists/p/b/v0`);
      const rest = (await owner.get(`${ARTIFACTS}?after=${first.last_id}`)).json();
      expect(rest).toMatchObject({ data: [{ name: 'a', version: 'v1' }], has_more: false });
      expect((await owner.get(`${ARTIFACTS}?name=b&entity=lists&project=p`)).json().data).toEqual([]);
      const unknown = await owner.get(`${ARTIFACTS}?after=${newId()}`);
      expect([unknown.status, unknown.json().detail[0].loc]).toEqual([422, ['query', 'after']]);
      expect((await owner.get(`${ARTIFACTS}?entity=acme`)).status).toBe(403);
    });
  });

  describe('a delete', () => {
    it('takes a version away, and never gives its number again', async () => {
      await upload('gone', aFile('f'));
      const { id } = (await upload('gone', aFile('f'))).json();
      const { status, json } = await caller.delete(`${ARTIFACTS}/acme/p/gone/latest`);
      expect([status, json()]).toEqual([200, { id, version: 'v1' }]);
      expect((await caller.delete(`${ARTIFACTS}/acme/p/gone/v1`)).json().code).toBe('artifact.not_found');
      expect((await caller.get(`${ARTIFACTS}/acme/p/gone/latest/files/f`)).status).toBe(200);
      expect((await upload('gone', aFile('f'))).json().version).toBe('v2');
    });

    it.each(['data_version_id', 'validation_version_id'])(
      'is refused while an open job reads it as %s',
      async (column) => {
        const { id } = (await upload(column, aFile('f'))).json();
        const job = await addJob(training, await createModel(caller));
        await training.sql(`UPDATE training_jobs SET ${column} = $2 WHERE id = $1`, [job, id]);
        const { status, json } = await caller.delete(`${ARTIFACTS}/acme/p/${column}/v0`);
        expect([status, json().code]).toEqual([409, 'artifact.in_use']);
        await training.sql(`UPDATE training_jobs SET status = 'succeeded' WHERE id = $1`, [job]);
        expect((await caller.delete(`${ARTIFACTS}/acme/p/${column}/v0`)).status).toBe(200);
      },
    );

    it('needs a writer', async () => {
      const reader = training.by(await training.user('rita', { roles: { acme: 'reader' } }));
      expect((await reader.delete(`${ARTIFACTS}/acme/p/files/v0`)).status).toBe(403);
    });
  });
});
