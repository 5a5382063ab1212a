import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { createTestDatabase, createTestUser, type TestDatabase, until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { fakeUpstream, routeTo } from './fake-upstreams.fixture.js';
import { GatewayAnswer } from './gateway-answer.fixture.js';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.fixture.js';

const isRefused = ({ cause }: { cause?: { code?: string } }): boolean => cause?.code === 'ECONNREFUSED';

/** Tokens of the answer that is running when the gateway is stopped. */
const SLOW = 'ok+tokens@10+pace@150';
const ENDLESS = 'stall@3';

describe('a gateway that is stopped (drain)', () => {
  let database: TestDatabase;
  let fake: FakeUpstream;
  let key: string;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    [database, fake] = await Promise.all([createTestDatabase(), FakeUpstream.start({ name: 'a' })]);
    ({ key } = await createTestUser(database.db, 'wendy'));
  });
  afterEach(() => gateway.remove());
  afterAll(async () => {
    await fake.stop();
    await database.drop();
  });

  const start = async (drainMs: number) => {
    fake.forget();
    gateway = await startGatewayProcess(database.url, key, {
      upstreams: [
        { name: 'local', kind: 'embedded' },
        fakeUpstream(fake, 'up', [SLOW, ENDLESS], { stall_ms: 60_000, response_ms: 60_000 }),
      ],
      routes: [
        routeTo('slow', { upstream: 'up', model: SLOW }),
        routeTo('endless', { upstream: 'up', model: ENDLESS }),
        routeTo('hone-tiny', { upstream: 'local', model: 'hone-tiny' }),
      ],
      drain_ms: drainMs,
    });
  };
  const records = () =>
    database.sql<{ rid: string; status: string; error_code: string | null }>(
      'SELECT rid, status, error_code FROM usage_records ORDER BY rid',
    );
  afterEach(() => database.sql('DELETE FROM usage_records'));

  it('finishes running answers, refuses new requests, and exits 0', async () => {
    await start(60_000);
    const { client } = gateway;
    const endless = { model: 'hone-tiny', ignore_eos: true, max_tokens: 200, stream: true };
    const embedded = await client.open(endless, { 'x-request-id': 'c' }).head;
    const running = Promise.all([
      client.ask({ model: 'slow', stream: true }, { 'x-request-id': 'a' }),
      client.ask({ model: 'slow' }, { 'x-request-id': 'b' }),
      text(embedded),
    ]);
    await until(() => fake.count() === 2);
    const stopped = gateway.stop();
    // Refused before anything is sent: a proxy can safely retry at another replica.
    await until(() => fetch(`${gateway.url}/readyz`).then(() => false, isRefused));
    const [stream, whole, own] = await running;
    expect(stream.isWhole).toBe(true);
    expect(whole.isWhole).toBe(true);
    expect(own.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(await stopped).toBe(0);
    expect(fake.count()).toBe(2);
    const ok = { status: 'ok', error_code: null };
    expect(await records()).toEqual(['a', 'b', 'c'].map((rid) => ({ rid, ...ok })));
  });

  it('ends answers that exceed the drain time with an error, and records them', async () => {
    await start(300);
    const { client } = gateway;
    const whole = client.ask({ model: 'endless' }, { 'x-request-id': 'b' });
    const head = await client.open({ model: 'endless', stream: true }, { 'x-request-id': 'a' }).head;
    let body = '';
    head.on('data', (chunk) => (body += String(chunk)));
    const ended = once(head, 'end');
    await until(() => fake.count() === 2 && body.includes(' a2'), 'all of the stream that there is');
    expect(await gateway.stop()).toBe(0);
    await ended;
    const stream = new GatewayAnswer(200, new Headers({ 'content-type': 'text/event-stream' }), body);
    expect(head.statusCode).toBe(200);
    expect(stream.errorCode).toBe('server_shutdown');
    expect(stream.text).toBe('a0 a1 a2');
    expect(stream.dones).toBe(0);
    expect(stream.finishReasons).toEqual([]);
    const { status, errorCode } = await whole;
    expect(errorCode).toBe('overloaded');
    expect(status).toBe(503);
    expect(await records()).toEqual([
      { rid: 'a', status: 'error', error_code: 'server_shutdown' },
      { rid: 'b', status: 'error', error_code: 'overloaded' },
    ]);
    await until(() => fake.requests.every(({ isOver }) => isOver));
  });

  it('does not wait for an incomplete body', async () => {
    await start(100);
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    let told = '';
    socket.on('data', (chunk) => (told += String(chunk))).on('error', () => undefined);
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
        'expect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
    );
    await until(() => told.includes('100 Continue'), 'a sign that the request has arrived');
    expect(await gateway.stop()).toBe(0);
    await until(() => told.includes('shutting down'));
    expect(told).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 503 [^]*connection: close/i);
    socket.destroy();
  });
});
