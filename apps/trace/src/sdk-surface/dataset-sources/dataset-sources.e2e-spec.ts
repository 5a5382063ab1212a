import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { anObject, finishedCalls } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

const AT = '/compat/weave/dataset_sources';
const project_id = 'acme/demo';
const dataset = { project_id, dataset_object_id: 'rows', dataset_digest: 'latest' };
const aCall = (id: string) => ({ source_id: id, source_kind: 'call', source_trace_id: 't1' });

describe('sources of datasets', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    await client.post('/call/upsert_batch', finishedCalls('c1'));
    await client.post('/obj/create', anObject('rows', { _type: 'Dataset' }));
  });
  afterAll(() => trace.close());

  const post = async (path: string, body: object) => {
    const { status, json } = await client.post(AT + path, body);
    return { status, body: json() };
  };
  const links = async (more: object = {}) =>
    (await post('/query', { project_id, dataset_object_id: 'rows', ...more })).body.links as Record<string, unknown>[];

  it('are linked once, in the order in which they were sent', async () => {
    const body = {
      ...{ ...dataset, include_created_status: true, wb_user_id: null },
      links: [
        { row_digest: 'r2', sources: [aCall('c1'), aCall('gone')], link_metadata: { weight: 1.5 } },
        { row_digest: 'r1', sources: [aCall('c1'), aCall('c1')] },
      ],
    };
    const first = await post('/link', body);
    expect([first.status, first.body.entries.map(({ created }: { created: boolean }) => created)]).toEqual([
      200,
      [true, true, true, true],
    ]);
    const again = await post('/link', body);
    const ids = (entries: { link_id: string }[]) => entries.map(({ link_id }) => link_id);
    expect(ids(again.body.entries)).toEqual(ids(first.body.entries));
    expect(again.body.entries[0].created).toBe(false);
    expect(new Set(ids(again.body.entries)).size).toBe(3);
    expect(await links({ row_digests: ['r2'], source_kinds: ['call'] })).toMatchObject([
      {
        ...{ id: first.body.entries[0].link_id, row_digest: 'r2', source_id: 'c1', source_trace_id: 't1' },
        ...{ source_display_name: 'weave:///acme/demo/op/predict:v0', source_started_at: '2026-01-15T09:59:00.000Z' },
        ...{ link_metadata: { weight: 1.5 }, added_by: trace.writer.id, deleted_at: null },
      },
      { source_id: 'gone', source_display_name: 'gone' },
    ]);
    expect(await links({ limit: 1, offset: 1 })).toHaveLength(1);
  });

  it('show which datasets a call went into', async () => {
    const { body } = await post('/source_datasets_query', { project_id, sources: [aCall('c1'), aCall('other')] });
    expect(body.memberships).toEqual([
      {
        ...{ dataset_object_id: 'rows', ...aCall('c1'), first_seen_at: expect.any(String) },
        ...{ row_digests: ['r1', 'r2'], row_digests_total_count: 2, row_digests_truncated: false },
      },
    ]);
  });

  it('are deleted softly, and come back', async () => {
    const [{ id } = {}] = await links({ row_digests: ['r1'] });
    expect((await post('/link_delete', { project_id, link_ids: [id, 'none'] })).body).toEqual({
      entries: [
        { link_id: id, deleted: true },
        { link_id: 'none', deleted: false },
      ],
    });
    expect(await links({ row_digests: ['r1'] })).toEqual([]);
    expect(await links({ row_digests: ['r1'], include_deleted: true })).toMatchObject([
      { id, deleted_at: expect.any(String) },
    ]);
    await post('/link', { ...dataset, links: [{ row_digest: 'r1', sources: [aCall('c1')] }] });
    expect(await links({ row_digests: ['r1'] })).toMatchObject([{ id, deleted_at: null }]);
  });

  it('need a version of the dataset, and the right form', async () => {
    const one = [{ row_digest: 'r', sources: [aCall('c1')] }];
    expect((await post('/link', { ...dataset, dataset_object_id: 'none', links: one })).status).toBe(404);
    const wrong = await post('/link', {
      ...dataset,
      links: [{ row_digest: '', sources: [{ ...aCall('c1'), source_kind: 'x' }] }],
    });
    expect([wrong.status, wrong.body.detail.map(({ loc }: { loc: unknown[] }) => loc.at(-1))]).toEqual([
      422,
      ['row_digest', 'source_kind'],
    ]);
    const many = Array.from({ length: 10_001 }, (_one, n) => ({ row_digest: `r${n}`, sources: [aCall('c1')] }));
    expect((await post('/link', { ...dataset, links: many })).status).toBe(422);
  });
});
