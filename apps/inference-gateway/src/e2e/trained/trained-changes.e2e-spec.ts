import { newId, NotificationListener } from '@hone/database';
import { until, waitsForLock } from '@hone/testing';

import { type ChunkJson, joined, toChunks } from '../../targets/embedded/embedded.fixture.js';
import { openStream } from './open-stream.fixture.js';
import { fingerOf, startSecondGateway, startTrainedGateway, type TrainedGateway } from './trained-world.fixture.js';

/** Long enough that it still runs while a checkpoint is committed. */
const LONG = { n: 8, seed: 3, max_tokens: 300, ignore_eos: true, return_token_ids: true, temperature: 1 };

/** Resolves when all gateways on one database have received the notifications so far. */
async function heardBy(...gateways: TrainedGateway[]): Promise<void> {
  const heard: Promise<void>[] = [];
  for (const { app } of gateways) {
    let resolve: () => void = () => undefined;
    heard.push(new Promise((done) => (resolve = done)));
    await app.get(NotificationListener).listen('barrier', resolve);
  }
  await gateways[0]?.sql(`SELECT pg_notify('barrier', '')`);
  await Promise.all(heard);
}

describe('a trained model that changes', () => {
  let gateway: TrainedGateway;
  beforeAll(async () => {
    gateway = await startTrainedGateway();
    await gateway.app.listen(0, '127.0.0.1');
  });
  afterAll(() => gateway.close());

  const stepOf = async (ref: string): Promise<unknown> => (await gateway.ask(ref)).headers['hone-policy-version'];
  const answersAs = (ref: string, step: number) => until(async () => (await stepOf(ref)) === String(step));

  it('serves new requests from a committed step, while a stream stays on the old one', async () => {
    const { world } = gateway;
    const agent = await world.createModel({ name: 'moving' });
    await world.commit(agent, 1);
    await answersAs(agent.ref, 1);
    const stream = await openStream(gateway, agent.ref, LONG);
    await world.commit(agent, 2);
    await answersAs(agent.ref, 2);
    const chunks = toChunks(await stream.rest()) as (ChunkJson & { model: string })[];
    expect(new Set(chunks.map(({ model }) => model))).toEqual(new Set([`${agent.ref}:step1`]));
    expect(stream.headers.get('hone-policy-version')).toBe('1');
    const whole = await gateway.ask(`${agent.ref}:step1`, { ...LONG, messages: [{ role: 'user', content: 'hello' }] });
    const ids = (index: number) => (whole.json() as { choices: { token_ids: number[] }[] }).choices[index]?.token_ids;
    for (const index of [0, 7]) expect(joined(chunks, index).ids).toEqual(ids(index));
  });

  it('lists and serves a committed step as soon as the trainer reports it', async () => {
    const agent = await gateway.world.createModel({ name: 'listed-at-once' });
    for (let step = 1; step <= 5; step++) {
      await gateway.world.commit(agent, step);
      const { data } = (await gateway.caller.get('/v1/models')).json() as { data: { id: string }[] };
      expect(data.map(({ id }) => id)).toContain(`${agent.ref}:step${step}`);
      // Not cached, so it is looked up.
      expect(await stepOf(`${agent.ref}:step${step}`)).toBe(String(step));
      await answersAs(agent.ref, step);
    }
  });

  it('preloads a committed step of a model in use', async () => {
    const { world } = gateway;
    const [used, unused] = [await world.createModel({ name: 'used' }), await world.createModel({ name: 'unused' })];
    await gateway.ask(used.ref);
    const [loaded, left] = [await world.commit(used, 1), await world.commit(unused, 1)];
    await until(async () => (await world.holdersOf(loaded)).length === 1);
    expect(await world.holdersOf(left)).toEqual([]);
    expect((await world.holdersOf(loaded))[0]).toMatch(/^gateway:[0-9a-f-]{36}$/);
  });

  it('counts a model as in use although a notification overtook its first lookup', async () => {
    const { world, db, sql } = gateway;
    const agent = await world.createModel({ name: 'used-amid-changes' });
    await heardBy(gateway);
    const { asked } = await db.transaction(async () => {
      await db.client.$executeRaw`LOCK TABLE trainable_models`;
      const asked = gateway.ask(agent.ref);
      await until(() => waitsForLock(sql));
      await sql(`SELECT pg_notify('checkpoints', $1)`, [JSON.stringify({ model_id: newId(), step: 1 })]);
      await heardBy(gateway);
      return { asked };
    });
    expect((await asked).status).toBe(200);
    const checkpoint = await world.commit(agent, 1);
    await until(async () => (await world.holdersOf(checkpoint)).length === 1);
  });

  it('returns to the previous step when the newest is deleted, and answers 404 for the deleted one', async () => {
    const { world } = gateway;
    const agent = await world.createModel({ name: 'going-back' });
    await world.commit(agent, 1);
    await world.commit(agent, 2);
    await answersAs(agent.ref, 2);
    expect((await gateway.ask(`${agent.ref}:step2`)).status).toBe(200);
    await world.deleteCheckpoint(agent, 2);
    await answersAs(agent.ref, 1);
    expect((await gateway.ask(`${agent.ref}:step2`)).status).toBe(404);
    await world.deleteCheckpoint(agent, 1);
    await answersAs(agent.ref, 0);
  });

  it('finishes a stream of a deleted model on its pinned weights, and answers 404 afterwards', async () => {
    const { world } = gateway;
    const agent = await world.createModel({ name: 'deleted' });
    const checkpoint = await world.commit(agent, 1);
    const expected = await gateway.ask(agent.ref, { ...LONG, messages: [{ role: 'user', content: 'hello' }] });
    const stream = await openStream(gateway, agent.ref, LONG);
    await world.deleteModel(agent);
    await until(async () => (await gateway.ask(agent.ref)).status === 404);
    expect((await gateway.ask(`${agent.ref}:step1`)).status).toBe(404);
    expect(await world.holdersOf(checkpoint)).toHaveLength(1);
    const { choices } = expected.json() as { choices: { token_ids: number[] }[] };
    expect(joined(toChunks(await stream.rest()), 7).ids).toEqual(choices[7]?.token_ids);
    // The name is free again and names another model.
    const next = await world.createModel({ name: 'deleted' });
    await world.commit(next, 1, { seed: 9 });
    expect(fingerOf(await gateway.ask(next.ref))).not.toEqual([]);
    expect((await gateway.ask(next.ref)).headers['hone-policy-version']).toBe('1');
  });
});

