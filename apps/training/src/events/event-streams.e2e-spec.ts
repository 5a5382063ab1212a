import { until } from '@hone/testing';

import { FakeWorker } from '../jobs/fake-worker.fixture.js';
import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { SseClient } from './sse-client.fixture.js';

const JOBS = '/v1/preview/training-jobs';
const STREAMS = 500;

let app: TrainingApp;
let worker: FakeWorker;
let url: string;
beforeAll(async () => {
  app = await startTrainingApp({ eventStreamsPerKey: STREAMS + 10, eventStreams: STREAMS + 20 });
  worker = new FakeWorker(app.db);
  await app.app.listen(0, '127.0.0.1');
  url = await app.app.getUrl();
});
afterAll(() => app.close());

const clients: SseClient[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.leave()));

async function aJob(): Promise<string> {
  await app.sql(`UPDATE training_jobs SET status = 'cancelled' WHERE status NOT IN ('succeeded', 'failed')`);
  const body = { model_id: await createModel(app.caller), trajectory_groups: [] };
  return (await app.caller.post(JOBS, body)).json().id;
}

async function follow(id: string, query = '', headers = {}): Promise<SseClient> {
  const client = await SseClient.open(`${url}${JOBS}/${id}/events${query}`, app.writer.key, headers);
  clients.push(client);
  return client;
}

const items = async (id: string) => (await app.caller.get(`${JOBS}/${id}/events?limit=100`)).json().data;
const itemsOf = (client: SseClient) => client.events.map(({ data }) => JSON.parse(data as string));

describe('text/event-stream of a job', () => {
  it('has the events of the list, in frames with id, type and item, and ends with the last', async () => {
    const id = await aJob();
    const client = await follow(id);
    expect(client.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    await worker.carryOut(3);
    await client.ended;
    expect(itemsOf(client)).toEqual(await items(id));
    expect(client.events.map(({ id: frame, event }) => [frame, event])).toEqual(
      (await items(id)).map((item: { id: string; type: string }) => [item.id, item.type]),
    );
  });

  it('tells the status at once, and when it changes', async () => {
    const id = await aJob();
    const client = await follow(id);
    await until(() => client.statuses.length > 0, 'the first status');
    expect(client.statuses[0]).toEqual({
      status: 'queued',
      queue_position: 1,
      progress: { gradient_steps_done: 0, gradient_steps_total: null, fraction: null, phase: null },
    });
    const lease = await worker.start(1);
    await until(() => client.statuses.at(-1)?.status === 'running', 'running');
    await app.caller.post(`${JOBS}/${id}/cancel`);
    await until(() => client.statuses.at(-1)?.status === 'cancelling', 'cancelling');
    await worker.lease.cancelSeen(lease);
    await client.ended;
    expect(client.statuses.at(-1)?.status).toBe('cancelled');
    expect(client.events.at(-1)?.event).toBe('training_failed');
  });

  it('goes on where a client was, by Last-Event-ID or after, and loses and repeats nothing', async () => {
    const id = await aJob();
    const lease = await worker.start(6);
    for (let k = 1; k <= 6; k++) {
      const client = await follow(id);
      await worker.step(lease, k);
      await until(() => client.events.length === k + 1, 'the step');
      client.leave();
    }
    await worker.commit(lease);
    const all = await items(id);
    for (const [at, { id: last }] of all.slice(0, -1).entries()) {
      const wrong = all[0].id;
      const resumed = await follow(id, `?after=${wrong}`, { 'last-event-id': last });
      const after = await follow(id, `?after=${last}`);
      await Promise.all([resumed.ended, after.ended]);
      expect(itemsOf(resumed)).toEqual(all.slice(at + 1));
      expect(itemsOf(after)).toEqual(all.slice(at + 1));
    }
  });

  it('has nothing to tell after the last event, and asks not to be asked soon', async () => {
    const id = await aJob();
    await worker.carryOut(0);
    const client = await follow(id, '', { 'last-event-id': (await items(id)).at(-1).id });
    await client.ended;
    expect(client.frames).toEqual([{ retry: '3600000' }]);
  });

  it('refuses a cursor of nothing before it begins', async () => {
    const response = await app.caller.get(`${JOBS}/${await aJob()}/events`, {
      headers: { accept: 'text/event-stream', 'last-event-id': 'x' },
    });
    expect([response.status, response.json().detail]).toMatchObject([422, [{ loc: ['query', 'after'] }]]);
  });

  it('answers HEAD without a stream', async () => {
    const response = await app.app.inject({
      method: 'HEAD',
      url: `${JOBS}/${await aJob()}/events`,
      headers: { authorization: `Bearer ${app.writer.key}`, accept: 'text/event-stream' },
    });
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  });

  it('delivers events while its database connection for notifications is cut', async () => {
    const id = await aJob();
    const client = await follow(id);
    const lease = await worker.start(2);
    await until(() => client.events.length === 1, 'the start');
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN%'`;
    expect(await app.sql(cut)).not.toEqual([]);
    await worker.step(lease, 1);
    await until(() => client.events.length === 2, 'the step');
    await app.sql(cut);
    await worker.step(lease, 2);
    await worker.commit(lease);
    await client.ended;
    expect(itemsOf(client)).toEqual(await items(id));
  });

  it('stays right with many streams, some of which leave', async () => {
    const id = await aJob();
    const many = await Promise.all(Array.from({ length: STREAMS }, () => follow(id)));
    const lease = await worker.start(10);
    for (let k = 1; k <= 10; k++) {
      await worker.step(lease, k);
      many[k]?.leave();
    }
    await worker.commit(lease);
    const stayed = many.filter((_, at) => at < 1 || at > 10);
    await Promise.all(stayed.map(({ ended }) => ended));
    const all = await items(id);
    for (const client of stayed) expect(itemsOf(client)).toEqual(all);
  });

  it('frees the slot of a client that has disconnected', async () => {
    const id = await aJob();
    await Promise.all(Array.from({ length: STREAMS + 10 }, () => follow(id)));
    const refused = await follow(id);
    expect([refused.status, refused.response.headers]).toMatchObject([
      429,
      { 'retry-after': '5', 'content-type': 'application/json; charset=utf-8' },
    ]);
    clients.splice(0, 5).forEach((client) => client.leave());
    await until(async () => (await follow(id)).status === 200, 'a free slot');
  });
});
