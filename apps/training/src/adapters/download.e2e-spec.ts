import { createHash } from 'node:crypto';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import type { TestClient } from '@hone/testing';

import { addCheckpoints, createModel, MODELS } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { anAdapter, archiveOf, filesOf } from './adapter-archive.fixture.js';

const GZIP = { headers: { 'content-type': 'application/gzip' } };
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

describe('GET /v1/preview/models/{model_id}/checkpoints/{step}/download', () => {
  let training: TrainingApp;
  let caller: TestClient;
  let model: string;
  beforeAll(async () => {
    training = await startTrainingApp();
    caller = training.caller;
  });
  beforeEach(async () => {
    model = await createModel(caller, { name: `ünd ${crypto.randomUUID()}` });
  });
  afterAll(() => training.close());

  const pathOf = (id: string) => `${MODELS}/${id}/checkpoints`;
  const send = async (body: Buffer, id = model) => {
    const response = await caller.post(`${pathOf(id)}/import`, body, GZIP);
    expect(response.status).toBe(200);
    return response.json();
  };
  const download = (id: string, headers: Record<string, string> = {}) =>
    training.app.inject({
      method: 'GET',
      url: `${pathOf(id)}/1/download`,
      headers: { authorization: `Bearer ${training.writer.key}`, ...headers },
    });
  const folderOf = async (id: string) => {
    const [row] = await training.sql<{ uri: string }>('SELECT uri FROM checkpoints WHERE model_id = $1', [id]);
    return training.store.localPath(row?.uri as string);
  };

  it('gives what an import takes: another model then has the same files, and gives the same bytes', async () => {
    await send(archiveOf(filesOf(anAdapter({ dtype: 'BF16' }))));
    const sent = await download(model);
    expect([sent.statusCode, sent.headers['content-type']]).toEqual([200, 'application/gzip']);
    expect(sent.headers['content-disposition']).toMatch(/^attachment; filename="_nd_[0-9a-f-]+-step1\.tar\.gz"$/);
    const other = await createModel(caller);
    expect((await send(sent.rawPayload, other)).ignored_files).toEqual([]);
    const [mine, theirs] = await Promise.all([model, other].map((id) => caller.get(`${pathOf(id)}/1`)));
    expect(theirs?.json().files).toEqual(mine?.json().files);
    expect((await download(other)).rawPayload).toEqual(sent.rawPayload);
  });

  it('has a tag that stays, and that spares a client the bytes', async () => {
    await send(archiveOf(filesOf(anAdapter())));
    const first = await download(model);
    const etag = String(first.headers['etag']);
    const again = await download(model, { 'if-none-match': etag });
    expect([again.statusCode, again.rawPayload.length, again.headers['etag']]).toEqual([304, 0, etag]);
  });

  it('holds exactly the two files that PEFT reads, as they are stored, without a time', async () => {
    const { files } = await send(archiveOf(filesOf(anAdapter())));
    const tar = gunzipSync((await download(model)).rawPayload);
    const found: [string, string][] = [];
    for (let at = 0; tar[at] !== 0;) {
      const field = (from: number, length: number) =>
        tar.toString('latin1', at + from, at + from + length).split('\0', 1)[0] as string;
      const bytes = parseInt(field(124, 12), 8);
      expect([field(257, 5), parseInt(field(136, 12), 8)]).toEqual(['ustar', 0]);
      found.push([field(0, 100), sha256(tar.subarray(at + 512, at + 512 + bytes))]);
      at += 512 + Math.ceil(bytes / 512) * 512;
    }
    const stored = (files as { path: string; sha256: string }[]).slice(0, 2);
    expect(found).toEqual(stored.map((file) => [file.path, file.sha256]));
  });

  it('is for readers', async () => {
    await send(archiveOf(filesOf(anAdapter())));
    const reader = training.by(await training.user('who-reads', { roles: { acme: 'reader' } }));
    const stranger = training.by(await training.user('who-does-not'));
    const path = `${pathOf(model)}/1/download`;
    expect((await reader.get(path)).status).toBe(200);
    const refused = await stranger.get(path);
    expect([refused.status, refused.json().code]).toEqual([403, 'access.denied']);
  });

  it.each(['1', '0', '-1', 'latest', '99999999999'])('knows no checkpoint %s of a new model', async (step) => {
    const { status, json } = await caller.get(`${pathOf(model)}/${step}/download`);
    expect([status, json().code]).toEqual([404, 'checkpoint.not_found']);
  });

  it('refuses a checkpoint of all weights', async () => {
    const manifest = JSON.stringify({ files: [{ path: 'model.safetensors', bytes: 1, sha256: sha256('x') }] });
    const folder = await training.store.createFolder();
    await writeFile(join(folder.path, 'manifest.json'), manifest);
    const { uri } = await folder.commit(`models/${model}/full`);
    await addCheckpoints(training, model, [1], { uri, manifestSha256: sha256(manifest) });
    const { statusCode, json } = await download(model);
    expect([statusCode, json().code]).toEqual([409, 'checkpoint.not_an_adapter']);
  });

  it('never passes a damaged file for a whole one', async () => {
    await send(archiveOf(filesOf(anAdapter())));
    await appendFile(join(await folderOf(model), 'adapter_model.safetensors'), 'x');
    await expect(download(model)).rejects.toThrow(); // the connection breaks off
    const gone = await createModel(caller);
    const { id } = await send(archiveOf(filesOf(anAdapter())), gone);
    const [row] = await training.sql<{ uri: string }>('SELECT uri FROM checkpoints WHERE id = $1', [id]);
    await training.store.delete(`${row?.uri}/adapter_model.safetensors`);
    const { statusCode, json } = await download(gone);
    expect([statusCode, json().code]).toEqual([500, 'storage.missing']);
  });
});
