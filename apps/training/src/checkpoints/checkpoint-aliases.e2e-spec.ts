import { newId } from '@hone/database';
import type { TestClient } from '@hone/testing';
import { roundsOf } from '@hone/testing';

import { addCheckpoints, createModel, MODELS } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const ROUNDS = roundsOf(3, 'HONE_RACE_RUNS');

describe('aliases of checkpoints', () => {
  let training: TrainingApp;
  let caller: TestClient;
  beforeAll(async () => {
    training = await startTrainingApp();
    caller = training.caller;
  });
  afterAll(() => training.close());

  const pathOf = (modelId: string, alias = '') => `${MODELS}/${modelId}/aliases${alias && `/${alias}`}`;
  const put = (modelId: string, alias: string, body: unknown) => caller.put(pathOf(modelId, alias), body);
  const listed = async (modelId: string) =>
    (await caller.get(pathOf(modelId)))
      .json()
      .data.map((one: { alias: string; step: number }) => [one.alias, one.step]);
  const actionsOf = (modelId: string) =>
    training.sql<{ action: string; detail: object }>(
      'SELECT action, detail FROM audit_log WHERE subject = $1 ORDER BY id',
      [modelId],
    );

  it('name a checkpoint, or the base, until they are moved or deleted', async () => {
    const model = await createModel(caller, { name: 'aliased' });
    const [one, two] = await addCheckpoints(training, model, [1, 2]);
    const made = await put(model, 'production', { step: 1 });
    expect(made.json()).toEqual({
      alias: 'production',
      model_id: model,
      step: 1,
      checkpoint_id: one,
      split: null,
      updated_at: expect.stringMatching(/Z$/),
      updated_by: training.writer.id,
    });
    expect(made.status).toBe(200);
    expect((await put(model, 'production', { step: 2 })).json()).toMatchObject({ step: 2, checkpoint_id: two });
    expect((await put(model, 'Base-line.1', { step: 0 })).json()).toMatchObject({ step: 0, checkpoint_id: null });
    expect(await listed(model)).toEqual([
      ['Base-line.1', 0],
      ['production', 2],
    ]);
    expect((await caller.delete(pathOf(model, 'production'))).json()).toMatchObject({ alias: 'production', step: 2 });
    const gone = await caller.delete(pathOf(model, 'production'));
    expect(gone.json().code).toBe('checkpoint.alias_not_found');
    expect(gone.status).toBe(404);
    const named = { alias: 'production', model: 'acme/p/aliased' };
    expect(await actionsOf(model)).toEqual([
      { action: 'checkpoint_alias.put', detail: { ...named, step: 1, step_before: null } },
      { action: 'checkpoint_alias.put', detail: { ...named, step: 2, step_before: 1 } },
      { action: 'checkpoint_alias.put', detail: { ...named, alias: 'Base-line.1', step: 0, step_before: null } },
      { action: 'checkpoint_alias.delete', detail: { ...named, step_before: 2 } },
    ]);
  });

  it('move by compare-and-set, and report the step that they are at', async () => {
    const model = await createModel(caller);
    await addCheckpoints(training, model, [1, 2]);
    const absent = await put(model, 'production', { step: 1, if_step: 1 });
    expect(absent.json()).toEqual({ detail: "There is no alias 'production'.", code: 'checkpoint.alias_moved' });
    expect(absent.headers['hone-step']).toBeUndefined();
    expect(absent.status).toBe(409);
    expect((await put(model, 'production', { step: 1, if_step: null })).status).toBe(200);
    for (const expected of [null, 0, 2, 4_000_000_000]) {
      const { status, json, headers } = await put(model, 'production', { step: 2, if_step: expected });
      expect(json()).toEqual({ detail: "The alias 'production' is at step 1.", code: 'checkpoint.alias_moved' });
      expect(headers['hone-step']).toBe('1');
      expect(headers['x-should-retry']).toBe('false');
      expect(status).toBe(409);
    }
    expect((await put(model, 'production', { step: 2, if_step: 1 })).json().step).toBe(2);
    // A repeat changes nothing, and is no second change in the audit log.
    expect((await put(model, 'production', { step: 2 })).status).toBe(200);
    expect(await actionsOf(model)).toHaveLength(2);
  });

  it('have one winner of many that move them from the same step', async () => {
    const model = await createModel(caller);
    const steps = Array.from({ length: 12 }, (_, at) => at + 1);
    await addCheckpoints(training, model, steps);
    let at: number | null = null;
    for (let round = 0; round < ROUNDS; round++) {
      const tried = steps.filter((step) => step !== at);
      const answers = await Promise.all(tried.map((step) => put(model, 'race', { step, if_step: at })));
      const won = tried.filter((_, index) => answers[index]?.status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(tried.length - 1);
      expect(await listed(model)).toEqual([['race', won[0]]]);
      at = won[0] as number;
    }
  });

  it('keep their checkpoints from being deleted, and go with their model', async () => {
    const model = await createModel(caller);
    await addCheckpoints(training, model, [1, 2, 3]);
    await put(model, 'production', { step: 2 });
    await put(model, 'base-too', { step: 0 });
    const refused = await caller.delete(`${MODELS}/${model}/checkpoints`, { steps: [0, 1, 2, 9] });
    expect(refused.json()).toEqual({
      detail: "The alias 'production' names the checkpoint at step 2.",
      code: 'checkpoint.aliased',
    });
    expect(refused.status).toBe(409);
    const { data } = (await caller.get(`${MODELS}/${model}/checkpoints`)).json();
    expect(data).toHaveLength(3);
    expect((await caller.delete(`${MODELS}/${model}/checkpoints`, { steps: [1, 3] })).json().deleted_count).toBe(2);
    expect((await caller.delete(`${MODELS}/${model}`)).status).toBe(200);
    expect(await training.sql('SELECT FROM checkpoint_aliases WHERE model_id = $1', [model])).toEqual([]);
    expect((await put(model, 'production', { step: 0 })).json().code).toBe('model.not_found');
  });

  it('never name a checkpoint that is deleted at the same moment', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const model = await createModel(caller);
      await addCheckpoints(training, model, [1]);
      const [set, deleted] = await Promise.all([
        put(model, 'production', { step: 1 }),
        caller.delete(`${MODELS}/${model}/checkpoints`, { steps: [1] }),
      ]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([set.status, deleted.status]);
    }
  });

  it('are a hundred of a model at most', async () => {
    const model = await createModel(caller);
    for (let at = 0; at < 100; at++) expect((await put(model, `a${at}`, { step: 0 })).status).toBe(200);
    const { status, json } = await put(model, 'one-more', { step: 0 });
    expect(json().code).toBe('checkpoint.too_many_aliases');
    expect(status).toBe(409);
    await addCheckpoints(training, model, [1]);
    expect((await put(model, 'a7', { step: 1 })).status).toBe(200);
  });

  it.each([
    ...['7', 'step3', 'stepX', 'STEP1', 'latest', 'Latest', 'base', 'v0', 'V12', '-a', '.a', '_a', '%61%2Fb', 'a%3Ab'],
    ...['a%20b', 'pr%C3%BCfung', "a'b", 'x'.repeat(65)],
  ])('are never called %s', async (alias) => {
    const model = newId();
    for (const answer of [await put(model, alias, { step: 0 }), await caller.delete(pathOf(model, alias))]) {
      expect(answer.json().detail[0].loc).toEqual(['path', 'alias']);
      expect(answer.status).toBe(422);
    }
  });

  it.each([
    [{}, 'step', 'missing'],
    [{ step: null }, 'step', 'int_type'],
    [{ step: -1 }, 'step', 'greater_than_equal'],
    [{ step: 1.5 }, 'step', 'int_type'],
    [{ step: '1' }, 'step', 'int_type'],
    [{ step: 1, if_step: -1 }, 'if_step', 'greater_than_equal'],
    [{ step: 1, if_step: 'x' }, 'if_step', 'int_type'],
    [{ step: 1, extra: 1 }, 'extra', 'extra_forbidden'],
  ])('refuse %j', async (body, name, type) => {
    const { status, json } = await put(newId(), 'production', body);
    expect(json().detail).toEqual([{ loc: ['body', name], msg: expect.any(String), type }]);
    expect(status).toBe(422);
  });

  it('name no step that there is not', async () => {
    const model = await createModel(caller);
    await addCheckpoints(training, model, [1]);
    for (const step of [2, 2_147_483_648, 9_007_199_254_740_991, 1e300]) {
      const { status, json } = await put(model, 'production', { step });
      expect(json().code).toBe('checkpoint.not_found');
      expect(status).toBe(404);
    }
    expect(await listed(model)).toEqual([]);
  });
});
