import { MeteringService } from '../../metering/recording/metering.service.js';
import { CHAT, startTrainedGateway, type TrainedGateway, type WorldModel } from './trained-world.fixture.js';

describe('usage of a trained model', () => {
  let gateway: TrainedGateway;
  let model: WorldModel;
  beforeAll(async () => {
    gateway = await startTrainedGateway();
    model = await gateway.world.createModel({ name: 'agent', project: 'demo' });
    await gateway.world.createModel({ name: 'other', project: 'named' });
  });
  afterAll(() => gateway.close());

  /** Projects that the requests since the last call were booked to, in their order. */
  async function bookedTo(ask: () => Promise<{ status: number; text: string }>): Promise<string[]> {
    await gateway.sql('TRUNCATE usage_records');
    const response = await ask();
    if (response.status !== 200) throw new Error(response.text);
    await gateway.app.get(MeteringService).flush();
    const rows = await gateway.sql<{ project: string }>(
      `SELECT e.name || '/' || p.name AS project FROM usage_records u JOIN projects p ON p.id = u.project_id
       JOIN entities e ON e.id = p.entity_id ORDER BY u.started_at`,
    );
    return rows.map(({ project }) => project);
  }

  it('is booked to the project of the model', async () => {
    for (const suffix of ['', ':step0', '']) {
      expect(await bookedTo(() => gateway.ask(model.ref + suffix))).toEqual(['acme/demo']);
    }
  });

  it('is charged to the model with its step, for budgets of models', async () => {
    for (const suffix of ['', ':latest', ':step0']) {
      await bookedTo(() => gateway.ask(model.ref + suffix));
      expect(await gateway.sql('SELECT route FROM usage_records')).toEqual([{ route: `${model.ref}:step0` }]);
    }
  });

  it('is booked to the project that the request names', async () => {
    const headers = { 'hone-project': 'acme/named' };
    expect(await bookedTo(() => gateway.ask(model.ref, {}, { headers }))).toEqual(['acme/named']);
  });

  it('of the base itself is booked to the own project of the key, between others too', async () => {
    const own = await bookedTo(() => gateway.ask('hone-tiny'));
    expect(own).not.toEqual(['acme/demo']);
    expect(await bookedTo(() => gateway.ask(model.ref))).toEqual(['acme/demo']);
    expect(await bookedTo(() => gateway.ask('hone-tiny'))).toEqual(own);
  });

  it('is booked to the own project of a caller who may only read the model', async () => {
    const { key } = await gateway.user('rita', { roles: { acme: 'reader' } });
    const caller = gateway.as(`Bearer ${key}`);
    const messages = [{ role: 'user', content: 'hi' }];
    const ask = () => caller.post(CHAT, { model: model.ref, messages, max_tokens: 2 });
    expect(await bookedTo(ask)).toEqual(['rita/default']);
  });
});
