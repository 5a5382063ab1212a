import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { newId } from '@hone/database';
import type { TestClient } from '@hone/testing';

import { addCheckpoints, createModel, MODELS } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const EMPTY = { object: 'list', data: [], first_id: '', last_id: '', has_more: false };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('checkpoints', () => {
  let training: TrainingApp;
  let caller: TestClient;
  beforeAll(async () => {
    training = await startTrainingApp();
    caller = training.caller;
  });
  afterAll(() => training.close());

  const pathOf = (modelId: string) => `${MODELS}/${modelId}/checkpoints`;
  const page = async (modelId: string, query = '') => (await caller.get(`${pathOf(modelId)}?${query}`)).json();
  const steps = ({ data }: { data: { step: number }[] }) => data.map(({ step }) => step);

  describe('GET /v1/preview/models/{model_id}/checkpoints', () => {
    it('is empty for a new model', async () => {
      expect(await page(await createModel(caller))).toEqual(EMPTY);
    });

    it('tells the current step as clients ask for it', async () => {
      const model = await createModel(caller);
      const [, last] = await addCheckpoints(training, model, [1, 2], { metrics: { 'val/reward': 0.5 } });
      expect(await page(model, 'limit=1&order=desc')).toEqual({
        object: 'list',
        data: [{ id: last, step: 2, metrics: { 'val/reward': 0.5 } }],
        first_id: last,
        last_id: last,
        has_more: true,
      });
    });

    it.each(['asc', 'desc'])('joins to the whole list, %s, also when the last one seen is deleted', async (order) => {
      const model = await createModel(caller);
      const all = Array.from({ length: 45 }, (_, index) => index + 1);
      await addCheckpoints(training, model, all);
      const seen: number[] = [];
      for (let after = '', more = true; more;) {
        const found = await page(model, `order=${order}&after=${after}`);
        seen.push(...steps(found));
        after = found.last_id;
        more = found.has_more;
        await caller.delete(pathOf(model), { steps: [seen.at(-1)] });
      }
      expect(seen).toEqual(order === 'asc' ? all : all.reverse());
    });

    it.each([
      ['limit=0', 'limit', 'greater_than_equal'],
      ['limit=101', 'limit', 'less_than_equal'],
      ['limit=x', 'limit', 'int_parsing'],
      ['order=ASC', 'order', 'enum'],
      ['order=up', 'order', 'enum'],
      ['after=cursor', 'after', 'value_error'],
    ])('refuses ?%s', async (query, name, type) => {
      const { status, json } = await caller.get(`${pathOf(newId())}?${query}`);
      expect([status, json().detail]).toEqual([422, [{ loc: ['query', name], msg: expect.any(String), type }]]);
    });

    it('refuses a cursor of another model, and one of none', async () => {
      const [model, other] = [await createModel(caller), await createModel(caller)];
      const [id] = await addCheckpoints(training, other, [1]);
      for (const after of [id, newId()]) {
        const { status, json } = await caller.get(`${pathOf(model)}?after=${after}`);
        expect([status, json().detail]).toEqual([
          422,
          [{ loc: ['query', 'after'], msg: 'Input should be the id of an item of this list', type: 'value_error' }],
        ]);
      }
    });
  });

  describe('DELETE /v1/preview/models/{model_id}/checkpoints', () => {
    it('deletes what there is and tells what there is not', async () => {
      const model = await createModel(caller);
      await addCheckpoints(training, model, [1, 2, 3]);
      const { status, json } = await caller.delete(pathOf(model), { steps: [2, 9, 2, -1, 9] });
      expect([status, json()]).toEqual([200, { deleted_count: 1, not_found_steps: [9, -1] }]);
      expect(steps(await page(model))).toEqual([1, 3]);
      const again = await caller.delete(pathOf(model), { steps: [2, 0, 3_000_000_000, 1e300, 3] });
      expect(again.json()).toEqual({ deleted_count: 1, not_found_steps: [2, 0, 3_000_000_000, 1e300] });
      expect((await caller.delete(pathOf(model), { steps: [] })).json()).toEqual({
        deleted_count: 0,
        not_found_steps: [],
      });
    });

    it('keeps the number of a deleted step to itself', async () => {
      const model = await createModel(caller);
      await addCheckpoints(training, model, [1, 2]);
      await caller.delete(pathOf(model), { steps: [2] });
      expect((await caller.get(`${MODELS}/${model}`)).json()).toMatchObject({ latest_step: 1, checkpoint_count: 1 });
      expect(await training.sql('SELECT last_step FROM trainable_models WHERE id = $1', [model])).toEqual([
        { last_step: 2 },
      ]);
    });

    it.each([
      [{ steps: [1.5] }, ['body', 'steps', 0], 'int_type'],
      [{ steps: [1, true] }, ['body', 'steps', 1], 'int_type'],
      [{ steps: ['1'] }, ['body', 'steps', 0], 'int_type'],
      [{ steps: null }, ['body', 'steps'], 'list_type'],
      [{}, ['body', 'steps'], 'missing'],
      [{ steps: Array.from({ length: 10_001 }, () => 1) }, ['body', 'steps'], 'too_many'],
      [undefined, ['body'], 'missing'],
      ['[]', ['body'], 'dict_type'],
      ['{', ['body', 1], 'json_invalid'],
    ])('refuses %j', async (body, loc, type) => {
      const { status, json } = await caller.delete(pathOf(newId()), body);
      expect([status, json().detail]).toEqual([422, [{ loc, msg: expect.any(String), type }]]);
    });

    it('takes 10,000 steps at once', async () => {
      const model = await createModel(caller);
      const all = Array.from({ length: 10_000 }, (_, index) => index + 1);
      await addCheckpoints(training, model, all);
      expect((await caller.delete(pathOf(model), { steps: all })).json()).toEqual({
        deleted_count: 10_000,
        not_found_steps: [],
      });
    });

    it('counts a step once that two calls delete at once', async () => {
      const model = await createModel(caller);
      await addCheckpoints(training, model, [1, 2, 3]);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => caller.delete(pathOf(model), { steps: [1, 2, 3] })),
      );
      expect(answers.map(({ json }) => json().deleted_count).reduce((sum, count) => sum + count)).toBe(3);
    });

    it('leaves the latest and the best to a client that cleans up by a metric', async () => {
      const model = await createModel(caller);
      for (const [step, reward] of [0.1, 0.9, 0.3, 0.2].entries()) {
        await addCheckpoints(training, model, [step + 1], { metrics: { 'val/reward': reward } });
      }
      const { data } = (await page(model, 'limit=100')) as {
        data: { step: number; metrics: Record<string, number> }[];
      };
      const best = data.reduce((a, b) =>
        (b.metrics['val/reward'] as number) > (a.metrics['val/reward'] as number) ? b : a,
      );
      const kept = new Set([best.step, data.at(-1)?.step]);
      await caller.delete(pathOf(model), { steps: data.map(({ step }) => step).filter((step) => !kept.has(step)) });
      expect(steps(await page(model))).toEqual([2, 4]);
    });
  });

  describe('one checkpoint', () => {
    let model: string;
    let id: string;
    const manifest = JSON.stringify({ files: [{ path: 'state.json', bytes: 5, sha256: sha256('state') }] });
    beforeAll(async () => {
      model = await createModel(caller);
      const folder = await training.store.createFolder();
      await writeFile(join(folder.path, 'state.json'), 'state');
      await writeFile(join(folder.path, 'manifest.json'), manifest);
      const { uri, bytes } = await folder.commit(`models/${model}/step-1-a1-${newId()}`);
      [id] = (await addCheckpoints(training, model, [1], { uri, bytes, manifestSha256: sha256(manifest) })) as [string];
    });

    it('tells its files', async () => {
      const { status, json } = await caller.get(`${pathOf(model)}/1`);
      expect([status, json()]).toEqual([
        200,
        {
          id,
          step: 1,
          metrics: {},
          created_at: expect.any(String),
          job_id: expect.any(String),
          kind: 'rl',
          parent_step: 0,
          bytes: 5 + manifest.length,
          pinned: false,
          engine: null,
          files: [
            { path: 'manifest.json', bytes: manifest.length, sha256: sha256(manifest) },
            { path: 'state.json', bytes: 5, sha256: sha256('state') },
          ],
        },
      ]);
    });

    it('names the training server that made it', async () => {
      const engine = {
        name: 'skyrl',
        kind: 'tinker',
        server_model: '/models/tiny',
        weights: 'tinker://model_1/weights/x',
        rank: 32,
        alpha: 32,
        reduction: 'sequence_mean',
        clip: 'none',
      };
      const stored = JSON.stringify({ ...engine, added: 'by a later version' });
      await training.sql('UPDATE checkpoints SET engine = $2::jsonb WHERE id = $1', [id, stored]);
      expect((await caller.get(`${pathOf(model)}/1`)).json().engine).toEqual(engine);
    });

    it('is pinned while somebody reads it', async () => {
      const pin = (expires: string) =>
        training.sql(
          `INSERT INTO checkpoint_pins (project_id, checkpoint_id, holder, expires_at)
           SELECT project_id, id, 'gateway:x', now() ${expires} FROM checkpoints WHERE id = $1
           ON CONFLICT (project_id, checkpoint_id, holder) DO UPDATE SET expires_at = excluded.expires_at`,
          [id],
        );
      await pin(`+ interval '1 minute'`);
      expect((await caller.get(`${pathOf(model)}/1`)).json().pinned).toBe(true);
      await pin(`- interval '1 minute'`);
      expect((await caller.get(`${pathOf(model)}/1`)).json().pinned).toBe(false);
    });

    it('sends a file once, and answers 304 when the client has it', async () => {
      const path = `${pathOf(model)}/1/files/state.json`;
      const { status, text, headers } = await caller.get(path);
      expect([status, text, headers['etag'], headers['content-length']]).toEqual([
        200,
        'state',
        `"${sha256('state')}"`,
        '5',
      ]);
      const known = await caller.get(path, { headers: { 'if-none-match': `"x", "${sha256('state')}"` } });
      expect([known.status, known.text]).toEqual([304, '']);
    });

    it.each(['none', '..%2fmanifest.json', 'state.json%00', "'"])('has no file %s', async (file) => {
      expect((await caller.get(`${pathOf(model)}/1/files/${file}`)).status).toBe(404);
    });

    it.each(['0', '2', '01', '-1', 'x', '1e0', '99999999999', "1'%20OR"])('is not at step %s', async (step) => {
      const { status, json } = await caller.get(`${pathOf(model)}/${step}`);
      expect([status, json().code]).toEqual([404, 'checkpoint.not_found']);
    });

    it('says that a damaged one is damaged', async () => {
      const damaged = await createModel(caller);
      const { uri } = await training.store.put(`models/${damaged}/step-1/manifest.json`, Buffer.from('{}'));
      await addCheckpoints(training, damaged, [1], {
        uri: uri.replace('/manifest.json', ''),
        manifestSha256: sha256('x'),
      });
      const { status, json } = await caller.get(`${pathOf(damaged)}/1`);
      expect([status, json().code]).toEqual([500, 'storage.corrupt']);
    });
  });
});