describe('a trained model in two gateways on one database', () => {
  let first: TrainedGateway;
  let second: TrainedGateway;
  beforeAll(async () => {
    first = await startTrainedGateway();
    second = await startSecondGateway(first);
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });

  const stepsOf = async (ref: string) =>
    (await Promise.all([first.ask(ref), second.ask(ref)])).map(({ headers }) => headers['hone-policy-version']);
  const bothAnswerAs = (ref: string, step: number) =>
    until(async () => (await stepsOf(ref)).every((found) => found === String(step)));

  it('changes in both, and both pin the checkpoints that they have loaded', async () => {
    const agent = await first.world.createModel({ name: 'shared' });
    await bothAnswerAs(agent.ref, 0);
    const checkpoint = await first.world.commit(agent, 1);
    await bothAnswerAs(agent.ref, 1);
    await until(async () => new Set(await first.world.holdersOf(checkpoint)).size === 2);
  });

  it('keeps no pin of a dead gateway', async () => {
    const agent = await first.world.createModel({ name: 'pinned' });
    const checkpoint = await first.world.commit(agent, 1);
    const third = await startSecondGateway(first);
    await third.ask(agent.ref);
    expect(await first.world.holdersOf(checkpoint)).toHaveLength(1);
    await third.close();
    expect(await first.world.holdersOf(checkpoint)).toEqual([]);
  });

  it('changes although the listening connection was lost', async () => {
    const agent = await first.world.createModel({ name: 'unheard' });
    await heardBy(first, second);
    await bothAnswerAs(agent.ref, 0);
    await first.world.commit(agent, 1, { isSilent: true });
    expect(await stepsOf(agent.ref)).toEqual(['0', '0']);
    await first.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    await bothAnswerAs(agent.ref, 1);
    // And the connections are back.
    await first.world.commit(agent, 2);
    await bothAnswerAs(agent.ref, 2);
  });
});
