import { until } from '@hone/testing';

import { MeteringService } from '../../metering/recording/metering.service.js';
import {
  startSecondGateway,
  startTrainedGateway,
  type TrainedGateway,
  type WorldModel,
} from './trained-world.fixture.js';

describe('an alias of a checkpoint', () => {
  let gateway: TrainedGateway;
  let model: WorldModel;
  beforeAll(async () => {
    gateway = await startTrainedGateway();
    model = await gateway.world.createModel({ name: 'agent' });
    for (const step of [1, 2]) await gateway.world.commit(model, step);
  });
  afterAll(() => gateway.close());

  const stepOf = async (ref: string, from = gateway) => {
    const { status, headers } = await from.ask(ref);
    return status === 200 ? headers['hone-policy-version'] : status;
  };

  it('asks for what it names, from every process, at once', async () => {
    const ref = `${model.ref}:production`;
    expect(await stepOf(ref)).toBe(404);
    await gateway.world.setAlias(model, 'production', 1);
    expect(await stepOf(ref)).toBe('1');
    const second = await startSecondGateway(gateway);
    try {
      for (const [step, shown] of [
        [2, '2'],
        [0, '0'],
        [1, '1'],
      ] as const) {
        await gateway.world.setAlias(model, 'production', step);
        for (const process of [gateway, second]) {
          await until(async () => (await stepOf(ref, process)) === shown, `step ${shown}`);
        }
      }
    } finally {
      await second.close();
    }
  });

  it('is not what the answer and its call are named after', async () => {
    await gateway.world.setAlias(model, 'candidate', 2);
    const answer = await gateway.ask(`${model.ref}:candidate`);
    expect(answer.json().model).toBe(`${model.ref}:step2`);
    await gateway.app.get(MeteringService).flush();
    const [call] = await gateway.sql<{ attributes: object }>(
      `SELECT attributes_text::json attributes FROM call_values WHERE attributes_text LIKE '%:candidate"%'`,
    );
    expect(call?.attributes).toMatchObject({
      ...{ route: `${model.ref}:candidate`, model: `${model.ref}:step2`, model_id: model.id, step: 2 },
      checkpoint: answer.headers['hone-checkpoint'],
    });
  });

  it('is listed, for those who may read the model, and opens nothing for others', async () => {
    await gateway.world.setAlias(model, 'shown', 2);
    await gateway.world.setAlias(model, 'base-line', 0);
    const { data } = (await gateway.caller.get('/v1/models')).json() as { data: { id: string }[] };
    for (const alias of ['shown', 'base-line']) {
      const entry = data.find(({ id }) => id === `${model.ref}:${alias}`);
      expect(entry).toMatchObject({ object: 'model', owned_by: 'acme', root: 'hone-tiny' });
      const one = await gateway.caller.get(`/v1/models/${encodeURIComponent(`${model.ref}:${alias}`)}`);
      expect(one.json()).toEqual(entry);
    }
    const outsider = gateway.as(`Bearer ${(await gateway.user('olga')).key}`);
    const ask = async (name: string) => {
      const body = { model: `${model.ref}:${name}`, messages: [{ role: 'user', content: 'x' }] };
      const { status, text } = await outsider.post('/v1/chat/completions', body);
      return [status, text.replaceAll(name, '<alias>')];
    };
    expect(await ask('shown')).toEqual(await ask('nobody'));
    expect((await ask('shown'))[0]).toBe(404);
    expect((await outsider.get('/v1/models')).text).not.toContain('agent');
  });
});
