import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest, type RequestListener } from 'node:http';
import { connect } from 'node:net';

import { docsPolicy } from '@hone/platform/docs-page';

import { readAll, type Rig, send, startRig } from './testing/rig.js';

const fakeService =
  (ready: boolean, paths: Record<string, unknown>): RequestListener =>
  (request, response) => {
    if (request.url === '/readyz') response.writeHead(ready ? 200 : 503).end('{}');
    else response.end(JSON.stringify({ openapi: '3.1.0', paths, components: { schemas: { Thing: { paths } } } }));
  };

describe('ProxyServer', () => {
  let rig: Rig;
  afterEach(() => rig.stop());

  it.each(['/', '/healthz', '/metrics', '/feedbacks', '/v1x', '/docs/x', '//feedback/create'])(
    'has nothing at %s',
    async (path) => {
      rig = await startRig({});
      const reply = await send(rig, path, { method: 'POST', headers: { 'x-request-id': 'mine' } });
      expect([reply.status, reply.headers['x-request-id'], JSON.parse(reply.text)]).toEqual([
        404,
        'mine',
        { detail: 'There is nothing at this path.', code: 'route.not_found' },
      ]);
    },
  );

  it.each(['/v1', '/v1/embeddings', '/v1/modelsx'])('leaves it to the gateway to refuse %s', async (path) => {
    const body = '{"detail":"There is nothing at this path.","error":{"code":"not_found"}}';
    rig = await startRig({ 'inference-gateway': [(_request, response) => void response.writeHead(404).end(body)] });
    const reply = await send(rig, path, { method: 'POST' });
    expect([reply.status, reply.text]).toEqual([404, body]);
  });

  it('closes a connection whose headers do not arrive', async () => {
    rig = await startRig({});
    expect(rig.proxy.server.headersTimeout).toBe(10_000);
    rig.proxy.server.headersTimeout = 50;
    const socket = connect(rig.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: x\r\n'));
    const chunks: Buffer[] = [];
    // Far below the half minute between two checks of Node's own.
    const signal = AbortSignal.timeout(15_000);
    socket.on('data', (chunk) => chunks.push(chunk));
    await once(socket, 'end', { signal });
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 408 /);
  });

  it('is ready when every service has a replica that is', async () => {
    const up = fakeService(true, {});
    rig = await startRig({
      trace: [up, fakeService(false, {})],
      training: [up],
      'inference-gateway': [up],
      evaluation: [up],
      accounts: [up],
    });
    const reply = await send(rig, '/readyz');
    expect([reply.status, JSON.parse(reply.text)]).toEqual([
      200,
      {
        status: 'ready',
        services: {
          trace: { status: 'ready', ready: 1, replicas: 2 },
          training: { status: 'ready', ready: 1, replicas: 1 },
          'inference-gateway': { status: 'ready', ready: 1, replicas: 1 },
          evaluation: { status: 'ready', ready: 1, replicas: 1 },
          accounts: { status: 'ready', ready: 1, replicas: 1 },
        },
      },
    ]);
  });

  it('is ready with the warnings of its services, each once', async () => {
    const warned: RequestListener = (_request, response) =>
      void response.end('{"status":"ready","checks":{},"warnings":["A route is without a target."]}');
    const up = fakeService(true, {});
    rig = await startRig({
      trace: [up],
      training: [up],
      'inference-gateway': [warned, warned],
      evaluation: [up],
      accounts: [up],
    });
    const reply = await send(rig, '/readyz');
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([
      200,
      { services: { 'inference-gateway': { ready: 2, warnings: ['A route is without a target.'] } } },
    ]);
  });

  it('is not ready while one service is down', async () => {
    const up = fakeService(true, {});
    rig = await startRig({ trace: [up], training: [up], evaluation: [up], accounts: [up] });
    const reply = await send(rig, '/readyz');
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([503, { status: 'not ready' }]);
    expect(JSON.parse((await send(rig, '/openapi.json')).text).code).toBe('service.unavailable');
  });

  it('merges the documents of all services into one, and shows it', async () => {
    rig = await startRig({
      trace: [fakeService(true, { '/objs/query': { post: { $ref: '#/components/schemas/Thing' } }, '/healthz': {} })],
      training: [fakeService(true, { '/v1/health': { get: { $ref: '#/components/schemas/Thing' } } })],
      'inference-gateway': [fakeService(true, {})],
      evaluation: [fakeService(true, {})],
      accounts: [fakeService(true, {})],
    });
    const document = JSON.parse((await send(rig, '/openapi.json')).text);
    expect(document.openapi).toBe('3.1.0');
    expect(document.paths).toEqual({
      '/objs/query': { post: { $ref: '#/components/schemas/Thing' } },
      '/v1/health': { get: { $ref: '#/components/schemas/TrainingThing' } },
    });
    expect(Object.keys(document.components.schemas)).toEqual([
      'Thing',
      'TrainingThing',
      'InferenceGatewayThing',
      'EvaluationThing',
      'AccountsThing',
    ]);
    const page = await send(rig, '/docs');
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': docsPolicy(page.text),
      'x-content-type-options': 'nosniff',
    });
    for (const [, file] of page.text.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await send(rig, new URL(file as string, `${rig.url}/docs`).pathname)).status).toBe(200);
  });

  it('lets running requests end when it stops, and takes no new ones', async () => {
    let finish: () => void = () => undefined;
    rig = await startRig({
      trace: [
        (_request, response) => {
          response.write('begun ');
          finish = () => response.end('ended');
        },
      ],
    });
    const agent = new Agent({ keepAlive: true });
    const request = httpRequest(`${rig.url}/objs/query`, { agent }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const closed = rig.proxy.close(5_000);
    await expect(send(rig, '/readyz')).rejects.toThrow('ECONNREFUSED');
    finish();
    expect((await readAll(response)).toString()).toBe('begun ended');
    await closed;
    agent.destroy();
  });

  it('breaks off what does not end in time', async () => {
    rig = await startRig({ trace: [(_request, response) => void response.write('begun')] });
    const request = httpRequest(`${rig.url}/objs/query`, { agent: false }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const broken = readAll(response);
    await Promise.all([rig.proxy.close(100), expect(broken).rejects.toThrow('aborted')]);
  });
});
