import { newId } from '@hone/database';
import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { MeteringService } from '../../metering/recording/metering.service.js';
import {
  startSecondGateway,
  startTrainedGateway,
  type TrainedGateway,
  type WorldModel,
} from './trained-world.fixture.js';

const THREADS = Array.from({ length: 12 }, (_, n) => `thread-${n}`);
const PLAIN = { logprobs: null };

describe('a split of an alias', () => {
  let fake: FakeUpstream;
  let gateway: TrainedGateway;
  let model: WorldModel;
  let ref: string;
  beforeAll(async () => {
    fake = await FakeUpstream.start({ name: 'f' });
    const targets = [{ upstream: 'fake', model: 'ok' }];
    gateway = await startTrainedGateway({
      upstreams: [
        {
          name: 'fake',
          kind: 'openai-compatible',
          base_url: fake.baseUrl,
          params: 'all',
          models: [{ name: 'ok' }, { name: 'status@500' }],
          retries: 0,
        },
      ],
      routes: [
        { id: 'large', targets, price: { prompt: 7, completion: 7 } },
        { id: 'broken', targets: [{ upstream: 'fake', model: 'status@500' }] },
      ],
    });
    model = await gateway.world.createModel({ name: 'agent', project: 'other' });
    for (const step of [1, 2]) await gateway.world.commit(model, step);
    await gateway.world.setAlias(model, 'production', 1);
    await gateway.world.setAlias(model, 'candidate', 2);
    ref = `${model.ref}:production`;
  });
  afterAll(async () => {
    await gateway.close();
    await fake.stop();
  });

  const split = (...arms: [string, string, number][]) =>
    gateway.world.setSplit(
      model,
      'production',
      arms.map(([name, arm, weight]) => ({ name, model: arm, weight })),
    );

  /** The arm and the model that answer a thread. */
  async function answerIn(thread: string | null, from = gateway, headers: Record<string, string> = {}) {
    const rid = newId();
    const sent = { 'x-request-id': rid, ...(thread !== null && { 'hone-thread': thread }), ...headers };
    const answer = await from.ask(ref, PLAIN, { headers: sent });
    expect(answer.status).toBe(200);
    return { rid, arm: answer.headers['hone-arm'], model: answer.json().model as string };
  }
  const armsFrom = (from: TrainedGateway) =>
    Promise.all(THREADS.map(async (thread) => (await answerIn(thread, from)).arm));

  async function callOf(rid: string) {
    await gateway.app.get(MeteringService).flush();
    const [call] = await gateway.sql<{ attributes: Record<string, unknown>; project: string }>(
      `SELECT v.attributes_text::json attributes, p.name project FROM call_values v JOIN projects p ON p.id = v.project_id
       WHERE v.id = $1`,
      [rid],
    );
    return call;
  }

  it('sends each thread to one arm, on every replica, and its calls name the arm', async () => {
    await split(['second', `${model.ref}:step2`, 0.3], ['large', 'large', 0.3]);
    await until(async () => (await answerIn('thread-0')).arm !== undefined, 'the split is seen');
    const arms = await armsFrom(gateway);
    expect(new Set(arms)).toEqual(new Set(['second', 'large', 'production']));
    const second = await startSecondGateway(gateway);
    try {
      expect(await armsFrom(second)).toEqual(arms);
    } finally {
      await second.close();
    }
    const answeredBy = { second: `${model.ref}:step2`, large: 'ok', production: `${model.ref}:step1` };
    for (const [arm, answered] of Object.entries(answeredBy)) {
      const answer = await answerIn(THREADS[arms.indexOf(arm)] as string);
      expect(answer).toMatchObject({ arm, model: answered });
      const call = await callOf(answer.rid);
      expect(call?.attributes).toMatchObject({ route: ref, model: answered });
      expect(call?.attributes['split']).toEqual({ id: expect.any(String), alias: 'production', version: 1, arm });
      // The requests of all arms are booked to the project of the alias.
      expect(call?.project).toBe('other');
    }
  });

  it('draws by the user, and by the request where it names neither thread nor user', async () => {
    await split(['second', `${model.ref}:candidate`, 0.5]);
    await until(async () => (await answerIn('x')).arm !== undefined, 'the split is seen');
    const arms = await armsFrom(gateway);
    const byUser = await Promise.all(
      THREADS.map(async (user) => (await gateway.ask(ref, { ...PLAIN, user })).headers['hone-arm']),
    );
    expect(byUser).toEqual(arms);
    const byId = await Promise.all(
      THREADS.map(async (id) => (await answerIn(null, gateway, { 'x-request-id': id })).arm),
    );
    expect(byId).toEqual(arms);
  });

  it('lets production answer for a model that is not there, and the call says so', async () => {
    const elsewhere = await gateway.world.createModel({ name: 'theirs', entity: 'foreign' });
    for (const gone of ['nobody', `${model.ref}:step9`, `${model.ref}:nobody`, elsewhere.ref]) {
      await split(['gone', gone, 1]);
      await until(async () => (await answerIn('x')).arm === 'production', 'production answers');
      const { rid, model: answered } = await answerIn('x');
      expect(answered).toBe(`${model.ref}:step1`);
      const note = { arm: 'production', unresolved: 'gone' };
      expect((await callOf(rid))?.attributes['split']).toMatchObject(note);
    }
  });

  it('is not slowed down by an arm that is not there, however many requests ask for it', async () => {
    await split(['gone', `${model.ref}:step9`, 1]);
    await until(async () => (await answerIn('x')).arm === 'production', 'production answers');
    // Six seconds' worth of look-ups that one key may cause; beyond five, they are refused.
    const answers = await Promise.all(Array.from({ length: 120 }, () => gateway.ask(ref, { ...PLAIN, max_tokens: 1 })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ headers }) => headers['hone-arm']))).toEqual(new Set(['production']));
  });

  it('is no way around the models that a key may ask', async () => {
    await split(['large', 'large', 1]);
    await until(async () => (await answerIn('x')).arm === 'large', 'the arm answers');
    const { id, key } = await gateway.user('narrow', { roles: { acme: 'writer' } });
    await gateway.sql('UPDATE api_keys SET attributes = $1 WHERE user_id = $2', [
      JSON.stringify({ models: [ref] }),
      id,
    ]);
    const body = { model: ref, messages: [{ role: 'user', content: 'x' }] };
    const { status, headers } = await gateway.as(`Bearer ${key}`).post('/v1/chat/completions', body, {
      headers: { 'hone-project': 'acme/other' },
    });
    expect(headers['hone-arm']).toBe('production');
    expect(status).toBe(200);
  });

  it('fails as its arm fails, and says which one it was', async () => {
    await split(['broken', 'broken', 1]);
    const answer = () => gateway.ask(ref, PLAIN, { headers: { 'x-request-id': newId() } });
    await until(async () => (await answer()).headers['hone-arm'] === 'broken', 'the arm answers');
    const { status, headers } = await answer();
    expect(status).toBe(502);
    expect((await callOf(headers['x-request-id'] as string))?.attributes['split']).toMatchObject({ arm: 'broken' });
  });

  it('is not split again, so that circles answer', async () => {
    await gateway.world.setSplit(model, 'candidate', [{ name: 'back', model: ref, weight: 1 }]);
    await split(['candidate', `${model.ref}:candidate`, 1]);
    await until(async () => (await answerIn('x')).arm === 'candidate', 'the arm answers');
    expect((await answerIn('x')).model).toBe(`${model.ref}:step2`);
    const other = await gateway.ask(`${model.ref}:candidate`, PLAIN);
    expect([other.headers['hone-arm'], other.json().model]).toEqual(['back', `${model.ref}:step1`]);
  });

  it('ends, and goes with its alias', async () => {
    await split(['second', `${model.ref}:step2`, 1]);
    await until(async () => (await answerIn('x')).arm === 'second', 'the arm answers');
    await gateway.world.setSplit(model, 'production', null);
    await until(async () => (await answerIn('x')).arm === undefined, 'the split has ended');
    const { rid } = await answerIn('x');
    expect((await callOf(rid))?.attributes).not.toHaveProperty('split');
    await split(['second', `${model.ref}:step2`, 1]);
    await gateway.world.deleteAlias(model, 'production');
    expect(await gateway.sql(`SELECT FROM alias_splits WHERE alias = 'production'`)).toEqual([]);
    await gateway.world.setAlias(model, 'production', 1);
    await until(async () => (await gateway.ask(ref, PLAIN)).status === 200, 'the alias is back');
    expect((await answerIn('x')).arm).toBeUndefined();
  });
});
