import {
  basic,
  createTestDatabase,
  createTestUser,
  type ServiceProcess,
  startService,
  type TestDatabase,
  type TestUser,
} from '@hone/testing';

import { finishedCalls, PROJECT } from '../testing/bodies.fixture.js';

const project_id = PROJECT;
const ANNOTATORS = 20;
const ITEMS = 100;

interface Claimed {
  item: { id: string } | null;
  lease: { id: string } | null;
}

describe('claims through two processes', () => {
  let database: TestDatabase;
  let services: ServiceProcess[];
  let writer: TestUser;
  beforeAll(async () => {
    database = await createTestDatabase();
    writer = await createTestUser(database.db, 'wendy', { roles: { acme: 'writer' } });
    services = await Promise.all([0, 1].map(() => startService('trace', { DATABASE_URL: database.url })));
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop('SIGKILL')));
    await database.drop();
  });

  async function send<Answer>(user: TestUser, path: string, body: object, service = 0): Promise<[number, Answer]> {
    const headers = { authorization: basic('api', user.key), 'content-type': 'application/json' };
    const options = { method: 'POST', headers, body: JSON.stringify({ project_id, ...body }) };
    const response = await fetch(`${services[service % services.length]?.url}${path}`, options);
    return [response.status, (await response.json()) as Answer];
  }

  it('gives exactly the slots that there are: 20 annotators, 100 items, 2 for each', async () => {
    const ids = Array.from({ length: ITEMS }, (_, n) => `c${n}`);
    await send(writer, '/call/upsert_batch', { ...finishedCalls(...ids), project_id: undefined });
    const [, { id: queue }] = await send<{ id: string }>(writer, '/annotation_queues', {
      name: 'q',
      reviewers_per_item: 2,
    });
    const path = `/annotation_queues/${queue}/items`;
    await send(writer, path, { call_ids: ids });
    const annotators = await Promise.all(
      Array.from({ length: ANNOTATORS }, (_, n) =>
        createTestUser(database.db, `ann-${n}`, { roles: { acme: 'annotator' } }),
      ),
    );
    const given: string[] = [];
    const work = async (annotator: TestUser, turn: number) => {
      for (let asked = turn; ; asked++) {
        const [status, { item }] = await send<Claimed>(annotator, `${path}/claim`, {}, asked);
        expect(status).toBe(200);
        if (!item) return;
        given.push(item.id);
        const state = asked % 3 ? 'completed' : 'skipped';
        const [moved] = await send(annotator, `${path}/${item.id}/progress`, { annotation_state: state }, asked + 1);
        expect(moved).toBe(200);
      }
    };
    await Promise.all(annotators.map(work));
    expect(given).toHaveLength(2 * ITEMS);
    const counts = await database.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM annotation_progress WHERE state IN ('completed', 'skipped') GROUP BY item_id`,
    );
    expect(counts.map(({ count }) => count)).toEqual(Array(ITEMS).fill(2));
  }, 300_000);

  it('gives an item whose lease has expired to another, and refuses the late renewal', async () => {
    const [, { id: queue }] = await send<{ id: string }>(writer, '/annotation_queues', {
      name: 'one',
      reviewers_per_item: 1,
    });
    const path = `/annotation_queues/${queue}/items`;
    await send(writer, path, { call_ids: ['c1'] });
    const [late, next] = (await Promise.all(
      ['late', 'next'].map((name) => createTestUser(database.db, name, { roles: { acme: 'annotator' } })),
    )) as [TestUser, TestUser];
    const [, { item, lease }] = await send<Claimed>(late, `${path}/claim`, {}, 0);
    expect((await send<Claimed>(next, `${path}/claim`, {}, 1))[1].item).toBe(null);
    await database.sql(
      `UPDATE annotation_progress SET lease_expires_at = now() - interval '1 second' WHERE lease_id = $1`,
      [lease?.id],
    );
    expect((await send<Claimed>(next, `${path}/claim`, {}, 1))[1].item?.id).toBe(item?.id);
    const [status, { code }] = await send<{ code: string }>(
      late,
      `${path}/${item?.id}/lease/renew`,
      { lease_id: lease?.id },
      0,
    );
    expect([status, code]).toEqual([409, 'annotation.lease_lost']);
  });
});
