import { newId } from '@hone/database';
import type { TestClient } from '@hone/testing';

import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { addCheckpoints, addJob, aModel, createModel, MODELS } from './model.fixture.js';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('trainable models', () => {
  let training: TrainingApp;
  let caller: TestClient;
  beforeAll(async () => {
    training = await startTrainingApp();
    caller = training.caller;
  });
  afterAll(() => training.close());

  const issuesOf = async (body: unknown) => {
    const { status, json } = await caller.post(MODELS, body);
    expect(status).toBe(422);
    return (json().detail as { loc: string[]; type: string }[]).map(({ loc, type }) => [loc.join('.'), type]);
  };
  const rows = (table: string, modelId: string) =>
    training.sql(`SELECT 1 FROM ${table} WHERE model_id = $1 AND deleted_at IS NULL`, [modelId]);

  describe('POST /v1/preview/models', () => {
    it('makes a model and its run', async () => {
      const { status, json } = await caller.post(MODELS, aModel({ name: 'first', return_existing: true }));
      expect([status, json()]).toEqual([
        200,
        {
          id: expect.stringMatching(ID),
          entity: 'acme',
          project: 'p',
          name: 'first',
          base_model: 'hone-tiny',
          run_id: expect.stringMatching(ID),
        },
      ]);
      expect(await rows('training_runs', json().id)).toHaveLength(1);
    });

    it('answers the model that there is, or refuses the name', async () => {
      const first = await caller.post(MODELS, aModel({ name: 'taken' }));
      const again = await caller.post(
        MODELS,
        aModel({ name: 'taken', base_model: 'another', return_existing: true, unknown: 1 }),
      );
      expect([again.status, again.text]).toEqual([200, first.text]);
      for (const body of [aModel({ name: 'taken' }), aModel({ name: 'taken', return_existing: false })]) {
        const refused = await caller.post(MODELS, body);
        expect([refused.status, refused.headers['x-should-retry'], refused.json()]).toEqual([
          409,
          'false',
          { detail: 'A model named taken exists in acme/p.', code: 'model.name_taken' },
        ]);
      }
    });

    it('names the bases that there are when it is asked for another', async () => {
      const asked = () =>
        caller.post(MODELS, aModel({ name: 'baseless', base_model: 'no-such/base', project: 'baseless' }));
      const { status, json } = await asked();
      const msg = 'Unknown base model. There are hone-tiny. Add one with: npm run models -- add';
      expect(status).toBe(422);
      expect(json()).toEqual({ detail: [{ loc: ['body', 'base_model'], msg, type: 'value_error' }] });
      expect(await training.sql(`SELECT 1 FROM projects WHERE name = 'baseless'`)).toEqual([]);
      for (const base_model of ['../models/hone-tiny', '/etc', 'hone-tiny/', 'x'.repeat(512)]) {
        expect(await issuesOf(aModel({ name: 'baseless', base_model }))).toEqual([['body.base_model', 'value_error']]);
      }
    });

    it('makes one model of one key, however often it is asked for', async () => {
      const headers = { 'idempotency-key': 'a-model' };
      const create = () => caller.post(MODELS, aModel({ name: 'by-key' }), { headers });
      const answers = await Promise.all(Array.from({ length: 20 }, create));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true')).toHaveLength(19);
      const other = await caller.post(MODELS, aModel({ name: 'by-key-2' }), { headers });
      expect([other.status, other.json().code]).toEqual([409, 'idempotency.key_reused']);
      const someoneElse = training.by(await training.user('key-other', { roles: { acme: 'writer' } }));
      expect((await someoneElse.post(MODELS, aModel({ name: 'by-key' }), { headers })).status).toBe(409);
    });

    it('keeps the names of projects apart', async () => {
      const here = await createModel(caller, { name: 'same', project: 'here' });
      expect(await createModel(caller, { name: 'same', project: 'there' })).not.toBe(here);
    });

    it('makes one row of 50 creates at once that take what there is', async () => {
      const body = aModel({ name: 'race', project: 'races', return_existing: true });
      const answers = await Promise.all(Array.from({ length: 50 }, () => caller.post(MODELS, body)));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect(await rows('training_runs', answers[0]?.json().id)).toHaveLength(1);
    });

    it('lets one of 50 creates at once have the name', async () => {
      const body = aModel({ name: 'sharp-race', project: 'new-races' });
      const answers = await Promise.all(Array.from({ length: 50 }, () => caller.post(MODELS, body)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)]);
    });

    it('takes the entity of the caller when none is named', async () => {
      for (const entity of [null, undefined]) {
        const { json } = await caller.post(MODELS, aModel({ entity, name: `of-${entity}` }));
        expect(json()).toMatchObject({ entity: 'wendy', project: 'p' });
      }
    });

    it('names each wrong field', async () => {
      expect(await issuesOf({ project: 'p', name: 'a/b' })).toEqual([
        ['body.name', 'value_error'],
        ['body.base_model', 'missing'],
      ]);
      expect(await issuesOf(aModel({ base_model: '', name: 'a:b', entity: '' }))).toEqual([
        ['body.entity', 'string_too_short'],
        ['body.name', 'value_error'],
        ['body.base_model', 'string_too_short'],
      ]);
      expect(await issuesOf(aModel({ project: 'x'.repeat(129), name: ' a', return_existing: 'yes' }))).toEqual([
        ['body.project', 'string_too_long'],
        ['body.name', 'value_error'],
        ['body.return_existing', 'bool_type'],
      ]);
      expect(await issuesOf(aModel({ name: '..', base_model: 7, project: null }))).toEqual([
        ['body.project', 'string_type'],
        ['body.name', 'value_error'],
        ['body.base_model', 'string_type'],
      ]);
    });

    it('makes entities for an administrator alone', async () => {
      const body = aModel({ entity: 'fresh' });
      const refused = await caller.post(MODELS, body);
      expect([refused.status, refused.json()]).toEqual([
        403,
        { detail: "You have no access to entity 'fresh'.", code: 'access.denied' },
      ]);
      const admin = training.by(await training.user('root', { isAdmin: true }));
      expect((await admin.post(MODELS, body)).json()).toMatchObject({ entity: 'fresh', project: 'p' });
    });

    it('stores nothing of what it refuses', async () => {
      await createModel(caller, { name: 'there', project: 'refusals' });
      await caller.post(MODELS, aModel({ name: 'there', project: 'refusals' }));
      const reader = training.by(await training.user('rita', { roles: { acme: 'reader' } }));
      expect((await reader.post(MODELS, aModel({ project: 'of-a-reader' }))).status).toBe(403);
      expect(await training.sql(`SELECT 1 FROM projects WHERE name = 'of-a-reader'`)).toEqual([]);
    });

    it('takes a name of any script', async () => {
      const name = 'модель 模型 🚂';
      const id = await createModel(caller, { name });
      expect((await caller.get(`${MODELS}/${id}`)).json()).toMatchObject({ name });
    });
  });

  describe('GET /v1/preview/models/{model_id}', () => {
    it('tells what became of it', async () => {
      const id = await createModel(caller, { name: 'known' });
      await addCheckpoints(training, id, [1, 2], { bytes: 100, uri: 'local:models/shared' });
      await addCheckpoints(training, id, [3], { bytes: 7 });
      await addJob(training, id);
      const { status, json } = await caller.get(`${MODELS}/${id}`);
      expect([status, json()]).toEqual([
        200,
        {
          id,
          entity: 'acme',
          project: 'p',
          name: 'known',
          base_model: 'hone-tiny',
          run_id: expect.stringMatching(ID),
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
          latest_step: 3,
          inference_name: 'hone-artifact:///acme/p/known',
          checkpoint_count: 3,
          bytes: 107,
          base_metrics: {},
          open_jobs: 1,
        },
      ]);
    });

    it('knows ids in either case, and a trailing slash', async () => {
      const id = await createModel(caller);
      expect((await caller.get(`${MODELS}/${id.toUpperCase()}/`)).json().id).toBe(id);
    });

    it('tells wrong ids from unknown ones', async () => {
      const wrong = await caller.get(`${MODELS}/xyz`);
      expect([wrong.status, wrong.json()]).toEqual([
        422,
        { detail: [{ loc: ['path', 'model_id'], msg: 'Input should be a valid UUID', type: 'uuid_parsing' }] },
      ]);
      const id = newId();
      const unknown = await caller.get(`${MODELS}/${id}`);
      expect([unknown.status, unknown.json()]).toEqual([
        404,
        { detail: `There is no model '${id}'.`, code: 'model.not_found' },
      ]);
    });
  });

  describe('GET /v1/preview/models', () => {
    const list = async (client: TestClient, query = '') => {
      const { status, json } = await client.get(`${MODELS}?${query}`);
      expect(status).toBe(200);
      return json();
    };
    const names = (page: { data: { name: string }[] }) => page.data.map(({ name }) => name);

    it('pages through the models that the caller may read', async () => {
      const owner = training.by(await training.user('lister', { roles: { lists: 'writer' } }));
      for (let n = 0; n < 5; n++)
        await createModel(owner, { entity: 'lists', project: n % 2 ? 'odd' : 'even', name: `m${n}` });
      const first = await list(owner, 'limit=2');
      expect(first).toMatchObject({
        object: 'list',
        has_more: true,
        first_id: first.data[0].id,
        last_id: first.data[1].id,
      });
      const rest = await list(owner, `after=${first.last_id}`);
      expect([...names(first), ...names(rest)]).toEqual(['m0', 'm1', 'm2', 'm3', 'm4']);
      expect(names(await list(owner, 'order=desc&limit=100'))).toEqual(['m4', 'm3', 'm2', 'm1', 'm0']);
      expect(names(await list(owner, 'project=odd'))).toEqual(['m1', 'm3']);
      expect(names(await list(owner, 'entity=lists&name=m2'))).toEqual(['m2']);
      expect(await list(owner, 'name=none')).toEqual({
        object: 'list',
        data: [],
        first_id: '',
        last_id: '',
        has_more: false,
      });
      await owner.delete(`${MODELS}/${first.last_id}`);
      expect(names(await list(owner, `after=${first.last_id}`))).toEqual(['m2', 'm3', 'm4']);
      const bound = training.by(await training.user('bound', { roles: { lists: 'reader' }, onlyProject: 'lists/odd' }));
      expect(names(await list(bound))).toEqual(['m3']);
      expect(
        names(await list(training.by(await training.user('chief', { isAdmin: true })), 'entity=lists&project=even')),
      ).toEqual(['m0', 'm2', 'm4']);
    });

    it('shows nothing of entities of others', async () => {
      const id = await createModel(caller);
      const stranger = training.by(await training.user('stranger'));
      expect((await list(stranger)).data).toEqual([]);
      const named = await stranger.get(`${MODELS}?entity=acme`);
      expect([named.status, named.json().code]).toEqual([403, 'access.denied']);
      expect((await stranger.get(`${MODELS}?after=${id}`)).json().detail[0]).toMatchObject({ loc: ['query', 'after'] });
    });

    it.each([
      ['limit=0', 'limit', 'greater_than_equal'],
      ['limit=101', 'limit', 'less_than_equal'],
      ['limit=x', 'limit', 'int_parsing'],
      ['limit=', 'limit', 'int_parsing'],
      ['limit=1.5', 'limit', 'int_parsing'],
      ['order=ASC', 'order', 'enum'],
      ['after=x', 'after', 'value_error'],
      [`after=${newId()}`, 'after', 'value_error'],
      ['name=%00', 'name', 'string_unicode'],
    ])('refuses ?%s', async (query, name, type) => {
      const { status, json } = await caller.get(`${MODELS}?${query}`);
      expect([status, json().detail]).toEqual([422, [{ loc: ['query', name], msg: expect.any(String), type }]]);
    });

    it('lets the last one of a repeated parameter count', async () => {
      expect((await list(caller, 'limit=x&limit=1&after=')).data).toHaveLength(1);
    });
  });

  it('takes SQL and paths for text', async () => {
    for (const text of [`'; DROP TABLE trainable_models; --`, `" OR 1=1`, '${x}', '..%2f..', '%2e%2e']) {
      const { status, json } = await caller.post(MODELS, aModel({ name: text, project: 'hostile' }));
      expect([status, json().name]).toEqual([200, text]);
      const path = encodeURIComponent(text);
      expect((await caller.get(`${MODELS}/${path}`)).status).toBe(422);
      expect((await caller.get(`${MODELS}?name=${path}`)).json().data).toMatchObject([{ name: text }]);
    }
  });
});
