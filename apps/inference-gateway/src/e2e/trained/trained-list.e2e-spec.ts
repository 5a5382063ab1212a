import { startTrainedGateway, type TrainedGateway } from './trained-world.fixture.js';

interface Entry {
  id: string;
  object: string;
  created: number;
  owned_by: string;
  root: string;
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const seconds = (second: number) => at(second).getTime() / 1_000;

describe('GET /v1/models, of trained models', () => {
  let gateway: TrainedGateway;
  beforeAll(async () => {
    gateway = await startTrainedGateway();
    const { world } = gateway;
    const agent = await world.createModel({ name: 'agent', createdAt: at(1) });
    await world.commit(agent, 1, { createdAt: at(3) });
    await world.commit(agent, 2, { createdAt: at(5) });
    await world.deleteCheckpoint(agent, 1);
    await world.createModel({ name: 'fresh', project: 'other one', createdAt: at(4) });
    await world.deleteModel(await world.createModel({ name: 'gone' }));
    await world.createModel({ name: 'secret', entity: 'rivals', createdAt: at(2) });
  });
  afterAll(() => gateway.close());

  const listed = async (authorization: string, path = '/v1/models'): Promise<Entry[]> => {
    const { status, json } = await gateway.as(authorization).get(path);
    expect(status).toBe(200);
    return (json() as { data: Entry[] }).data;
  };
  const trainedIds = (entries: Entry[]) => entries.map(({ id }) => id).filter((id) => id.includes('-artifact:'));

  it('lists routes, then live models and checkpoints, the newest first', async () => {
    const agent = 'hone-artifact:///acme/demo/agent';
    const entry = (id: string, created: number) => ({
      id,
      object: 'model',
      created,
      owned_by: 'acme',
      root: 'hone-tiny',
    });
    expect(await listed(`Bearer ${gateway.writer.key}`)).toEqual([
      expect.objectContaining({ id: 'hone-tiny', owned_by: 'hone' }),
      entry(`${agent}:step2`, seconds(5)),
      entry('hone-artifact:///acme/other one/fresh', seconds(4)),
      entry(agent, seconds(1)),
    ]);
  });

  it('lists only models that the caller may read', async () => {
    const outsider = await gateway.user('otto');
    expect(trainedIds(await listed(`Bearer ${outsider.key}`))).toEqual([]);
    const rival = await gateway.user('rita', { roles: { rivals: 'reader' } });
    expect(trainedIds(await listed(`Bearer ${rival.key}`))).toEqual(['hone-artifact:///rivals/demo/secret']);
    const bound = await gateway.user('bea', {
      roles: { acme: 'owner', rivals: 'owner' },
      onlyProject: 'acme/other one',
    });
    expect(trainedIds(await listed(`Bearer ${bound.key}`))).toEqual(['hone-artifact:///acme/other one/fresh']);
    const admin = await gateway.user('ada', { isAdmin: true });
    expect(trainedIds(await listed(`Bearer ${admin.key}`))).toHaveLength(4);
  });

  it.each([
    ['as it is listed', 'hone-artifact:///acme/demo/agent:step2', 'hone-artifact:///acme/demo/agent:step2', 5],
    ['without a step', 'hone-artifact:///acme/demo/agent', 'hone-artifact:///acme/demo/agent', 1],
    [
      'percent-encoded',
      encodeURIComponent('hone-artifact:///acme/demo/agent:step2'),
      'hone-artifact:///acme/demo/agent:step2',
      5,
    ],
    ['in another scheme', 'x-artifact://acme/demo/agent:latest', 'hone-artifact:///acme/demo/agent', 1],
    ['at step 0', 'hone-artifact:///acme/demo/agent:step0', 'hone-artifact:///acme/demo/agent:step0', 1],
    ['with a blank', 'hone-artifact:///acme/other%20one/fresh', 'hone-artifact:///acme/other one/fresh', 4],
  ])('shows one of them %s', async (_name, path, id, created) => {
    const { status, json } = await gateway.caller.get(`/v1/models/${path}`);
    expect({ status, ...json() }).toEqual({
      status: 200,
      id,
      object: 'model',
      created: seconds(created),
      owned_by: 'acme',
      root: 'hone-tiny',
    });
  });

  it.each([
    'hone-artifact:///acme/demo/agent:step1',
    'hone-artifact:///acme/demo/gone',
    'hone-artifact:///rivals/demo/secret',
    'hone-artifact:///acme/demo/agent:step01',
    'hone-artifact:///acme/demo/%2561gent',
  ])('knows no %s', async (id) => {
    const { status, json } = await gateway.caller.get(`/v1/models/${id}`);
    expect({ status, code: json().error.code }).toEqual({ status: 404, code: 'model_not_found' });
  });

  it('lists the newest hundred checkpoints of a model; older ones can be used and read', async () => {
    const { projectId, id: modelId, ref } = await gateway.world.createModel({ name: 'old', project: 'many' });
    await gateway.sql(
      `INSERT INTO checkpoints (project_id, id, model_id, step, job_id, parent_step, kind, uri, bytes, manifest_sha256)
       SELECT $1, gen_random_uuid(), $2, step, gen_random_uuid(), step - 1, 'rl', 'local:none', 1, ''
       FROM generate_series(1, 130) AS step`,
      [projectId, modelId],
    );
    const ids = trainedIds(await listed(`Bearer ${gateway.writer.key}`)).filter((id) => id.startsWith(`${ref}:`));
    expect(ids.map((id) => Number(id.slice(`${ref}:step`.length)))).toEqual(
      Array.from({ length: 100 }, (_, index) => 130 - index),
    );
    expect((await gateway.caller.get(`/v1/models/${ref}:step1`)).status).toBe(200);
  });
});
