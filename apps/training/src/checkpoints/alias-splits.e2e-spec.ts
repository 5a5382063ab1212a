import { newId } from '@hone/database';
import { roundsOf, type TestClient } from '@hone/testing';

import { addCheckpoints, createModel, MODELS } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const ROUNDS = roundsOf(3, 'HONE_RACE_RUNS');
const CANDIDATE = { name: 'candidate', model: 'hone-tiny', weight: 0.05 };
const PROJECT = 'hone-artifact:///acme/p';

describe('splits of aliases', () => {
  let training: TrainingApp;
  let caller: TestClient;
  beforeAll(async () => {
    training = await startTrainingApp();
    caller = training.caller;
  });
  afterAll(() => training.close());

  const aliasOf = (modelId: string, alias = 'production') => `${MODELS}/${modelId}/aliases/${alias}`;
  const pathOf = (modelId: string, alias?: string) => `${aliasOf(modelId, alias)}/split`;
  const put = (modelId: string, body: unknown, by = caller) => by.put(pathOf(modelId), body);
  const codeOf = (answer: { status: number; json(): { code: string } }) => [answer.status, answer.json().code];

  /** A model with an alias `production` at step 1, and a checkpoint at step 2. */
  async function aModel(fields: Record<string, unknown> = {}): Promise<string> {
    const id = await createModel(caller, fields);
    await addCheckpoints(training, id, [1, 2]);
    await caller.put(aliasOf(id), { step: 1 });
    return id;
  }

  it('give shares of the requests to other models, until they are changed or ended', async () => {
    const model = await aModel({ name: 'splitting' });
    const arms = [
      { name: 'candidate', model: `${PROJECT}/splitting:step2`, weight: 0.05 },
      { name: 'large', model: 'gpt-5', weight: 0.25 },
    ];
    const made = await put(model, { arms, if_version: null });
    const wanted = {
      ...{ id: made.json().id, model_id: model, alias: 'production', version: 1, arms, production_weight: 0.7 },
      ...{ shadow: null, updated_at: expect.stringMatching(/Z$/), updated_by: training.writer.id },
    };
    expect(made.json()).toEqual(wanted);
    expect(made.status).toBe(200);
    expect((await caller.get(pathOf(model))).json()).toEqual(wanted);
    expect((await caller.get(`${MODELS}/${model}/aliases`)).json().data[0].split).toEqual(wanted);
    const shadow = { model: `${PROJECT}/splitting`, share: 0.5, max_cost_usd_per_day: 2 };
    const changed = await put(model, { arms: [], shadow, if_version: 1 });
    expect(changed.json()).toMatchObject({
      ...{ id: wanted.id, version: 2, arms: [], production_weight: 1 },
      shadow: { ...shadow, spent_usd_today: 0 },
    });
    // A repeat changes nothing.
    expect((await put(model, { arms: [], shadow })).json().version).toBe(2);
    expect((await caller.delete(pathOf(model))).json()).toEqual(changed.json());
    expect(codeOf(await caller.get(pathOf(model)))).toEqual([404, 'split.not_found']);
    expect(codeOf(await caller.delete(pathOf(model)))).toEqual([404, 'split.not_found']);
    const actions = await training.sql<{ action: string; detail: object }>(
      `SELECT action, detail FROM audit_log WHERE subject = $1 AND action LIKE '%split' ORDER BY id`,
      [model],
    );
    const named = { alias: 'production', model: 'acme/p/splitting' };
    const texts = [`candidate 0.05 ${PROJECT}/splitting:step2`, 'large 0.25 gpt-5'];
    const changedTo = { ...named, arms: [], shadow: `0.5 ${PROJECT}/splitting` };
    expect(actions).toEqual([
      { action: 'checkpoint_alias.split', detail: { ...named, arms: texts, shadow: null, version: 1 } },
      { action: 'checkpoint_alias.split', detail: { ...changedTo, version: 2 } },
      { action: 'checkpoint_alias.unsplit', detail: changedTo },
    ]);
  });

  it('leave the threads of an arm with it when its weight grows', async () => {
    const model = await aModel();
    const rangesOf = async () => {
      const [row] = await training.sql<{ ranges: object[] }>('SELECT ranges FROM alias_splits WHERE model_id = $1', [
        model,
      ]);
      return row?.ranges;
    };
    const armsOf = (...weights: number[]) =>
      weights.map((weight, at) => ({ name: `a${at}`, model: 'hone-tiny', weight }));
    await put(model, { arms: armsOf(0.1, 0.2) });
    await put(model, { arms: armsOf(0.3, 0.2) });
    expect(await rangesOf()).toEqual([
      { arm: 'a0', from: 0, to: 100_000 },
      { arm: 'a1', from: 100_000, to: 300_000 },
      { arm: 'a0', from: 300_000, to: 500_000 },
    ]);
  });

  it('change by compare-and-set, and report their version', async () => {
    const model = await aModel();
    const absent = await put(model, { arms: [CANDIDATE], if_version: 1 });
    expect(absent.json()).toEqual({ detail: "The alias 'production' has no split.", code: 'split.changed' });
    expect(absent.status).toBe(409);
    expect((await put(model, { arms: [CANDIDATE], if_version: null })).status).toBe(200);
    for (const expected of [null, 2, 4_000_000_000]) {
      const { status, json, headers } = await put(model, { arms: [], shadow: null, if_version: expected }).then(() =>
        put(model, { arms: [{ ...CANDIDATE, weight: 0.5 }], if_version: expected }),
      );
      expect(json()).toEqual({ detail: "The split of 'production' is at version 1.", code: 'split.changed' });
      expect(headers['hone-version']).toBe('1');
      expect(status).toBe(409);
    }
  });

  it('have one winner of many that change them from the same version', async () => {
    const model = await aModel();
    let at: number | null = null;
    for (let round = 0; round < ROUNDS; round++) {
      const weights = Array.from({ length: 8 }, (_, n) => (round * 10 + n + 1) / 1_000);
      const answers = await Promise.all(
        weights.map((weight) => put(model, { arms: [{ ...CANDIDATE, weight }], if_version: at })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
      at = (await caller.get(pathOf(model))).json().version as number;
      expect(at).toBe(round + 1);
    }
  });

  it('go with their alias and with their model', async () => {
    const model = await aModel();
    await put(model, { arms: [CANDIDATE] });
    const deleted = await caller.delete(aliasOf(model));
    expect(deleted.json().split.arms).toEqual([CANDIDATE]);
    await caller.put(aliasOf(model), { step: 2 });
    expect((await caller.get(pathOf(model))).status).toBe(404);
    await put(model, { arms: [CANDIDATE] });
    // A move of the alias leaves its split.
    expect((await caller.put(aliasOf(model), { step: 1 })).json().split.arms).toEqual([CANDIDATE]);
    expect((await caller.delete(`${MODELS}/${model}`)).status).toBe(200);
    expect(await training.sql('SELECT FROM alias_splits WHERE model_id = $1', [model])).toEqual([]);
  });

  it('keep the checkpoints that they name from being deleted, also those of other models', async () => {
    const [model, other] = [await aModel({ name: 'keeper' }), await aModel({ name: 'kept' })];
    const arm = { ...CANDIDATE, model: `other-artifact://acme/p/kept:step2` };
    expect((await put(model, { arms: [arm] })).status).toBe(200);
    const remove = () => caller.delete(`${MODELS}/${other}/checkpoints`, { steps: [2] });
    const refused = await remove();
    expect(refused.json()).toEqual({
      detail: "The split of the alias 'production' of the model 'keeper' names the checkpoint at step 2.",
      code: 'checkpoint.in_split',
    });
    expect(refused.status).toBe(409);
    await put(model, { arms: [], shadow: { model: `${PROJECT}/kept:step2`, share: 1 } });
    expect((await remove()).status).toBe(409);
    await caller.delete(pathOf(model));
    expect((await remove()).json().deleted_count).toBe(1);
  });

  it('never name a checkpoint that is deleted at the same moment', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [name, model] = [`raced-${newId()}`, await aModel()];
      const other = await aModel({ name });
      const [set, deleted] = await Promise.all([
        put(model, { arms: [{ ...CANDIDATE, model: `${PROJECT}/${name}:step2` }] }),
        caller.delete(`${MODELS}/${other}/checkpoints`, { steps: [2] }),
      ]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([set.status, deleted.status]);
    }
  });

  it('may name each other, also at the same moment: an arm gets the checkpoint of an alias, never its split', async () => {
    const [a, b] = [`circle-${newId()}`, `circle-${newId()}`];
    const models = [await aModel({ name: a }), await aModel({ name: b })] as const;
    const armOf = (name: string) => [{ ...CANDIDATE, model: `${PROJECT}/${name}:production` }];
    const answers = await Promise.all([put(models[0], { arms: armOf(b) }), put(models[1], { arms: armOf(a) })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const own = await put(models[0], { arms: armOf(a) });
    expect(own.json().detail).toMatchObject([{ loc: ['body', 'arms', 0, 'model'], type: 'value_error' }]);
    expect(own.status).toBe(422);
    const ownShadow = await put(models[0], { arms: [], shadow: { model: `${PROJECT}/${a}:production`, share: 1 } });
    expect(ownShadow.json().detail).toMatchObject([{ loc: ['body', 'shadow', 'model'] }]);
  });

  it.each([
    `${PROJECT}/nobody`,
    `${PROJECT}/named:step3`,
    `${PROJECT}/named:step4000000000`,
    `${PROJECT}/named:candidate`,
    `${PROJECT}/named:step`,
    `${PROJECT}/named:a/b`,
    'hone-artifact:///acme/other/there',
    'hone-artifact:///other/p/there',
    'HONE-artifact:///acme/p/named',
  ])('name no model that is not there, nor one of another project: %s', async (model) => {
    const admin = training.by(await training.user(`admin-${newId()}`, { isAdmin: true }));
    await createModel(admin, { name: 'there', project: 'other', return_existing: true });
    await createModel(admin, { name: 'there', entity: 'other', return_existing: true });
    const id = await aModel({ name: 'named', return_existing: true }).catch(() =>
      createModel(caller, { name: 'named', return_existing: true }),
    );
    const answer = await put(id, { arms: [{ ...CANDIDATE, model }] });
    expect(codeOf(answer)).toEqual([404, 'split.model_not_found']);
    expect((await caller.get(pathOf(id))).status).toBe(404);
  });

  it('name no model that the key of the author may not ask', async () => {
    const model = await aModel();
    const user = await training.user('narrow', { roles: { acme: 'writer' } });
    await training.sql(`UPDATE api_keys SET attributes = '{"models": ["hone-*"]}' WHERE user_id = $1`, [user.id]);
    const by = training.by(user);
    expect(codeOf(await put(model, { arms: [{ ...CANDIDATE, model: 'gpt-5' }] }, by))).toEqual([
      404,
      'split.model_not_found',
    ]);
    expect((await put(model, { arms: [CANDIDATE] }, by)).status).toBe(200);
  });

  it('are of aliases that are there', async () => {
    const model = await createModel(caller);
    expect(codeOf(await put(model, { arms: [CANDIDATE] }))).toEqual([404, 'checkpoint.alias_not_found']);
    expect(codeOf(await put(newId(), { arms: [CANDIDATE] }))).toEqual([404, 'model.not_found']);
  });

  const armsOf = (...changes: object[]) => ({
    arms: changes.map((change, at) => ({ ...CANDIDATE, name: `a${at}`, ...change })),
  });
  it.each([
    [{}, ['arms'], 'missing'],
    [{ arms: null }, ['arms'], 'list_type'],
    [{ arms: [] }, ['arms'], 'value_error'],
    [armsOf({}, {}, {}, {}, {}, {}), ['arms'], 'too_many'],
    [armsOf({ weight: 0.6 }, { weight: 0.5 }), ['arms'], 'value_error'],
    [armsOf({ weight: 1.1 }), ['arms', 0, 'weight'], 'less_than_equal'],
    [armsOf({ weight: -0.1 }), ['arms', 0, 'weight'], 'greater_than_equal'],
    [armsOf({ weight: '0.1' }), ['arms', 0, 'weight'], 'float_type'],
    [armsOf({ weight: null }), ['arms', 0, 'weight'], 'float_type'],
    [armsOf({ name: 'a1' }, {}), ['arms', 1, 'name'], 'value_error'],
    [armsOf({ name: 'production' }), ['arms', 0, 'name'], 'string_pattern_mismatch'],
    [armsOf({ name: 'shadow' }), ['arms', 0, 'name'], 'string_pattern_mismatch'],
    [armsOf({ name: 'a"b' }), ['arms', 0, 'name'], 'string_pattern_mismatch'],
    [armsOf({ name: 'x'.repeat(65) }), ['arms', 0, 'name'], 'string_pattern_mismatch'],
    [armsOf({ model: '' }), ['arms', 0, 'model'], 'string_too_short'],
    [armsOf({ model: 'x'.repeat(513) }), ['arms', 0, 'model'], 'string_too_long'],
    [armsOf({ model: 'a\0' }), ['arms', 0, 'model'], 'string_unicode'],
    [armsOf({ extra: 1 }), ['arms', 0, 'extra'], 'extra_forbidden'],
    [{ ...armsOf({}), if_version: 0 }, ['if_version'], 'greater_than_equal'],
    [{ ...armsOf({}), shadow: {} }, ['shadow', 'model'], 'missing'],
    [{ arms: [], shadow: { model: 'm', share: 0 } }, ['shadow', 'share'], 'greater_than'],
    [{ arms: [], shadow: { model: 'm', share: 1.5 } }, ['shadow', 'share'], 'less_than_equal'],
    [
      { arms: [], shadow: { model: 'm', share: 1, max_cost_usd_per_day: 0 } },
      ['shadow', 'max_cost_usd_per_day'],
      'greater_than',
    ],
  ])('refuse %j', async (body, loc, type) => {
    const { status, json } = await put(newId(), body);
    expect(json().detail).toContainEqual({ loc: ['body', ...loc], msg: expect.any(String), type });
    expect(status).toBe(422);
  });

  it.each(['NaN', '1e400', '-Infinity', '0x1'])('refuse a weight of %s', async (number) => {
    const body = `{"arms":[{"name":"a","model":"hone-tiny","weight":${number}}]}`;
    expect((await caller.put(pathOf(newId()), Buffer.from(body))).status).toBe(422);
  });
});
