import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { basic, startTestApp, statementsOf, type TestApp, type TestClient, until } from '@hone/testing';

import { aFeedback, anObject, aWholeCall, PROJECT } from './testing/bodies.fixture.js';
import { TraceModule } from './trace.module.js';

/** More than are answered without a database cursor. */
const ROWS = 250;
/** Rows of 20 KB: far more than sockets hold. */
const LARGE_ROWS = 2_000;
const ACCEPT = { accept: 'application/x-ndjson' };

describe('lists as lines', () => {
  let trace: TestApp;
  let client: TestClient;
  let port: number;
  let queueId: string;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    await trace.app.listen(0, '127.0.0.1');
    port = (trace.app.getHttpServer().address() as AddressInfo).port;
    const ids = Array.from({ length: ROWS }, (_, n) => `c${n}`);
    await client.post('/v2/acme/demo/calls/complete', { batch: ids.map((id) => aWholeCall(id)) });
    await client.post('/feedback/batch/create', { batch: ids.map((id) => aFeedback({ id, payload: { 'é\n': 1 } })) });
    for (const id of ids.slice(0, 5)) await client.post('/obj/create', anObject(id, { id }));
    queueId = (await client.post('/annotation_queues', { project_id: PROJECT, name: 'q' })).json().id;
    await client.post(`/annotation_queues/${queueId}/items`, { project_id: PROJECT, call_ids: ids });
    await trace.sql(
      `INSERT INTO feedback SELECT made.* FROM feedback f, generate_series(1, ${LARGE_ROWS}) n,
         jsonb_populate_record(f, jsonb_build_object('id', 'large' || n, 'feedback_type', 'large',
           'payload_text', '{"x":"' || repeat('x', 20000) || '"}')) made WHERE f.id = 'c0'`,
    );
  });
  afterAll(() => trace.close());

  /** Sends a request over a real connection; nothing of the body is read yet. */
  const open = async (path: string, body: object): Promise<IncomingMessage> => {
    const headers = { ...ACCEPT, authorization: basic('api', trace.writer.key), 'content-type': 'application/json' };
    const sent = request({ port, path, method: 'POST', headers }).end(JSON.stringify({ project_id: PROJECT, ...body }));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  };
  const read = async (answer: IncomingMessage): Promise<string> => {
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    return text;
  };

  it.each(['/calls/stream_query', '/threads/stream_query', '/annotation_queues/query'])(
    'answer errors as JSON: %s',
    async (path) => {
      const answer = await client.post(path, {});
      expect(answer.status).toBe(422);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    },
  );

  const LISTS: [path: string, list: string, rows: number][] = [
    ['/calls/query', 'calls', ROWS],
    ['/feedback/query', 'result', ROWS],
    ['/objs/query', 'objs', 5],
    ['items', 'items', ROWS],
  ];

  it.each(LISTS)('are the records of the list, with their number as a trailer: %s %s', async (route, list, rows) => {
    const path = route === 'items' ? `/annotation_queues/${queueId}/items/query` : route;
    for (const page of [{ limit: 3 }, { limit: rows }, { limit: 1, offset: 10_000 }, { limit: 0 }]) {
      const answer = await open(path, page);
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
      const lines = (await read(answer)).split('\n');
      expect(lines.pop()).toBe('');
      const whole = await client.post(path, { project_id: PROJECT, ...page });
      expect(whole.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(lines.map((line) => JSON.parse(line))).toEqual(whole.json()[list]);
      expect(answer.trailers['x-row-count']).toBe(String(lines.length));
    }
    const nowhere = await open(path.replace(queueId, 'none'), { project_id: 'acme/nowhere' });
    expect([await read(nowhere), nowhere.trailers['x-row-count']]).toEqual(['', '0']);
  });

  it('are errors as always where the request is wrong', async () => {
    const headers = ACCEPT;
    const cursor = await client.post('/feedback/query', { project_id: PROJECT, cursor: '' }, { headers });
    expect([cursor.status, cursor.headers['content-type'], cursor.json().detail]).toEqual([
      422,
      'application/json; charset=utf-8',
      [{ loc: ['body', 'cursor'], msg: 'Lines have no cursor: they are read to their end', type: 'value_error' }],
    ]);
    expect((await client.post('/objs/query', { project_id: 'globex/demo' }, { headers })).json().code).toBe(
      'access.denied',
    );
  });

  it('are fetched as fast as the client reads them', async () => {
    const query = { $expr: { $eq: [{ $getField: 'feedback_type' }, { $literal: 'large' }] } };
    let answer: IncomingMessage | undefined;
    const sent = await statementsOf(async () => {
      answer = await open('/feedback/query', { query });
      await sleep(1_000);
    });
    // 200 rows each, of 4 MB; a whole answer takes ten.
    const fetches = sent.filter(({ text }) => text.startsWith('FETCH')).length;
    expect([fetches >= 1, fetches <= 4]).toEqual([true, true]);
    const text = await read(answer as IncomingMessage);
    expect([text.split('\n').length - 1, answer?.trailers['x-row-count']]).toEqual([LARGE_ROWS, String(LARGE_ROWS)]);
  });

  it('break off with the connection where the database fails amid them', async () => {
    const query = { $expr: { $eq: [{ $getField: 'feedback_type' }, { $literal: 'large' }] } };
    const answer = await open('/feedback/query', { query });
    await once(answer, 'readable');
    const stream = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'FETCH%' AND state = 'idle in transaction'`;
    await until(async () => (await trace.sql(stream)).length > 0);
    await expect(read(answer)).rejects.toThrow('aborted');
    expect([answer.complete, answer.trailers]).toEqual([false, {}]);
  });
});
