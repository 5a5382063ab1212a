import { multipart, startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback, aWholeCall, PROJECT } from '../../testing/bodies.fixture.js';
import { erase as eraseIn, tablesWithText } from '../../testing/erasure.fixture.js';
import { TraceModule } from '../../trace.module.js';

const MARKER = 'the-secret-of-Ada-L0velace';
/** Larger than what a row holds, so that it is stored in chunks. */
const LARGE = 'x'.repeat(300_000);

describe('the erasure of deleted calls', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const erase = () => eraseIn(trace);
  const complete = (...batch: object[]) => client.post('/v2/acme/demo/calls/complete', { batch });
  const remove = (...call_ids: string[]) => client.post('/calls/delete', { project_id: PROJECT, call_ids });
  const judge = (id: string, payload: object, more: object = {}) =>
    client.post('/feedback/create', aFeedback({ trace_ref: `hone:///${PROJECT}/call/${id}`, payload, ...more }));
  const upload = async (text: string): Promise<string> => {
    const { body, options } = multipart(
      { name: 'project_id', content: PROJECT },
      { name: 'file', filename: 'a.txt', content: text },
    );
    return (await client.post('/file/create', body, options)).json().digest;
  };
  const isFile = async (digest: string) =>
    (await client.post('/file/content', { project_id: PROJECT, digest })).status === 200;

  const tablesWith = (text: string) => tablesWithText(trace.sql, text);

  it('leaves nothing of their values, of files, of feedback and its history in the database', async () => {
    const digest = await upload(`a file about ${MARKER}`);
    const image = { files: { 'a.txt': digest } };
    await complete(
      aWholeCall('a', { inputs: { q: MARKER, image }, display_name: MARKER, exception: MARKER, thread_id: MARKER }),
      aWholeCall('b', { parent_id: 'a', output: `${LARGE}${MARKER}`, attributes: { mail: MARKER } }),
    );
    const first = (await judge('a', { note: MARKER })).json().id;
    await judge('b', { note: `${MARKER}${LARGE}` });
    await client.post('/feedback/replace', {
      ...aFeedback({ trace_ref: `hone:///${PROJECT}/call/a`, payload: { note: 'mild' } }),
      feedback_id: first,
    });
    expect(await tablesWith(MARKER)).toContain('feedback_revisions');
    await remove('a');
    expect(await erase()).toBe(2);
    expect(await tablesWith(MARKER)).toEqual([]);
    expect(await isFile(digest)).toBe(false);
    expect((await client.post('/feedback/query', { project_id: PROJECT })).json()).toEqual({
      result: [],
      total_count: 0,
    });
    expect(await erase()).toBe(0);
  });

  it('leaves nothing of log records that joined a call', async () => {
    await complete(aWholeCall('5b8efff798038103', { trace_id: '5b8efff798038103d269b633813fc60c' }));
    await trace.sql(
      `INSERT INTO span_events (project_id, trace_id, span_id, digest, time_unix_nano, name, content)
       SELECT project_id, trace_id, id, '\\x00', 0, 'gen_ai.choice', '{"content":"${MARKER}"}' FROM calls
       WHERE id = '5b8efff798038103'`,
    );
    await remove('5b8efff798038103');
    await erase();
    expect(await tablesWith(MARKER)).toEqual([]);
  });

  it('erases what comes late of a deleted call, too', async () => {
    await complete(aWholeCall('late'));
    await remove('late');
    await erase();
    await complete(aWholeCall('late', { inputs: { q: MARKER } }));
    expect(await tablesWith(MARKER)).not.toEqual([]);
    expect(await erase()).toBe(1);
    expect(await tablesWith(MARKER)).toEqual([]);
    expect((await client.post('/call/read', { project_id: PROJECT, id: 'late' })).json()).toEqual({ call: null });
  });

  it.each([
    ['a call', (digest: string) => complete(aWholeCall('other', { inputs: { file: digest } }))],
    ['a large value', (digest: string) => complete(aWholeCall('other', { inputs: { file: digest, LARGE } }))],
    [
      'an object',
      (digest: string) =>
        client.post('/obj/create', { obj: { project_id: PROJECT, object_id: 'o', val: { file: digest } } }),
    ],
    [
      'a row of a table',
      (digest: string) => client.post('/table/create', { table: { project_id: PROJECT, rows: [{ file: digest }] } }),
    ],
  ])('keeps a file that %s names as well', async (about, name) => {
    const digest = await upload(`shared with ${about}`);
    await complete(aWholeCall('gone', { inputs: { file: digest } }), aWholeCall('kept'));
    await judge('kept', { note: about });
    expect((await name(digest)).status).toBe(200);
    await trace.sql(`UPDATE calls SET deleted_at = NULL WHERE id = 'gone'`);
    await remove('gone');
    await erase();
    expect(await isFile(digest)).toBe(true);
    expect(JSON.stringify((await client.post('/feedback/query', { project_id: PROJECT })).json())).toContain(about);
  });

  it('keeps the chunks of a large value that another call has as well', async () => {
    const output = `${LARGE} shared`;
    await complete(aWholeCall('one', { output }), aWholeCall('two', { output }));
    await remove('one');
    await erase();
    const { call } = (await client.post('/call/read', { project_id: PROJECT, id: 'two' })).json();
    expect(call.output).toBe(output);
  });

  it('keeps a file that is uploaded again before it is removed', async () => {
    const digest = await upload('again');
    await complete(aWholeCall('first', { inputs: { file: digest } }));
    await remove('first');
    await trace.sql(`INSERT INTO erased_digests SELECT project_id, digest FROM files WHERE digest = '${digest}'`);
    expect(await upload('again')).toBe(digest);
    expect(await trace.sql(`SELECT digest FROM erased_digests WHERE digest = '${digest}'`)).toEqual([]);
  });

  it('keeps a file that nothing ever named', async () => {
    const digest = await upload('alone');
    await erase();
    expect(await isFile(digest)).toBe(true);
  });

  it('ends the items of queues at once: nobody is given them', async () => {
    await complete(aWholeCall('q1'), aWholeCall('q2'));
    const queue = (await client.post('/annotation_queues', { project_id: PROJECT, name: 'q' })).json().id;
    await client.post(`/annotation_queues/${queue}/items`, { project_id: PROJECT, call_ids: ['q1', 'q2'] });
    const mine = (await client.post(`/annotation_queues/${queue}/items/claim`, { project_id: PROJECT })).json().item;
    await remove(mine.call_id);
    const { item } = (await client.post(`/annotation_queues/${queue}/items/claim`, { project_id: PROJECT })).json();
    expect(item.call_id).not.toBe(mine.call_id);
    const filter = { annotation_states: ['call_deleted'] };
    const ended = await client.post(`/annotation_queues/${queue}/items/query`, { project_id: PROJECT, filter });
    expect(ended.json().items).toMatchObject([{ id: mine.id, annotation_state: 'call_deleted' }]);
    const move = { project_id: PROJECT, annotation_state: 'completed' };
    const moved = await client.post(`/annotation_queues/${queue}/items/${mine.id}/progress`, move);
    expect(moved.status).toBe(409);
    expect(moved.json()).toEqual({
      detail: `The call of item '${mine.id}' was deleted.`,
      code: 'annotation.call_deleted',
    });
    await remove(item.call_id);
    const none = await client.post(`/annotation_queues/${queue}/items/claim`, { project_id: PROJECT });
    expect(none.json()).toEqual({ item: null, lease: null });
  });

  describe('of what is no call', () => {
    const createTable = async (...rows: object[]) =>
      (await client.post('/table/create', { table: { project_id: PROJECT, rows } })).json();
    const rowsOf = async (digest: string, fields: object = {}) =>
      (await client.post('/table/query', { project_id: PROJECT, digest, ...fields })).json().rows;
    const eraseTable = (digest: string) => client.post('/table/erase', { project_id: PROJECT, digest });

    it('erases a table with the rows that no other table has', async () => {
      const digest = await upload(`table ${MARKER}`);
      const shared = { n: 'shared' };
      const ofLarge = await upload(`large ${MARKER}`);
      const table = await createTable({ n: MARKER, digest }, { n: `${LARGE}${MARKER}`, ofLarge }, shared);
      const other = await createTable(shared);
      expect((await eraseTable(table.digest)).json()).toEqual({ num_erased_rows: 2 });
      await erase();
      expect(await tablesWith(MARKER)).toEqual([]);
      expect(await isFile(digest)).toBe(false);
      expect(await isFile(ofLarge)).toBe(false);
      expect(await rowsOf(other.digest)).toMatchObject([{ val: shared }]);
      expect((await eraseTable(table.digest)).status).toBe(404);
    });

    it('refuses to erase a table that a dataset has, until its version is deleted', async () => {
      const table = await createTable({ n: 'in use' });
      const rows = `hone:///${PROJECT}/table/${table.digest}`;
      const obj = { project_id: PROJECT, object_id: 'used', val: { rows } };
      expect((await client.post('/obj/create', { obj })).status).toBe(200);
      const refused = await eraseTable(table.digest);
      expect(refused.status).toBe(409);
      expect(refused.json().code).toBe('table.in_use');
      await client.post('/obj/delete', { project_id: PROJECT, object_id: 'used' });
      expect((await eraseTable(table.digest)).json()).toEqual({ num_erased_rows: 1 });
    });

    it('erases a row in all tables, where it reads as {} until it is stored again', async () => {
      const row = { n: MARKER };
      const table = await createTable({ n: 1 }, row);
      const row_digests = [table.row_digests[1]];
      const answer = await client.post('/table/rows/erase', { project_id: PROJECT, row_digests });
      expect(answer.json()).toEqual({ num_erased_rows: 1 });
      expect(await tablesWith(MARKER)).toEqual([]);
      expect((await rowsOf(table.digest)).map(({ val }: { val: object }) => val)).toEqual([{ n: 1 }, {}]);
      const sort_by = [{ field: 'val.n', direction: 'asc' }];
      expect((await rowsOf(table.digest, { sort_by })).map(({ val }: { val: object }) => val)).toEqual([{ n: 1 }, {}]);
      await createTable(row);
      expect((await rowsOf(table.digest)).map(({ val }: { val: object }) => val)).toEqual([{ n: 1 }, row]);
      await client.post('/table/rows/erase', { project_id: PROJECT, row_digests });
    });

    it('erases files by their digests, and their bytes', async () => {
      const digest = await upload(`file ${MARKER}`);
      const answer = await client.post('/file/erase', { project_id: PROJECT, digests: [digest, 'none'] });
      expect(answer.json()).toEqual({ num_erased: 1 });
      expect(await isFile(digest)).toBe(false);
      await erase();
      expect(await tablesWith(MARKER)).toEqual([]);
    });

    it('erases deleted versions of an object, and no live one', async () => {
      const store = (val: object) => client.post('/obj/create', { obj: { project_id: PROJECT, object_id: 'e', val } });
      await store({ n: `${MARKER}${LARGE}` });
      await store({ n: 'live' });
      const body = { project_id: PROJECT, object_id: 'e' };
      expect((await client.post('/obj/erase', body)).json()).toEqual({ num_erased: 0 });
      await client.post('/obj/delete', { ...body, digests: ['v0'] });
      expect((await client.post('/obj/erase', body)).json()).toEqual({ num_erased: 1 });
      await erase();
      expect(await tablesWith(MARKER)).toEqual([]);
      const { obj } = (await client.post('/obj/read', { ...body, digest: 'latest' })).json();
      expect(obj).toMatchObject({ val: { n: 'live' }, version_index: 1 });
    });
  });

  it('is in the audit log, with counts and without content', async () => {
    const owner = await trace.user('olga', { roles: { acme: 'owner' } });
    const as = trace.as(owner);
    const project_id = 'acme/audited';
    const price = { prompt_token_cost: 1, completion_token_cost: 2 };
    await as.post('/v2/acme/audited/calls/complete', { batch: [aWholeCall('a', { project_id: undefined })] });
    const judged = await as.post('/feedback/create', {
      ...aFeedback({ project_id, trace_ref: `hone:///${project_id}/call/a`, payload: { note: MARKER } }),
    });
    await as.post('/obj/create', { obj: { project_id, object_id: 'o', val: { n: MARKER } } });
    const $expr = { $eq: [{ $getField: 'id' }, { $literal: judged.json().id }] };
    await as.post('/feedback/purge', { project_id, query: { $expr } });
    await as.post('/calls/delete', { project_id, call_ids: ['a', 'none'] });
    await as.post('/calls/delete', { project_id, call_ids: ['none'] });
    await as.post('/obj/delete', { project_id, object_id: 'o' });
    await as.post('/obj/erase', { project_id, object_id: 'o' });
    await as.post('/project/ttl_settings/update', { project_id, retention_days: 30 });
    const redact = { paths: ['inputs.messages'], patterns: [MARKER] };
    await as.post('/project/call_logging/update', { project_id, log_calls: 'metadata', redact });
    const made = (await as.post('/cost/create', { project_id, costs: { m: price } })).json();
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: made.ids[0][0] }] } };
    await as.post('/cost/purge', { project_id, query });
    const entries = await trace.sql<{ action: string; subject: string; detail: object }>(
      `SELECT action, subject, detail FROM audit_log WHERE project = '${project_id}' AND actor_id = '${owner.id}' ORDER BY id`,
    );
    expect(entries).toEqual([
      { action: 'feedback.delete', subject: project_id, detail: { count: 1 } },
      { action: 'calls.delete', subject: project_id, detail: { count: 1 } },
      { action: 'object_versions.delete', subject: 'o', detail: { count: 1 } },
      { action: 'object_versions.erase', subject: 'o', detail: { count: 1 } },
      { action: 'retention.put', subject: project_id, detail: { days: 30, days_before: null } },
      {
        ...{ action: 'call_logging.put', subject: project_id },
        detail: { log_calls: 'metadata', redacted_paths: 1, redacted_patterns: 1 },
      },
      { action: 'cost.create', subject: project_id, detail: { count: 1 } },
      { action: 'cost.delete', subject: project_id, detail: { count: 1 } },
    ]);
  });
});
