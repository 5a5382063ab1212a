import { contentDigest, tableDigest } from '@hone/contracts';
import { Database } from '@hone/database';
import { BodyThreads } from '@hone/platform';
import { startTestApp, type TestApp, type TestClient, type TestResponse } from '@hone/testing';

import { PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';
import { TableService } from './table.service.js';
import { TABLE_BODY, toTableDraft } from './table-bodies.task.js';

const project_id = PROJECT;
const codeOf = ({ status, json }: TestResponse) => [status, json().code];

interface Row {
  digest: string;
  val: Record<string, unknown>;
  original_index: number;
}

describe('tables', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeEach(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterEach(() => trace.close());

  const create = async (rows: unknown[]): Promise<{ digest: string; row_digests: string[] }> => {
    const response = await client.post('/table/create', { table: { project_id, rows } });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    return response.json();
  };
  const query = async (digest: string, fields: object = {}): Promise<Row[]> => {
    const response = await client.post('/table/query', { project_id, digest, ...fields });
    expect(response.status).toBe(200);
    return response.json().rows;
  };
  const valuesOf = (rows: Row[], key = 'n') => rows.map(({ val }) => val[key]);
  const update = (base_digest: string, ...updates: object[]): Promise<TestResponse> =>
    client.post('/table/update', { project_id, base_digest, updates });

  it('have the digests of the field’s recipe, equal rows once', async () => {
    const rows = [
      { q: '2+2', a: '4' },
      { q: '3+3', a: '6' },
    ];
    expect(await create(rows)).toEqual({
      digest: 'fc6a23ec9ef074d6b400e62c4e28cdc8ecc81b7119383cfc02e605e83d23a334',
      row_digests: ['0S9DGT9WaTh3NmpAYXd7YBefvlTW2psFGfzNGj9yHu8', 'cLtlLSZHvRKmo33iX2i7lCpYq4t2CxxdGOIQXFJfU2A'],
    });
    const { digest } = await create([rows[1], rows[1], rows[0]]);
    expect((await query(digest)).map(({ val, original_index }) => [original_index, val])).toEqual([
      [0, rows[1]],
      [1, rows[1]],
      [2, rows[0]],
    ]);
    expect(await trace.sql('SELECT count(*)::int AS n FROM table_rows')).toEqual([{ n: 2 }]);
    expect(await create([])).toEqual({ digest: tableDigest([]), row_digests: [] });
    expect(await query(tableDigest([]))).toEqual([]);
  });

  it('keep the text of numbers, odd characters and values of any size', async () => {
    const texts = ['{"n":1.0,"b":12345678901234567890}', '{"s":"a\\u0000\\ud800"}', `{"l":"${'é'.repeat(150_000)}"}`];
    const body = `{"table":{"project_id":"${PROJECT}","rows":[${texts.join(',')}]}}`;
    const { digest } = (await client.post('/table/create', body)).json();
    const { text } = await client.post('/table/query', { project_id, digest });
    for (const one of texts) expect(text).toContain(`"val":${one}`);
    const sort_by = [
      { field: 's', direction: 'desc' },
      { field: 'n', direction: 'asc' },
    ];
    expect((await query(digest, { sort_by })).map(({ original_index }) => original_index)).toEqual([1, 0, 2]);
  });

  it('are read by page, by row, and sorted', async () => {
    const { digest, row_digests } = await create(Array.from({ length: 2_500 }, (_, n) => ({ n, odd: n % 2 === 1 })));
    expect(valuesOf(await query(digest, { offset: 998, limit: 4 }))).toEqual([998, 999, 1_000, 1_001]);
    expect(valuesOf(await query(digest, { offset: 2_498, limit: 4 }))).toEqual([2_498, 2_499]);
    expect(valuesOf(await query(digest, { offset: 9_999 }))).toEqual([]);
    expect(valuesOf(await query(digest, { limit: 0 }))).toEqual([]);
    expect(valuesOf(await query(digest))).toEqual([...Array(2_500).keys()]);
    const filter = { row_digests: [row_digests[2_000], row_digests[7], 'unknown'] };
    expect(valuesOf(await query(digest, { filter }))).toEqual([7, 2_000]);
    expect(valuesOf(await query(digest, { filter, offset: 1 }))).toEqual([2_000]);
    const sort_by = [
      { field: 'odd', direction: 'desc' },
      { field: 'nothing', direction: 'asc' },
    ];
    expect(valuesOf(await query(digest, { sort_by, limit: 3 }))).toEqual([1, 3, 5]);
    const { text } = await client.post('/table/query_stream', { project_id, digest, offset: 2_000 });
    const lines = text.split('\n');
    expect([lines.length, lines.pop()]).toEqual([501, '']);
    expect(valuesOf(lines.map((line) => JSON.parse(line) as Row))).toEqual(
      [...Array(500).keys()].map((n) => n + 2_000),
    );
  });

  it('are changed into other tables, step by step', async () => {
    const { digest: base } = await create([{ n: 0 }, { n: 1 }, { n: 2 }]);
    const digestOf = (n: number) => contentDigest({ n });
    const { status, json } = await update(
      base,
      { append: { row: { n: 3 } } },
      { insert: { index: 0, row: { n: 9 } } },
      { pop: { index: 1 } },
      { insert: { index: 4, row: { n: 0 } } },
    );
    expect([status, json().updated_row_digests]).toEqual([200, [3, 9, 0, 0].map(digestOf)]);
    expect(json().digest).toBe(tableDigest([9, 1, 2, 3, 0].map(digestOf)));
    expect(valuesOf(await query(json().digest))).toEqual([9, 1, 2, 3, 0]);
    expect(valuesOf(await query(base))).toEqual([0, 1, 2]);
    expect((await update(base)).json()).toEqual({ digest: base, updated_row_digests: [] });
  });

  it.each([
    [{ pop: { index: 3 } }, 'pop', 'index', 'less_than_equal'],
    [{ insert: { index: 4, row: {} } }, 'insert', 'index', 'less_than_equal'],
    [{ insert: { index: -1, row: {} } }, 'insert', 'index', 'greater_than_equal'],
    [{ append: { row: [] } }, 'append', 'row', 'dict_type'],
    [{ append: { row: { r: 'weave-trace-internal:///x' } } }, 'append', 'row', 'value_error'],
  ])('refuse the step %j, and store nothing', async (step, key, field, type) => {
    const { digest } = await create([{ n: 0 }, { n: 1 }, { n: 2 }]);
    const { status, json } = await update(digest, { append: { row: { new: true } } }, { pop: { index: 0 } }, step);
    expect(status).toBe(422);
    expect(json().detail[0]).toMatchObject({ loc: expect.arrayContaining(['body', 'updates', 2, key, field]), type });
    expect(await trace.sql('SELECT count(*)::int AS n FROM table_versions')).toEqual([{ n: 1 }]);
  });

  it('have a million rows at most for one request', async () => {
    const rows = new Array<object>(1_000_001).fill({});
    const refused = await client.post('/table/create', { table: { project_id, rows } });
    expect(refused.status).toBe(422);
    expect(refused.json().detail).toMatchObject([{ loc: ['body', 'table', 'rows'], type: 'too_many' }]);
  });

  it('are given up when their caller leaves, before rows are read and while they are stored', async () => {
    const tables = trace.app.get(TableService);
    const rows = Array.from({ length: 2_000 }, (_, n) => ({ left: n }));
    const sent = { bytes: Buffer.from(JSON.stringify({ table: { project_id, rows } })), refScheme: 'hone' };
    const read = trace.app.get(BodyThreads).run(TABLE_BODY, sent, { signal: AbortSignal.abort() });
    await expect(read).rejects.toThrow(/abort/);
    const leave = new AbortController();
    const draft = toTableDraft(rows, [], [], 'hone');
    await create([{ n: 1 }]);
    const [project] = await trace.sql<{ id: string }>(`SELECT id FROM projects WHERE name = 'demo'`);
    const stored = trace.app.get(Database).transaction(async () => {
      const put = tables.put(project?.id as string, draft, leave.signal);
      leave.abort();
      await put;
    });
    await expect(stored).rejects.toThrow(/abort/);
    expect(await trace.sql(`SELECT digest FROM table_rows WHERE val_text LIKE '{"left"%'`)).toEqual([]);
  });

  it('are made of rows that are there, and of no others', async () => {
    const { digest, row_digests } = await create([{ n: 0 }, { n: 1 }]);
    const path = '/table/create_from_digests';
    const again = await client.post(path, { project_id, row_digests, expected_digest: digest });
    expect([again.status, again.json()]).toEqual([200, { digest }]);
    const reversed = await client.post(path, { project_id, row_digests: [...row_digests].reverse() });
    expect(valuesOf(await query(reversed.json().digest))).toEqual([1, 0]);
    const unknown = await client.post(path, { project_id, row_digests: [row_digests[0], 'x', row_digests[1], 'y'] });
    expect([unknown.status, unknown.json().detail.map(({ loc }: { loc: unknown }) => loc)]).toEqual([
      422,
      [
        ['body', 'row_digests', 1],
        ['body', 'row_digests', 3],
      ],
    ]);
    const wrong = await client.post(path, { project_id, row_digests, expected_digest: 'abc' });
    expect(codeOf(wrong)).toEqual([409, 'object.digest_mismatch']);
  });

  it('are counted, one and several', async () => {
    const { digest } = await create([{ n: 0 }, { n: 0 }, { n: 1 }]);
    expect((await client.post('/table/query_stats', { project_id, digest })).json()).toEqual({ count: 3 });
    const body = { project_id, digests: ['nothing', digest], include_storage_size: true };
    expect((await client.post('/table/query_stats_batch', body)).json()).toEqual({
      tables: [{ digest, count: 3, storage_size_bytes: 16 }],
    });
    const elsewhere = { ...body, project_id: 'acme/nothing' };
    expect((await client.post('/table/query_stats_batch', elsewhere)).json()).toEqual({ tables: [] });
  });

  it('are not found where they are not', async () => {
    const { digest } = await create([{ n: 0 }]);
    for (const path of ['/table/query', '/table/query_stream', '/table/query_stats']) {
      expect(codeOf(await client.post(path, { project_id, digest: 'x' }))).toEqual([404, 'table.not_found']);
      expect(codeOf(await client.post(path, { project_id: 'acme/other', digest }))).toEqual([404, 'project.not_found']);
    }
    expect(codeOf(await update('x'))).toEqual([404, 'table.not_found']);
  });

  it('are stored once by fifty who store the same rows at once', async () => {
    const rows = Array.from({ length: 200 }, (_, n) => ({ n }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => create(at % 2 ? rows : [...rows].reverse())),
    );
    expect(new Set(answers.map(({ digest }) => digest)).size).toBe(2);
    expect(await trace.sql('SELECT count(*)::int AS n FROM table_rows')).toEqual([{ n: 200 }]);
    expect(await trace.sql('SELECT count(*)::int AS n FROM table_chunks')).toEqual([{ n: 2 }]);
  });
});
