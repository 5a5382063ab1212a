import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';

import { startTestApp, type TestApp } from '@hone/testing';

import { aFeedback } from './testing/bodies.fixture.js';
import { TraceModule } from './trace.module.js';

describe('what a request may hold', () => {
  let trace: TestApp;
  let port: number;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    await trace.app.listen(0, '127.0.0.1');
    ({ port } = trace.app.getHttpServer().address() as AddressInfo);
  });
  afterAll(() => trace.close());

  /** All that the service answers to these bytes. */
  async function answerTo(bytes: string): Promise<{ status: number; head: string; body: unknown }> {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (chunk: string) => (text += chunk)).write(bytes);
    await once(socket, 'close');
    const [head, body] = text.split('\r\n\r\n') as [string, string];
    return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) };
  }

  const tooLarge = { detail: expect.stringContaining('16384'), code: 'limit.headers_too_large' };

  it.each([
    ['a header of 20 KB', `GET /objs/query HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a path of 20 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a query of 20 KB', `GET /objs/query?x=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('refuses %s', async (_what, bytes) => {
    const { status, head, body } = await answerTo(bytes);
    expect([status, body]).toEqual([431, tooLarge]);
    expect(head).toContain('x-content-type-options: nosniff');
  });

  it.each(['\0\0\0\0\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n'])(
    'refuses what is no HTTP: %j',
    async (bytes) => {
      const { status, body } = await answerTo(bytes);
      expect([status, body]).toEqual([400, { detail: 'The request is malformed.', code: 'request.malformed' }]);
    },
  );

  it('refuses two ways of telling how long a body is', async () => {
    const { status } = await answerTo(
      'POST /feedback/create HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    );
    expect(status).toBe(400);
  });

  it.each([
    ['a part of 3,000 characters', `/v2/acme/demo/models/${'x'.repeat(3_000)}/versions/v0`],
    ['a part that cannot be decoded', '/v2/acme/demo/models/%ff/versions/v0'],
    ['dots, encoded', '/v2/acme/demo/models/%2e%2e%2f%2e%2e%2fetc%2fpasswd/versions/v0'],
  ])('knows no path with %s', async (_what, path) => {
    expect((await trace.as(trace.writer).get(path)).status).toBe(404);
  });

  it('refuses a body that unpacks to more than the limit, and a deep one', async () => {
    const client = trace.as(trace.writer);
    const small = await startTestApp(TraceModule, { bodyLimitBytes: 1_000 });
    const large = await small
      .as(small.writer)
      .post('/feedback/create', aFeedback({ payload: { x: 'x'.repeat(1_000) } }));
    expect([large.status, large.json().code]).toEqual([413, 'limit.body_too_large']);
    await small.close();
    const deep = `{"payload":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { status, json } = await client.post('/feedback/create', deep);
    expect([status, json().detail[0].type]).toEqual([422, 'json_too_deep']);
  });
});
