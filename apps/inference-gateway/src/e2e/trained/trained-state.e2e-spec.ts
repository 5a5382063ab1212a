import type { GatewayStateDto, GatewayTargetDto } from '@hone/contracts';
import { type TestApp, type TestUser } from '@hone/testing';
import { FakeUpstream, FakeVllm } from '@hone/testing/fakes';

import { aVllm, LOCAL_OFF } from './adapters.fixture.js';
import { startSecondGateway, startTrainedGateway, type TrainedGateway } from './trained-world.fixture.js';

const PATH = '/v1/gateway';

async function stateOf(gateway: TestApp, { key }: TestUser): Promise<GatewayStateDto> {
  return (await gateway.as(`Bearer ${key}`).get(PATH)).json() as GatewayStateDto;
}

describe('GET /v1/gateway, of trained models', () => {
  let vllm: FakeVllm;
  let fallback: FakeUpstream;
  let gateway: TrainedGateway;
  let operator: TestUser;
  beforeAll(async () => {
    vllm = await FakeVllm.start();
    fallback = await FakeUpstream.start();
    const broken = { name: 'broken', kind: 'openai-compatible', base_url: fallback.baseUrl, params: 'all', retries: 0 };
    const targets = [
      { upstream: 'vllm-a', model: 'hone-tiny' },
      { upstream: 'broken', model: 'status@500', priority: 1 },
    ];
    gateway = await startTrainedGateway({
      upstreams: [LOCAL_OFF, aVllm('vllm-a', vllm), { ...broken, models: [{ name: 'status@500' }] }],
      routes: [{ id: 'hone-tiny', targets, trained_fallback: true }],
    });
    operator = await gateway.user('root', { isAdmin: true });
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([vllm.kill(), fallback.stop()]);
  });

  it('shows the adapters that the process has loaded, to operators by name, to others as a count', async () => {
    const model = await gateway.world.createModel({ name: 'agent' });
    await gateway.world.commit(model, 1);
    const adaptersOf = ({ upstreams }: GatewayStateDto) => upstreams.find(({ name }) => name === 'vllm-a')?.adapters;
    expect(adaptersOf(await stateOf(gateway, operator))).toEqual({ max: 4, held: 0, list: [] });
    expect((await gateway.ask(model.ref)).status).toBe(200);
    expect(adaptersOf(await stateOf(gateway, operator))).toEqual({
      ...{ max: 4, held: 1 },
      list: [{ model_id: model.id, step: 1, state: 'ready', in_flight: 0 }],
    });
    expect(adaptersOf(await stateOf(gateway, gateway.writer))).toEqual({ max: 4, held: 1, list: null });
  });

  it('shows routes of trained models to readers of their projects only', async () => {
    const model = await gateway.world.createModel({ name: 'secret-plan' });
    await gateway.world.commit(model, 3);
    expect((await gateway.ask(model.ref)).status).toBe(200);
    const route = `${model.ref}:step3`;
    const shown = await stateOf(gateway, gateway.writer);
    expect(shown.routes.find(({ id }) => id === route)).toMatchObject({
      kind: 'trained',
      targets: [{ target: `vllm-a/${route}` }, { target: 'broken/status@500', priority: 2 }],
    });
    expect(shown.targets.find(({ id }) => id === `vllm-a/${route}`)).toMatchObject({ model: 'hone-tiny', attempts: 1 });
    const outsider = await gateway.user('out', { roles: { elsewhere: 'owner' } });
    expect(JSON.stringify(await stateOf(gateway, outsider))).not.toContain('secret-plan');
  });

  it('does not name a trained model in the failures of a target that it shares with others', async () => {
    const model = await gateway.world.createModel({ name: 'hidden-agent' });
    await gateway.world.commit(model, 1);
    Object.assign(vllm.faults, { refusal: 'The rank is too large.' });
    expect((await gateway.ask(model.ref, { logprobs: null })).status).toBe(502);
    Object.assign(vllm.faults, { refusal: null });
    const shared = ({ targets }: GatewayStateDto) =>
      (targets.find(({ id }) => id === 'broken/status@500') as GatewayTargetDto).failures.map(({ route }) => route);
    expect(shared(await stateOf(gateway, gateway.writer))).toEqual([`${model.ref}:step1`]);
    const outsider = await gateway.user('out2', { roles: { elsewhere: 'owner' } });
    expect(shared(await stateOf(gateway, outsider))).toEqual(['trained']);
  });

  it('is that of one process: another one has its own', async () => {
    const second = await startSecondGateway(gateway);
    try {
      const [here, there] = [await stateOf(gateway, operator), await stateOf(second, operator)];
      expect(here.instance.id).not.toBe(there.instance.id);
      expect(there.routes.map(({ id }) => id)).toEqual(['hone-tiny']);
      expect(there.targets.map(({ attempts }) => attempts)).toEqual([0, 0]);
    } finally {
      await second.close();
    }
  });
});
