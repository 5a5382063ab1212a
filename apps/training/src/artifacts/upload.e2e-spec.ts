import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { newId } from '@hone/database';
import { MIB } from '@hone/platform';
import { aFile, multipart, type Part, type TestClient } from '@hone/testing';

import { createModel, MODELS } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const ARTIFACTS = '/v1/preview/artifacts';
const LIMIT = 3 * MIB;
const JSONL = { headers: { 'content-type': 'application/jsonl' } };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('an upload of artifacts', () => {
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
  const issuesOf = ({
    status,
    json,
  }: {
    status: number;
    json: () => { detail: { loc: string[]; type: string }[] };
  }) => {
    expect(status).toBe(422);
    return json().detail.map(({ loc, type }) => [loc.join('.'), type]);
  };
  const versionsOf = (name: string) =>
    training.sql(
      `SELECT v.version FROM artifact_versions v JOIN artifacts a ON a.id = v.artifact_id WHERE a.name = $1 ORDER BY v.version`,
      [name],
    );

  it('of a raw body is train.jsonl of the next version', async () => {
    for (const version of [0, 1]) {
      const { status, json } = await caller.post(`${ARTIFACTS}/acme/p/raw`, 'line\n', JSONL);
      expect([status, json()]).toEqual([
        200,
        {
          url: `hone-artifact:///acme/p/raw:v${version}`,
          version: `v${version}`,
          id: expect.any(String),
          digest: sha256(`train.jsonl\0${sha256('line\n')}\n`),
          bytes: 5,
          files: [{ path: 'train.jsonl', bytes: 5, sha256: sha256('line\n') }],
        },
      ]);
    }
  });

  it('of several files keeps each, with what is said of them', async () => {
    const { status, json } = await upload(
      'several',
      aFile('b.jsonl', 'bb'),
      { name: 'metadata', content: '{"a":1,"t":"\\u0000"}' },
      aFile('a.txt', 'a'),
      { name: 'unknown', content: 'x' },
    );
    expect([status, json().files]).toEqual([
      200,
      [
        { path: 'a.txt', bytes: 1, sha256: sha256('a') },
        { path: 'b.jsonl', bytes: 2, sha256: sha256('bb') },
      ],
    ]);
    expect(await training.sql('SELECT metadata FROM artifact_versions WHERE id = $1', [json().id])).toEqual([
      { metadata: { a: 1, t: '\ufffd' } },
    ]);
  });

  it('counts versions up without a gap when many come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => upload('race', aFile('f'))));
    expect(answers.map(({ json }) => json().version).sort()).toEqual(
      Array.from({ length: 12 }, (_, version) => `v${version}`).sort(),
    );
  });

  it('makes a new project, and a new entity for an administrator', async () => {
    const admin = training.by(await training.user('root', { isAdmin: true }));
    const path = `${ARTIFACTS}/brand-new/q/first`;
    expect((await caller.post(path, 'x', JSONL)).status).toBe(403);
    expect((await admin.post(path, 'x', JSONL)).json().url).toBe('hone-artifact:///brand-new/q/first:v0');
  });

  it('may be packed', async () => {
    const { body, options } = multipart(aFile('f', 'text'));
    const headers = { ...options.headers, 'content-encoding': 'gzip' };
    const packed = await caller.post(`${ARTIFACTS}/acme/p/packed`, gzipSync(body), { headers });
    expect([packed.status, packed.json().bytes]).toEqual([200, 4]);
    expect(
      issuesOf(await caller.post(`${ARTIFACTS}/acme/p/packed`, gzipSync(body).subarray(0, 40), { headers })),
    ).toEqual([['body', 'value_error']]);
    const brotli = await caller.post(`${ARTIFACTS}/acme/p/packed`, body, {
      headers: { ...headers, 'content-encoding': 'br' },
    });
    expect([brotli.status, brotli.json().code]).toEqual([415, 'request.encoding_unsupported']);
  });

  it.each([
    ['application/json', '{}'],
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=b', 'no parts'],
    ['multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\ncut'],
    ['image/png', 'x'],
  ])('of %s %j is refused', async (type, body) => {
    const { status, json } = await caller.post(`${ARTIFACTS}/acme/p/bad`, body, {
      headers: { 'content-type': type },
    });
    expect([status, json().detail[0].loc[0]]).toEqual([422, 'body']);
    expect(await versionsOf('bad')).toEqual([]);
  });

  it.each(['..', '.', '../x', 'a/b', '', 'x'.repeat(129), 'é', 'a b'])(
    'of a file named %j is refused',
    async (name) => {
      expect(issuesOf(await upload('bad', aFile('fine'), aFile(name)))).toEqual([['body.files.1', 'value_error']]);
    },
  );

  it('of no file, of one name twice, or of too many is refused', async () => {
    expect(issuesOf(await upload('bad'))).toEqual([['body.files', 'missing']]);
    expect(issuesOf(await upload('bad', { name: 'metadata', content: '{}' }))).toEqual([['body.files', 'missing']]);
    expect(issuesOf(await upload('bad', aFile('f'), aFile('f')))).toEqual([['body.files.1', 'value_error']]);
    const many = Array.from({ length: 17 }, (_, index) => aFile(`f${index}`));
    expect(issuesOf(await upload('bad', ...many))).toEqual([['body.files', 'too_many']]);
  });

  it.each([
    ['metadata', '[]', 'body.metadata', 'dict_type'],
    ['metadata', '{', 'body.metadata.1', 'json_invalid'],
    ['metadata', '['.repeat(10_000), 'body.metadata', 'json_too_deep'],
    ['model_id', 'x', 'body.model_id', 'uuid_parsing'],
  ])('with a bad %s is refused (%#)', async (name, content, loc, type) => {
    expect(issuesOf(await upload('bad', aFile('f'), { name, content }))).toEqual([[loc, type]]);
  });

  it.each(['..%2Fx', 'a%2Fb', 'a:b', '%20a', '%2e%2e%2fx', 'x'.repeat(129)])(
    'to a name like %s is refused',
    async (name) => {
      expect(issuesOf(await caller.post(`${ARTIFACTS}/acme/p/${name}`, 'x', JSONL))).toEqual([
        ['path.name', 'value_error'],
      ]);
    },
  );

  it('over the limit is refused, and leaves nothing behind', async () => {
    const before = await readdir(join(training.dataDir, 'artifacts/artifacts'));
    const half = Buffer.alloc(LIMIT / 2 + 1);
    for (const response of [
      await caller.post(`${ARTIFACTS}/acme/p/big`, Buffer.alloc(LIMIT + 1), JSONL),
      await upload('big', aFile('a', half), aFile('b', half)),
    ]) {
      expect([response.status, response.json()]).toEqual([
        413,
        { detail: `The artifact is over the limit of ${LIMIT} bytes.`, code: 'limit.artifact_too_large' },
      ]);
    }
    expect((await caller.post(`${ARTIFACTS}/acme/p/big`, Buffer.alloc(LIMIT), JSONL)).status).toBe(200);
    expect(await readdir(join(training.dataDir, 'artifacts/tmp'))).toEqual([]);
    expect(await readdir(join(training.dataDir, 'artifacts/artifacts'))).toHaveLength(before.length + 1);
  });

  it('is made once for one key', async () => {
    const send = (content: string) => {
      const { body, options } = multipart(aFile('f', content));
      return caller.post(`${ARTIFACTS}/acme/p/keyed`, body, {
        headers: { ...options.headers, 'idempotency-key': 'k' },
      });
    };
    const answers = await Promise.all(Array.from({ length: 6 }, () => send('same')));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await versionsOf('keyed')).toEqual([{ version: 0 }]);
    expect((await send('other')).json().code).toBe('idempotency.key_reused');
    expect(await readdir(join(training.dataDir, 'artifacts/tmp'))).toEqual([]);
  });

  it('may belong to a model, and goes with it', async () => {
    const model = await createModel(caller);
    const { json } = await upload('of-a-model', aFile('f'), { name: 'model_id', content: model });
    expect(json().version).toBe('v0');
    await caller.delete(`${MODELS}/${model}`);
    expect((await caller.get(`${ARTIFACTS}/acme/p/of-a-model/v0/files/f`)).status).toBe(404);
    for (const content of [model, newId(), await createModel(caller, { project: 'elsewhere' })]) {
      const refused = await upload('of-a-model', aFile('f'), { name: 'model_id', content });
      expect([refused.status, refused.json().code]).toEqual([404, 'model.not_found']);
    }
    expect((await upload('of-a-model', aFile('f'))).json().version).toBe('v1');
  });
});
