import type { TrainingJobEventDto } from '@hone/contracts';
import { roundsOf, until } from '@hone/testing';

import { FakeWorker } from '../jobs/fake-worker.fixture.js';
import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const JOBS = '/v1/preview/training-jobs';
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let app: TrainingApp;
let worker: FakeWorker;
beforeAll(async () => {
  app = await startTrainingApp({ eventStreamsPerKey: 3 });
  worker = new FakeWorker(app.db);
});
afterAll(() => app.close());

async function aJob(): Promise<string> {
  await app.sql(`UPDATE training_jobs SET status = 'cancelled' WHERE status <> 'succeeded'`);
  const trajectory_groups = [{ trajectories: [{ reward: 1 }, { reward: 0 }] }];
  const body = { model_id: await createModel(app.caller), trajectory_groups };
  return (await app.caller.post(JOBS, body)).json().id;
}

const page = async (id: string, query = '') => (await app.caller.get(`${JOBS}/${id}/events${query}`)).json();
const EMPTY = { object: 'list', data: [], first_id: '', last_id: '', has_more: false };

describe('GET /v1/preview/training-jobs/{id}/events', () => {
  it('is empty while the job is queued', async () => {
    expect(await page(await aJob())).toEqual(EMPTY);
  });

  it('tells a job from its start to its end', async () => {
    const id = await aJob();
    const { modelId } = await worker.carryOut(2);
    const [checkpoint] = await app.sql<{ id: string }>('SELECT id FROM checkpoints WHERE model_id = $1', [modelId]);
    const events = await page(id);
    const item = (type: string, data: object) => ({
      id: expect.any(String),
      type,
      data,
      created_at: expect.any(String),
    });
    expect(events).toEqual({
      object: 'list',
      data: [
        item('training_started', {
          num_sequences: 2,
          num_groups_submitted: 1,
          num_groups_trainable: 1,
          num_trajectories: 2,
          num_trainable_tokens: 20,
          parent_step: 0,
        }),
        item('gradient_step', { loss: 0.25, grad_norm: 0.5 }),
        item('gradient_step', { loss: 0.5, grad_norm: 0.5 }),
        item('training_ended', { step: 1, checkpoint_id: checkpoint?.id, num_gradient_steps: 2 }),
      ],
      first_id: events.data[0].id,
      last_id: events.data[3].id,
      has_more: false,
    });
  });

  it('gives the same list every time, whole or page by page', async () => {
    const id = await aJob();
    await worker.carryOut(5);
    const whole = await page(id);
    for (let time = 0; time < 100; time++) expect(await page(id)).toEqual(whole);
    const items: TrainingJobEventDto[] = [];
    for (let after = '', more = true; more;) {
      const part = await page(id, `?limit=1&after=${after}`);
      items.push(...part.data);
      [after, more] = [part.last_id, part.has_more];
    }
    expect(items).toEqual(whole.data);
    expect(await page(id, `?after=${whole.last_id}`)).toEqual(EMPTY);
  });

  const rounds = roundsOf(40, 'HONE_RACE_RUNS');
  it(
    `tells of no end before the checkpoint can be listed, ${rounds} times`,
    async () => {
      const modelId = await createModel(app.caller);
      for (let step = 1; step <= rounds; step++) {
        const { id } = (await app.caller.post(JOBS, { model_id: modelId, trajectory_groups: [] })).json();
        const lease = await worker.start(0);
        const { last_id: after } = await page(id);
        const ended = page(id, `?wait=25&after=${after}`);
        const committed = worker.commit(lease);
        expect((await ended).data).toMatchObject([{ type: 'training_ended', data: { step } }]);
        const list = await app.caller.get(`/v1/preview/models/${modelId}/checkpoints?limit=1&order=desc`);
        expect(list.json().data).toMatchObject([{ step }]);
        await committed;
      }
    },
    rounds * 3_000,
  );

  it.each([
    ['?after=x', 'after', 'value_error'],
    [`?after=${UNKNOWN}`, 'after', 'value_error'],
    ['?limit=0', 'limit', 'greater_than_equal'],
    ['?wait=26', 'wait', 'less_than_equal'],
    ['?wait=long', 'wait', 'int_parsing'],
  ])('refuses %s', async (query, name, type) => {
    const response = await app.caller.get(`${JOBS}/${await aJob()}/events${query}`);
    expect(response.json().detail).toMatchObject([{ loc: ['query', name], type }]);
    expect(response.status).toBe(422);
  });

  it('takes no cursor of another job', async () => {
    const other = await aJob();
    await worker.carryOut(1);
    const { last_id: after } = await page(other);
    expect((await page(await aJob(), `?after=${after}`)).detail).toMatchObject([{ loc: ['query', 'after'] }]);
  });

  it('is for those who may read the job', async () => {
    const id = await aJob();
    const stranger = app.by(await app.user('events-stranger'));
    expect((await stranger.get(`${JOBS}/${id}/events`)).json().code).toBe('access.denied');
    expect((await stranger.get(`${JOBS}/${UNKNOWN}/events`)).json().code).toBe('job.not_found');
    const annotator = app.by(await app.user('events-annotator', { roles: { acme: 'annotator' } }));
    expect((await annotator.get(`${JOBS}/${id}/events`)).status).toBe(200);
    expect((await app.as(undefined).get(`${JOBS}/${id}/events`)).status).toBe(401);
  });

  describe('with ?wait', () => {
    it('answers as soon as there is an event', async () => {
      const id = await aJob();
      const answer = page(id, '?wait=25');
      const lease = await worker.start(1);
      expect((await answer).data).toMatchObject([{ type: 'training_started' }]);
      const next = page(id, `?wait=25&after=${(await answer).last_id}`);
      await worker.step(lease, 1);
      expect((await next).data).toMatchObject([{ type: 'gradient_step' }]);
    });

    it('answers at once when no event can come', async () => {
      const id = await aJob();
      await worker.carryOut(1);
      const { last_id: after } = await page(id);
      expect(await page(id, `?wait=25&after=${after}`)).toEqual(EMPTY);
    });

    it('answers an empty page when its time is over', async () => {
      expect(await page(await aJob(), '?wait=1')).toEqual(EMPTY);
    });

    it('counts as a stream, and releases its slot', async () => {
      const id = await aJob();
      const waiting = Array.from({ length: 4 }, () => app.caller.get(`${JOBS}/${id}/events?wait=20`));
      let refused = 0;
      for (const one of waiting) void one.then(({ status }) => (refused += Number(status === 429)));
      await until(() => refused === 1, 'the refusal of the fourth');
      await app.caller.post(`${JOBS}/${id}/cancel`);
      const answers = await Promise.all(waiting);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
      const full = answers.find(({ status }) => status === 429);
      expect(full?.headers['retry-after']).toBe('5');
      expect(full?.json()).toEqual({
        detail: 'This key follows 3 training jobs at once, which is the limit.',
        code: 'limit.event_streams',
      });
      expect((await app.caller.get(`${JOBS}/${await aJob()}/events?wait=1`)).status).toBe(200);
    });
  });
});
