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
      { name: 'fake', kind: 'openai-compatible', base_url: fake.baseUrl, params: 'all', models: [{ name: 'ok' }] },
    ],
    routes: [
      { id: 'hone-tiny', targets, trained_fallback: trainedFallback, price: { prompt: 1, cached: 1, completion: 2 } },
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
      const { headers } = await gateway.ask(sound.ref, fields);
      expect(headers).toMatchObject({ 'hone-target': 'local/hone-tiny', 'hone-policy-version': '1' });
      expect(Number(headers['hone-cost'])).toBeGreaterThan(0);
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
