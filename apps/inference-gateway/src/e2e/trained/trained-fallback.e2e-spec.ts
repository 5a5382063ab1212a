import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { FakeUpstream } from '@hone/testing/fakes';

import { MeteringService } from '../../metering/recording/metering.service.js';
import { fingerOf, startTrainedGateway, type TrainedGateway } from './trained-world.fixture.js';

const targets = [
  { upstream: 'local', model: 'hone-tiny' },
  { upstream: 'fake', model: 'ok', priority: 1 },
];

/** The bundled model with a fallback, which may be allowed for trained models. */
async function startWithFallback(fake: FakeUpstream, trainedFallback: boolean): Promise<TrainedGateway> {
  return startTrainedGateway({
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
      {
        ...{ id: 'hone-tiny', targets, trained_fallback: trainedFallback, cache: { ttl_s: 60 } },
        price: { prompt: 1, cached: 1, completion: 2 },
      },
      { id: 'other', targets: [{ upstream: 'fake', model: 'ok' }], price: { prompt: 7, completion: 7 } },
      { id: 'broken', targets: [{ upstream: 'fake', model: 'status@500' }] },
    ],
  });
}

describe('a trained model that cannot answer', () => {
  let fake: FakeUpstream;
  beforeAll(async () => {
    fake = await FakeUpstream.start({ name: 'f' });
  });
  afterAll(() => fake.stop());

  async function inGateway(trainedFallback: boolean, work: (gateway: TrainedGateway) => Promise<void>): Promise<void> {
    const gateway = await startWithFallback(fake, trainedFallback);
    try {
      await work(gateway);
    } finally {
      await gateway.close();
    }
  }

  async function aDamagedModel({ world }: TrainedGateway): Promise<string> {
    const agent = await world.createModel({ name: 'agent' });
    const { folder } = await world.commit(agent, 1);
    await rm(join(folder, 'adapter_model.safetensors'));
    return agent.ref;
  }

  it('has no fallback, unless its route configures one', () =>
    inGateway(false, async (gateway) => {
      const { status, json } = await gateway.ask(await aDamagedModel(gateway));
      expect({ status, code: json().error.code }).toEqual({ status: 502, code: 'storage_corrupt' });
    }));

  it('falls back under the name of the other model, at the price of the base model', () =>
    inGateway(true, async (gateway) => {
      const fields = { logprobs: null };
      const answer = await gateway.ask(await aDamagedModel(gateway), fields);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ 'hone-target': 'fake/ok', 'hone-model': 'ok' });
      expect(answer.headers).not.toHaveProperty('hone-policy-version');
      expect(answer.headers).not.toHaveProperty('hone-checkpoint');
      await gateway.app.get(MeteringService).flush();
      const [call] = await gateway.sql<{ checkpoint: string | null; attributes: object }>(
        `SELECT checkpoint_id checkpoint, attributes_text::json attributes FROM usage_records, call_values`,
      );
      expect(call).toMatchObject({ checkpoint: null, attributes: { model: 'ok' } });
      for (const name of ['checkpoint', 'model_id', 'hone']) expect(call?.attributes).not.toHaveProperty(name);
      const sound = await gateway.world.createModel({ name: 'sound' });
      await gateway.world.commit(sound, 1);
      // Rollouts are drawn anew, also where the base model's route keeps its answers.
      for (let count = 0; count < 2; count++) {
        expect((await gateway.ask(sound.ref, fields)).headers).not.toHaveProperty('hone-cache');
      }
      const { headers } = await gateway.ask(sound.ref, fields);
      expect(headers).toMatchObject({ 'hone-target': 'local/hone-tiny', 'hone-policy-version': '1' });
      expect(Number(headers['hone-cost'])).toBeGreaterThan(0);
    }));

  it('falls back to what the request names, and stands in for it, under its own checkpoint', () =>
    inGateway(false, async (gateway) => {
      const damaged = await aDamagedModel(gateway);
      const other = await gateway.ask(damaged, { logprobs: null, models: ['other'] });
      expect({ status: other.status, model: other.headers['hone-model'] }).toEqual({ status: 200, model: 'ok' });
      expect(other.headers).not.toHaveProperty('hone-checkpoint');
      const agent = await gateway.world.createModel({ name: 'stand-in' });
      const { id } = await gateway.world.commit(agent, 1);
      const trained = await gateway.ask('broken', { logprobs: null, models: [agent.ref] });
      expect(trained.headers).toMatchObject({ 'hone-checkpoint': id, 'hone-route': `${agent.ref}:step1` });
      expect(trained.json().model).toBe(`${agent.ref}:step1`);
      const unknown = await gateway.ask('broken', { models: [`${agent.ref}:step7`] });
      expect(unknown.status).toBe(404);
      await gateway.app.get(MeteringService).flush();
      const rows = await gateway.sql<object>(
        `SELECT model_asked asked, checkpoint_id checkpoint, price_prompt price FROM usage_records
         WHERE status = 'ok' ORDER BY started_at`,
      );
      expect(rows).toEqual([
        { asked: damaged, checkpoint: null, price: '7000000000' },
        { asked: 'broken', checkpoint: id, price: '1000000000' },
      ]);
      const [call] = await gateway.sql<{ attributes: object }>(
        `SELECT attributes_text::json attributes FROM call_values WHERE attributes_text LIKE '%"step":1%'`,
      );
      expect(call?.attributes).toMatchObject({ model_id: agent.id, step: 1, hone: { tokens: expect.anything() } });
    }));

  it('is reported as damaged when its weights are read again', () => {
    // The engine keeps the checkpoint that was loaded last, and no other.
    process.env.HONE_ENGINE_CHECKPOINT_CACHE_BYTES = '0';
    return inGateway(false, async (gateway) => {
      const agent = await gateway.world.createModel({ name: 'evicted' });
      const first = await gateway.world.commit(agent, 1);
      expect(fingerOf(await gateway.ask(`${agent.ref}:step1`))).not.toEqual([]);
      await rm(join(first.folder, 'adapter_model.safetensors'));
      await gateway.world.commit(agent, 2);
      expect((await gateway.ask(`${agent.ref}:step2`)).status).toBe(200);
      for (const fields of [{ stream: true }, {}, {}]) {
        const { status, json } = await gateway.ask(`${agent.ref}:step1`, fields);
        expect({ status, code: json().error.code }).toEqual({ status: 502, code: 'storage_corrupt' });
      }
    }).finally(() => delete process.env.HONE_ENGINE_CHECKPOINT_CACHE_BYTES);
  });
});
