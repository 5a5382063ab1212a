import { basic, startTestApp, type TestApp } from '@hone/testing';

import { aFeedback, anObject, PROJECT } from './testing/bodies.fixture.js';
import { TraceModule } from './trace.module.js';

const PAYLOAD = 'the-words-of-a-customer';
const BAD_KEY = 'hone_a-key-that-somebody-mistyped-0123456789abcdef';

describe('the log of the trace service', () => {
  let trace: TestApp;
  let log = '';
  beforeAll(async () => {
    const write = (line: string) => void (log += line);
    trace = await startTestApp(TraceModule, { logLevel: 'trace' }, { logStream: { write } });
  });
  afterAll(() => trace.close());

  const expectNothingTold = (...more: string[]) => {
    for (const secret of [PAYLOAD, BAD_KEY, trace.writer.key, ...more]) expect(log).not.toContain(secret);
  };

  it('has a line of each request, without its query, its body and its key', async () => {
    const client = trace.as(trace.writer);
    await client.post('/feedback/create', aFeedback({ payload: { text: PAYLOAD } }));
    await client.post('/feedback/create', { ...aFeedback(), [PAYLOAD]: 1 });
    await client.post('/obj/create', anObject('prompt', { text: PAYLOAD }));
    await client.delete(`/v2/${PROJECT}/evaluations/e?digests=${PAYLOAD}`);
    await trace.as(basic('api', BAD_KEY)).post('/feedback/create', aFeedback({ payload: { text: PAYLOAD } }));
    const answered = log.split('\n').filter((line) => line.includes('"answered"'));
    expect(answered.map((line) => (JSON.parse(line) as { status: number }).status)).toEqual([200, 422, 200, 404, 401]);
    expectNothingTold(basic('api', trace.writer.key), basic('api', BAD_KEY));
  });

  it('says that the disk of the database is full, as the answer and the readiness probe do', async () => {
    // What Postgres answers when a file cannot grow.
    await trace.sql(`CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$`);
    await trace.sql('CREATE TRIGGER full_disk BEFORE INSERT ON feedback EXECUTE FUNCTION disk_full()');
    const ready = await trace.as(undefined).get('/readyz');
    expect(ready.json().checks).toEqual({ database: 'up', disk: 'up' });
    const answer = await trace.as(trace.writer).post('/feedback/create', aFeedback({ payload: { text: PAYLOAD } }));
    await trace.sql('DROP FUNCTION disk_full CASCADE');
    expect(answer.status).toBe(503);
    expect(answer.json()).toEqual({ detail: 'The disk of the database is full.', code: 'storage.full' });
    expect(answer.headers['retry-after']).toBe('5');
    expect(log).toContain('a write met a full disk');
    const unready = await trace.as(undefined).get('/readyz');
    expect(unready.status).toBe(503);
    expect(unready.json()).toEqual({ status: 'not ready', checks: { database: 'up', disk: 'full' } });
    expectNothingTold();
  });

  it('tells of a fault of ours, not of the row that it happened to', async () => {
    await trace.sql(`ALTER TABLE feedback ADD CONSTRAINT no_boom CHECK (feedback_type <> 'boom')`);
    const body = aFeedback({ feedback_type: 'boom', payload: { text: PAYLOAD } });
    const { status, json, text } = await trace.as(trace.writer).post('/feedback/create', body);
    expect([status, json().code]).toEqual([500, 'server.internal']);
    expect(text).not.toMatch(/no_boom|constraint|prisma/i);
    expect(log).toContain('unexpected error');
    expectNothingTold();
  });
});
