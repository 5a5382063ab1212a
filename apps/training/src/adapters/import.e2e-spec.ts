import { gzipSync } from 'node:zlib';

import { newId } from '@hone/database';
import { aFile, multipart, type RequestOptions, type TestClient, until } from '@hone/testing';

import { createModel, loseBase, MODELS } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { anAdapter, archiveOf, filesOf, tarOf } from './adapter-archive.fixture.js';

const GZIP = { headers: { 'content-type': 'application/gzip' } };

describe('POST /v1/preview/models/{model_id}/checkpoints/import', () => {
  let training: TrainingApp;
  let caller: TestClient;
  let model: string;
  beforeAll(async () => {
    training = await startTrainingApp();
    caller = training.caller;
  });
  beforeEach(async () => {
    model = await createModel(caller);
  });
  afterAll(() => training.close());

  const pathOf = (id: string) => `${MODELS}/${id}/checkpoints`;
  const send = (body: Buffer, options: RequestOptions = GZIP, id = model) =>
    caller.post(`${pathOf(id)}/import`, body, options);
  const stepsOf = async (id: string) =>
    (await caller.get(pathOf(id))).json().data.map(({ step }: { step: number }) => step);

  it('makes the adapter the next step of the model, and keeps nothing else that was sent', async () => {
    const adapter = anAdapter({ rank: 3, alpha: 12 });
    const files = [
      { path: 'adapter/', type: 'Directory' as const },
      ...filesOf(adapter, 'adapter/'),
      { path: 'adapter/README.md', content: 'read me' },
      { path: 'adapter/sub/adapter_config.json', content: '{}' },
    ];
    const { status, json } = await send(archiveOf(files));
    const imported = json();
    expect([status, imported]).toEqual([
      200,
      {
        id: expect.any(String),
        step: 1,
        metrics: {},
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        job_id: null,
        kind: 'import',
        parent_step: 0,
        bytes: expect.any(Number),
        pinned: false,
        engine: null,
        files: ['adapter_config.json', 'adapter_model.safetensors', 'manifest.json', 'state.json'].map((path) => ({
          path,
          bytes: expect.any(Number),
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        })),
        named_base_model: 'org/base',
        rank: 3,
        alpha: 12,
        use_rslora: false,
        rank_pattern: {},
        alpha_pattern: {},
        target_modules: ['q_proj', 'down_proj'],
        ignored_files: ['adapter/README.md', 'adapter/sub/adapter_config.json'],
      },
    ]);
    const { named_base_model: _base, rank: _rank, alpha: _alpha, ...rest } = imported;
    const { use_rslora: _rslora, rank_pattern: _ranks, alpha_pattern: _alphas, ...others } = rest;
    const { target_modules: _targets, ignored_files: _ignored, ...detail } = others;
    expect((await caller.get(`${pathOf(model)}/1`)).json()).toEqual(detail);
    const { id, step, metrics } = imported;
    expect((await caller.get(pathOf(model))).json().data).toEqual([{ id, step, metrics }]);
    const config = await caller.get(`${pathOf(model)}/1/files/adapter_config.json`);
    expect(config.json()).toMatchObject({ base_model_name_or_path: 'hone-tiny', r: 3, lora_alpha: 12 });
  });

  it('takes the archive as the only part of a form, not packed, packed twice by the transport, under any folder', async () => {
    const tar = tarOf(filesOf(anAdapter(), './'));
    const form = multipart(aFile('my adapter.tgz', gzipSync(tar)));
    const answers = [
      await send(form.body, form.options),
      await send(tar, { headers: { 'content-type': 'application/x-tar' } }),
      await send(gzipSync(tar), { headers: { 'content-type': 'application/x-tar', 'content-encoding': 'gzip' } }),
      await send(gzipSync(gzipSync(tar)), { headers: { ...GZIP.headers, 'content-encoding': 'gzip' } }),
      await send(gzipSync(tar), { headers: { 'content-type': 'application/octet-stream' } }),
    ];
    expect(answers.map(({ status, json }) => [status, json().step])).toEqual(
      [1, 2, 3, 4, 5].map((step) => [200, step]),
    );
    const weights = answers.map(({ json }) => json().files[1].sha256);
    expect(new Set(weights).size).toBe(1);
  });

  it('answers with the options of its modules, and keeps them', async () => {
    const adapter = anAdapter({ rank: 2 });
    const options = { use_rslora: true, rank_pattern: { q_proj: 2 }, alpha_pattern: { 'layers.0.*down_proj': 3 } };
    Object.assign(adapter.config, options);
    const { status, json } = await send(archiveOf(filesOf(adapter)));
    expect(status).toBe(200);
    const resolved = { ...options, alpha_pattern: { 'model.layers.0.mlp.down_proj': 3 } };
    expect(json()).toMatchObject({ rank: 2, ...resolved });
    const config = await caller.get(`${pathOf(model)}/${json().step}/files/adapter_config.json`);
    expect(config.json()).toMatchObject({ r: 2, ...resolved });
  });

  it('widens 16-bit numbers and takes the names of a state dictionary', async () => {
    const adapter = anAdapter({ dtype: 'BF16', targets: ['v_proj'] });
    adapter.config['target_modules'] = 'all-linear';
    const named = Object.entries(adapter.tensors).map(([name, tensor]) => [
      name.replace(/\.weight$/, '.default.weight'),
      tensor,
    ]);
    const { status, json } = await send(archiveOf(filesOf({ ...adapter, tensors: Object.fromEntries(named) })));
    expect([status, json().target_modules]).toEqual([200, ['v_proj']]);
  });

  it('gives simultaneous imports steps of their own', async () => {
    const body = archiveOf(filesOf(anAdapter()));
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(body)));
    expect(answers.map(({ json }) => json().step).sort()).toEqual([1, 2, 3, 4]);
    expect(await stepsOf(model)).toEqual([1, 2, 3, 4]);
  });

  it('imports once for each Idempotency-Key', async () => {
    const headers = { ...GZIP.headers, 'idempotency-key': 'once' };
    const body = archiveOf(filesOf(anAdapter()));
    const [first, again] = [await send(body, { headers }), await send(body, { headers })];
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await send(archiveOf(filesOf(anAdapter({ rank: 4 }))), { headers });
    expect([other.status, other.json().code]).toEqual([409, 'idempotency.key_reused']);
    expect(await stepsOf(model)).toEqual([1]);
    const stored: string[] = [];
    for await (const { uri } of training.store.list(`models/${model}`)) stored.push(uri);
    expect(stored).toEqual([expect.stringContaining(first.json().id)]);
  });

  it('needs a base model that is here', async () => {
    const elsewhere = await createModel(caller);
    await loseBase(training, elsewhere, 'org/elsewhere');
    const { status, json, headers } = await send(archiveOf(filesOf(anAdapter())), GZIP, elsewhere);
    expect([status, json().code, headers['x-should-retry']]).toEqual([409, 'checkpoint.base_unavailable', 'false']);
  });

  it('stores nothing for a model that is deleted meanwhile', async () => {
    const body = archiveOf(filesOf(anAdapter()));
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    const sent = await training.db.transaction(async () => {
      await training.db.client.$executeRaw`UPDATE trainable_models SET deleted_at = now() WHERE id = ${model}::uuid`;
      const response = training.db.detached(() => send(body));
      // The import waits for the row of the model, which this transaction holds.
      await until(async () => (await training.sql(waiting)).length > 0, 'the wait for the row');
      return { response };
    });
    const { status, json } = await sent.response;
    expect([status, json().code]).toEqual([404, 'model.not_found']);
    expect(await training.sql('SELECT 1 FROM checkpoints WHERE model_id = $1', [model])).toEqual([]);
  });

  it('is for writers, and reveals nothing to others', async () => {
    const body = archiveOf(filesOf(anAdapter()));
    const reader = training.by(await training.user('only-reads', { roles: { acme: 'reader' } }));
    const stranger = training.by(await training.user('knows-nobody'));
    const path = `${pathOf(model)}/import`;
    const refusals = [await reader.post(path, body, GZIP), await stranger.post(path, body, GZIP)];
    expect(refusals.map(({ status, json }) => [status, json().code])).toEqual([
      [403, 'access.denied'],
      [403, 'access.denied'],
    ]);
    expect((await send(body, GZIP, newId())).json().code).toBe('model.not_found');
    expect((await caller.post(`${MODELS}/xyz/checkpoints/import`, body, GZIP)).status).toBe(422);
    expect(await stepsOf(model)).toEqual([]);
  });
});
