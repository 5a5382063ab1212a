import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback, anObject, aWholeCall, finishedCalls, PROJECT } from './testing/bodies.fixture.js';
import { TraceModule } from './trace.module.js';

const ROWS = 23;
type Body = Record<string, unknown>;
type Row = Record<string, unknown>;

/** Rows with equal sort values, and with none: what is left to tell them apart is the id. */
const tied = (n: number) => (n % 5 === 0 ? undefined : ['b', 'a', '\u{1f600}', '\ue000'][n % 4]);
const startedAt = (n: number) => `2026-01-15T09:${String(10 + (n % 7)).padStart(2, '0')}:00.00${n % 3}Z`;

describe('lists that are read by cursors', () => {
  let trace: TestApp;
  let client: TestClient;
  let queueId: string;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    for (let n = 0; n < ROWS; n++) await add(n);
    queueId = (await client.post('/annotation_queues', { project_id: PROJECT, name: 'q' })).json().id;
    const call_ids = Array.from({ length: ROWS }, (_, n) => `c${n}`);
    await client.post(`/annotation_queues/${queueId}/items`, { project_id: PROJECT, call_ids });
  });
  afterAll(() => trace.close());

  /** A row of each list. */
  async function add(n: number): Promise<void> {
    const call = aWholeCall(`c${n}`, {
      ...{ started_at: startedAt(n), display_name: tied(n) ?? null, inputs: { k: tied(n) ?? null }, run_step: n % 3 },
      ended_at: `2026-01-15T10:00:00.${String(n % 4)}Z`,
    });
    const wrote = await client.post('/v2/acme/demo/calls/complete', { batch: [call] });
    expect([wrote.status, wrote.text]).toEqual([200, '{}']);
    await client.post('/feedback/create', aFeedback({ id: `f${n}`, creator: tied(n) ?? null, payload: { k: n % 3 } }));
    await client.post('/obj/create', anObject(`o${n % 6}`, { n }));
  }

  const LISTS: [path: string, list: string, sorts: Body[][]][] = [
    [
      '/calls/query',
      'calls',
      [
        [],
        [{ field: 'started_at', direction: 'desc' }],
        [
          { field: 'display_name', direction: 'asc' },
          { field: 'started_at', direction: 'desc' },
        ],
        [{ field: 'display_name', direction: 'desc' }],
        [{ field: 'inputs.k', direction: 'asc' }],
        [
          { field: 'summary.hone.latency_ms', direction: 'desc' },
          { field: 'run_step', direction: 'asc' },
        ],
        [{ field: 'parent_id', direction: 'desc' }],
        [{ field: 'input_refs', direction: 'desc' }],
        [{ field: 'id', direction: 'desc' }],
      ],
    ],
    [
      '/feedback/query',
      'result',
      [
        [],
        [{ field: 'creator', direction: 'asc' }],
        [
          { field: 'creator', direction: 'desc' },
          { field: 'created_at', direction: 'desc' },
        ],
        [{ field: 'payload.k', direction: 'desc' }],
        [{ field: 'trace_ref', direction: 'asc' }],
        [{ field: 'scorer_tags', direction: 'asc' }],
      ],
    ],
    [
      '/objs/query',
      'objs',
      [
        [],
        [{ field: 'created_at', direction: 'desc' }],
        [{ field: 'object_id', direction: 'asc' }],
        [
          { field: 'object_id', direction: 'desc' },
          { field: 'created_at', direction: 'desc' },
        ],
      ],
    ],
    [
      'items',
      'items',
      [
        [],
        [{ field: 'call_started_at', direction: 'desc' }],
        [
          { field: 'call_ended_at', direction: 'asc' },
          { field: 'id', direction: 'desc' },
        ],
      ],
    ],
  ];
  const CASES = LISTS.flatMap(([path, list, sorts]) => sorts.map((sort) => [path, list, sort] as const));
  const pathOf = (path: string) => (path === 'items' ? `/annotation_queues/${queueId}/items/query` : path);

  const ask = async (path: string, body: Body): Promise<Record<string, Row[]> & { next_cursor?: string | null }> => {
    const { status, text, json } = await client.post(pathOf(path), { project_id: PROJECT, ...body });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return json();
  };
  /** All pages, one after another. @param between what happens after each */
  const walk = async (path: string, list: string, body: Body, between?: () => Promise<void>): Promise<Row[][]> => {
    const pages: Row[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await ask(path, { ...body, cursor });
      pages.push(page[list] as Row[]);
      cursor = page.next_cursor as string | null;
      expect(pages.length).toBeLessThan(100);
      await between?.();
    }
    return pages;
  };

  it.each(CASES)('%s: the pages are the whole, in any order: %s %j', async (path, list, sort_by) => {
    const whole = (await ask(path, { sort_by }))[list] as Row[];
    expect(whole).toHaveLength(ROWS);
    for (const limit of [3, ROWS - 1, ROWS]) {
      const pages = await walk(path, list, { sort_by, limit });
      expect(pages.flat()).toEqual(whole);
      expect(pages.map((page) => page.length)).toEqual(
        Array.from({ length: Math.ceil(ROWS / limit) }, (_, n) => Math.min(limit, ROWS - n * limit)),
      );
    }
  });

  it('pages of the latest and of labelled versions are the whole, too', async () => {
    await client.put('/objs/o1/aliases', { project_id: PROJECT, digest: 'v0', aliases: ['prod'] });
    for (const filter of [{ latest_only: true }, { aliases: ['latest', 'prod'] }, { aliases: ['prod'] }]) {
      const whole = (await ask('/objs/query', { filter }))['objs'] as Row[];
      expect((await walk('/objs/query', 'objs', { filter, limit: 2 })).flat()).toEqual(whole);
    }
  });

  it.each([
    ['/calls/query', 'calls', 'id', [{ field: 'display_name', direction: 'asc' }]],
    ['/calls/query', 'calls', 'id', [{ field: 'started_at', direction: 'desc' }]],
    ['/feedback/query', 'result', 'id', [{ field: 'creator', direction: 'desc' }]],
    ['/feedback/query', 'result', 'id', []],
    ['/objs/query', 'objs', 'digest', [{ field: 'object_id', direction: 'asc' }]],
    ['items', 'items', 'id', [{ field: 'call_started_at', direction: 'asc' }]],
  ])('%s: a walk amid inserts has every earlier row once: %s by %s, %j', async (path, list, key, sort_by) => {
    const before = ((await ask(path, { sort_by }))[list] as Row[]).map((row) => row[key]);
    let n = 1_000 + Math.floor(performance.now());
    const insert = async () => {
      await Promise.all([add(n++), add(n++), add(n++)]);
      const call_ids = [`c${n - 1}`, `c${n - 2}`];
      await client.post(`/annotation_queues/${queueId}/items`, { project_id: PROJECT, call_ids });
    };
    let inserts = 0;
    const between = async () => void (inserts++ < 4 && (await insert()));
    const seen = (await walk(path, list, { sort_by, limit: 7 }, between)).flat().map((row) => row[key]);
    expect(seen.filter((one, at) => seen.indexOf(one) !== at)).toEqual([]);
    expect(before.filter((one) => !seen.includes(one))).toEqual([]);
  });

  it('goes on in another process, and after a restart', async () => {
    const { next_cursor } = await ask('/feedback/query', { cursor: '', limit: 2 });
    const other = await startTestApp(TraceModule, { databaseUrl: trace.url });
    const body = { project_id: PROJECT, cursor: next_cursor, limit: 2, fields: ['id'] };
    const page = await other.as(trace.writer).post('/feedback/query', body);
    expect(page.json().result).toEqual((await client.post('/feedback/query', body)).json().result);
    await other.close();
  });

  it('refuses a cursor that was altered, or is of another query, project or list; and an offset beside one', async () => {
    await client.post('/call/upsert_batch', finishedCalls('other'));
    for (const [path, , sorts] of LISTS) {
      const [, sort_by] = sorts;
      const { next_cursor } = await ask(path, { cursor: '', limit: 2, sort_by });
      const wrong = async (body: Body) => {
        const { status, json } = await client.post(pathOf(path), { project_id: PROJECT, sort_by, ...body });
        return [status, json().detail?.map(({ loc, type }: { loc: unknown; type: string }) => [loc, type])];
      };
      const refusal = (...fields: string[]) => [422, fields.map((field) => [['body', field], 'value_error'])];
      const token = next_cursor as string;
      expect(await wrong({ cursor: `${token}x` })).toEqual(refusal('cursor'));
      expect(await wrong({ cursor: token.replace(/^./, (first) => (first === 'W' ? 'X' : 'W')) })).toEqual(
        refusal('cursor'),
      );
      expect(await wrong({ cursor: token, sort_by: [] })).toEqual(refusal('cursor'));
      expect(await wrong({ cursor: token, project_id: 'acme/other' })).toEqual(refusal('cursor'));
      expect(await wrong({ cursor: token, offset: 0 })).toEqual(refusal('offset'));
      expect(await wrong({ cursor: '', limit: 0 })).toEqual([422, [[['body', 'limit'], 'greater_than_equal']]]);
      expect(await wrong({ cursor: 5 })).toEqual([422, [[['body', 'cursor'], 'string_type']]]);
      for (const [otherPath] of LISTS)
        if (otherPath !== path)
          expect((await client.post(pathOf(otherPath), { project_id: PROJECT, cursor: token })).status).toBe(422);
    }
  });

  it('bears orders of many fields, and refuses those of too many', async () => {
    const paths = (column: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({ field: `${column}.k${n}`, direction: 'asc' }));
    for (const [path, column] of [
      ['/calls/query', 'inputs'],
      ['/feedback/query', 'payload'],
    ] as const) {
      const body = { project_id: PROJECT, limit: 1, cursor: '', sort_by: paths(column, 100) };
      const { next_cursor } = (await client.post(path, body)).json();
      expect((await client.post(path, { ...body, cursor: next_cursor })).status).toBe(200);
      const { status, json } = await client.post(path, { ...body, sort_by: paths(column, 101) });
      expect([status, json().detail]).toMatchObject([422, [{ loc: ['body', 'sort_by'], type: 'too_many' }]]);
    }
    const again = { sort_by: Array(2_000).fill({ field: 'created_at', direction: 'desc' }), limit: 1 };
    for (const [path, list] of [
      ['/objs/query', 'objs'],
      ['items', 'items'],
    ] as const)
      expect((await walk(path, list, again)).length).toBeGreaterThanOrEqual(ROWS);
  });

  it('has no next cursor without a cursor, and none after the end', async () => {
    expect(Object.keys(await ask('/calls/query', { limit: 1 }))).toEqual(['calls']);
    expect(Object.keys(await ask('/objs/query', { cursor: null, limit: 1 }))).toEqual(['objs']);
    const nowhere = { project_id: 'acme/nowhere', cursor: '' };
    expect(await ask('/calls/query', nowhere)).toEqual({ calls: [], next_cursor: null });
    expect(await ask('/feedback/query', nowhere)).toEqual({ result: [], total_count: 0, next_cursor: null });
    expect(await ask('/objs/query', nowhere)).toEqual({ objs: [], next_cursor: null });
    const counted = await ask('/feedback/query', { cursor: '', limit: 3, include_total_count: true });
    expect(counted['total_count']).toBeGreaterThanOrEqual(ROWS);
    expect((await ask('/feedback/query', { cursor: '', limit: 3 }))['total_count']).toBeNull();
  });

  it('pages have a thousand rows where no limit is given, and are read from a database cursor where they are long', async () => {
    const batch = Array.from({ length: 1_203 }, (_, n) => aWholeCall(`many${n}`, { thread_id: 'many' }));
    await client.post('/v2/acme/demo/calls/complete', { batch });
    const body = { filter: { thread_ids: ['many'] }, columns: ['id'] };
    expect((await walk('/calls/query', 'calls', body)).map((page) => page.length)).toEqual([1_000, 203]);
    const pages = await walk('/calls/query', 'calls', { ...body, limit: 401 });
    expect(pages.map((page) => page.length)).toEqual([401, 401, 401]);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(1_203);
  });
});
