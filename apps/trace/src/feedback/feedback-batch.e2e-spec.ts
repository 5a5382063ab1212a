import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const PATH = '/feedback/create';
const BATCH = '/feedback/batch/create';

describe(`POST ${BATCH}`, () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const count = async (where = 'true') =>
    Number((await trace.sql<{ n: string }>(`SELECT count(*) AS n FROM feedback WHERE ${where}`))[0]?.n);
  const issuesOf = async (body: unknown) => {
    const response = await client.post(BATCH, body);
    expect(response.status).toBe(422);
    return response.json().detail as { loc: unknown[]; msg: string; type: string }[];
  };

  it('answers an empty batch', async () => {
    expect((await client.post(BATCH, { batch: [] })).text).toBe('{"res":[]}');
    expect(await issuesOf({})).toEqual([{ loc: ['body', 'batch'], msg: 'Field required', type: 'missing' }]);
  });

  it('points at the wrong item and stores nothing; corrected, it keeps the order', async () => {
    const before = await count();
    const items = [1, 2, 3].map((n) => aFeedback({ id: `order-${4 - n}`, payload: { n } }));
    const wrong = [items[0], { ...items[1], payload: undefined }, items[2]];
    expect(await issuesOf({ batch: wrong })).toEqual([
      { loc: ['body', 'batch', 1, 'payload'], msg: 'Field required', type: 'missing' },
    ]);
    expect(await count()).toBe(before);
    const stored = await client.post(BATCH, { batch: items });
    expect(stored.json().res.map(({ id, payload }: { id: string; payload: object }) => [id, payload])).toEqual([
      ['order-3', { n: 1 }],
      ['order-2', { n: 2 }],
      ['order-1', { n: 3 }],
    ]);
  });

  it('stores nothing when one element is forbidden, taken or too large, and says which', async () => {
    await client.post(PATH, aFeedback({ id: 'taken', payload: { a: 1 } }));
    const before = await count();
    const forbidden = await client.post(BATCH, { batch: [aFeedback(), aFeedback({ project_id: 'elsewhere/x' })] });
    expect([forbidden.status, forbidden.json()]).toEqual([
      403,
      { detail: "batch[1]: You have no access to entity 'elsewhere'.", code: 'access.denied' },
    ]);
    const taken = await client.post(BATCH, { batch: [aFeedback(), aFeedback({ id: 'taken', payload: { a: 2 } })] });
    expect([taken.status, taken.json().detail]).toEqual([
      409,
      "batch[1]: Feedback id 'taken' already exists in 'acme/demo' with other content.",
    ]);
    const large = await client.post(BATCH, {
      batch: [aFeedback({ project_id: 'acme/unmade' }), aFeedback({ payload: { t: 'x'.repeat(1_048_576) } })],
    });
    expect([large.status, large.json().detail]).toEqual([
      413,
      'batch[1]: payload has 1048584 bytes; the limit is 1048576.',
    ]);
    expect(await count()).toBe(before);
    expect(await trace.sql(`SELECT 1 FROM projects WHERE name = 'unmade'`)).toEqual([]);
  });

  it('answers doubles inside a batch like a repetition', async () => {
    const twice = await client.post(BATCH, { batch: [aFeedback({ id: 'twin' }), aFeedback({ id: 'twin' })] });
    const [first, second] = twice.json().res;
    expect(second).toEqual(first);
    const differ = await client.post(BATCH, {
      batch: [aFeedback({ id: 'twin-2' }), aFeedback({ id: 'twin-2', payload: { x: 1 } })],
    });
    expect(differ.status).toBe(409);
    expect(await count(`id = 'twin-2'`)).toBe(0);
  });

  it('does not deadlock on parallel batches with the same ids in opposite order', async () => {
    for (let round = 0; round < 5; round++) {
      const batch = Array.from({ length: 100 }, (_, n) => aFeedback({ id: `lock-${round}-${n}` }));
      const responses = await Promise.all([
        client.post(BATCH, { batch }),
        client.post(BATCH, { batch: [...batch].reverse() }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    }
  });

  it('stores records of several projects in one batch', async () => {
    const response = await client.post(BATCH, {
      batch: [aFeedback({ project_id: 'acme/p1' }), aFeedback({ project_id: 'acme/p2' })],
    });
    expect(response.status).toBe(200);
  });
});
