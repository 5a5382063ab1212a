import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { DEAD_URL, readAll, type Rig, send, startRig } from '../testing/rig.js';

const UNAVAILABLE = { detail: "The service 'trace' is not available.", code: 'service.unavailable' };

describe('Exchange', () => {
  let rig: Rig;
  afterEach(() => rig.stop());

  it('passes on method, target, body and answer as they are', async () => {
    rig = await startRig({
      trace: [
        async (request, response) => {
          const body = await readAll(request);
          const seen = Buffer.from(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`);
          response.writeHead(422, [
            ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Content-Type', 'text/x', 'Content-Length', `${seen.length}`],
            ...['X-Latin', 'é', 'x-request-id', 'theirs'],
          ]);
          response.end(seen);
        },
      ],
    });
    const reply = await send(rig, '/obj/%C3%A9/..;a?q=%2F&q=b', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    expect(reply).toMatchObject({ status: 422, text: 'DELETE /obj/%C3%A9/..;a?q=%2F&q=b application/json {"a":1}' });
    expect(reply.headers).toMatchObject({
      'set-cookie': ['a=1', 'b=2'],
      'content-type': 'text/x',
      'x-latin': 'é',
      'x-request-id': 'theirs',
    });
  });

  it('lets each event of a stream through at once', async () => {
    let next: (() => void) | undefined;
    rig = await startRig({
      'inference-gateway': [
        (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.flushHeaders();
          let count = 0;
          next = () => void (count++ < 2 ? response.write(`data: ${count}\n\n`) : response.end('data: [DONE]\n\n'));
        },
      ],
    });
    const request = httpRequest(`${rig.url}/v1/chat/completions`, { method: 'POST', agent: false }).end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage]; // before there is any event
    for (const expected of ['data: 1\n\n', 'data: 2\n\n', 'data: [DONE]\n\n']) {
      next?.();
      const [chunk] = (await once(response, 'data')) as [Buffer];
      expect(chunk.toString()).toBe(expected);
    }
  });

  it('passes a body on while it is still being sent', async () => {
    let sawFirst: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (sawFirst = resolve));
    rig = await startRig({
      trace: [
        async (request, response) => {
          request.once('data', () => sawFirst());
          response.end(`${(await readAll(request)).length} ${request.headers['transfer-encoding']}`);
        },
      ],
    });
    const request = httpRequest(`${rig.url}/feedback/create`, { method: 'POST', agent: false });
    request.write('half');
    await first;
    request.end('half');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect((await readAll(response)).toString()).toBe('8 chunked');
  });

  it('has no body limit of its own and leaves content codings alone', async () => {
    const packed = gzipSync(Buffer.alloc(100));
    rig = await startRig({
      trace: [
        async (request, response) => {
          const body = await readAll(request);
          const same = body.equals(packed) && request.headers['content-encoding'] === 'gzip';
          response.end(same ? 'untouched' : String(body.length));
        },
      ],
    });
    const gzip = { method: 'POST', headers: { 'content-encoding': 'gzip' }, body: packed };
    expect((await send(rig, '/feedback/create', gzip)).text).toBe('untouched');
    const big = { method: 'POST', body: Buffer.alloc(48 * 1_048_576) };
    expect((await send(rig, '/feedback/create', big)).text).toBe(String(48 * 1_048_576));
  });

  it('says who is asking, and believes it only of a client on this machine', async () => {
    rig = await startRig({ trace: [(request, response) => response.end(JSON.stringify(request.headers))] });
    const plain = await send(rig, '/objs/query', { headers: { host: 'hone.example' } });
    expect(JSON.parse(plain.text)).toMatchObject({
      host: 'hone.example',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'hone.example',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const forwarded = await send(rig, '/objs/query', {
      headers: { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https', 'x-request-id': 'mine' },
    });
    expect(JSON.parse(forwarded.text)).toMatchObject({
      'x-forwarded-for': '192.0.2.7, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-request-id': 'mine',
    });
    expect(forwarded.headers['x-request-id']).toBe('mine');
  });

  it('keeps the headers of a connection on that connection', async () => {
    rig = await startRig({
      trace: [
        (request, response) => {
          response.writeHead(200, { connection: 'keep-alive, x-own', 'x-own': '1', 'keep-alive': 'timeout=7' });
          response.end(JSON.stringify(request.headers));
        },
      ],
    });
    const reply = await send(rig, '/objs/query', {
      headers: {
        connection: 'close, x-secret',
        'x-secret': '1',
        te: 'trailers',
        'proxy-authorization': 'x',
        'x-kept': '1',
      },
    });
    const seen = JSON.parse(reply.text) as Record<string, string>;
    expect(seen).toMatchObject({ connection: 'keep-alive', 'x-kept': '1' });
    for (const name of ['x-secret', 'te', 'proxy-authorization']) expect(seen).not.toHaveProperty(name);
    expect(reply.headers).not.toHaveProperty('x-own');
    expect(reply.headers['keep-alive']).toBeUndefined();
  });

  it('goes round the replicas, and past one that is down', async () => {
    rig = await startRig({
      trace: [(_, response) => response.end('a'), DEAD_URL, (_, response) => response.end('b')],
    });
    const seen: string[] = [];
    for (let count = 0; count < 6; count++)
      seen.push((await send(rig, '/objs/query', { method: 'POST', body: 'x' })).text);
    expect(seen).toEqual(['a', 'b', 'b', 'a', 'b', 'b']);
  });

  it('answers 503 when no replica takes the request', async () => {
    rig = await startRig({ trace: [DEAD_URL, DEAD_URL] });
    const reply = await send(rig, '/feedback/create', { method: 'POST', body: '{}' });
    expect([reply.status, reply.headers['retry-after'], JSON.parse(reply.text)]).toEqual([503, '1', UNAVAILABLE]);
    expect(reply.headers['x-request-id']).toBeDefined();
  });

  it('waits for a service that is being restarted, with the body that it holds', async () => {
    const body = Buffer.alloc(3 * 1_048_576, 'x');
    const service = createServer((request, response) => {
      void readAll(request).then((read) => response.end(String(read.equals(body))));
    });
    // Of those that systems do not give to outgoing connections: nobody else takes it meanwhile.
    const port = randomInt(20_000, 32_700);
    rig = await startRig({ trace: [`http://127.0.0.1:${port}`] }, { waitMs: 60_000 });
    const held = send(rig, '/feedback/create', { method: 'POST', body });
    await sleep(300); // refused a few times
    await once(service.listen(port, '127.0.0.1'), 'listening');
    const reply = await held;
    service.close();
    expect([reply.status, reply.text]).toEqual([200, 'true']);
  });

  it('lets nothing wait when it stops itself', async () => {
    rig = await startRig({ trace: [DEAD_URL] }, { waitMs: 3_600_000 });
    const arrived = once(rig.proxy.server, 'request');
    const held = send(rig, '/objs/query');
    await arrived;
    await rig.proxy.close(60_000);
    expect((await held).status).toBe(503);
  });

  it('repeats a read that got no answer once, a write never', async () => {
    const seen: (string | undefined)[] = [];
    rig = await startRig({
      trace: [
        async (request) => {
          seen.push(request.method);
          await readAll(request);
          request.socket.destroy();
        },
      ],
    });
    const write = await send(rig, '/feedback/create', { method: 'POST', body: '{}' });
    expect([write.status, JSON.parse(write.text).code]).toEqual([502, 'service.broken_off']);
    expect(seen).toEqual(['POST']);
    expect((await send(rig, '/objs/query')).status).toBe(502);
    expect(seen).toEqual(['POST', 'GET', 'GET']);
  });

  it.each([
    ['of a known length', { 'content-length': '100' }],
    ['in chunks', {}],
  ])('breaks the connection when an answer %s breaks off', async (_name, headers) => {
    rig = await startRig({
      trace: [
        (_request, response) => {
          response.writeHead(200, headers);
          response.write('begun', () => response.destroy());
        },
      ],
    });
    const outcome = await send(rig, '/objs/query').catch((error: Error) => error);
    expect('complete' in outcome && outcome.complete).toBe(false);
  });

  it('breaks it for a client of HTTP/1.0 too, which reads until the end', async () => {
    rig = await startRig({
      trace: [
        (_request, response) => {
          response.write('begun');
          setTimeout(() => response.destroy(), 20);
        },
      ],
    });
    const socket = connect(rig.port, '127.0.0.1', () => socket.write('GET /objs/query HTTP/1.0\r\n\r\n'));
    socket.resume();
    await expect(once(socket, 'end')).rejects.toThrow('ECONNRESET');
  });

  it('stops the service when the client goes away', async () => {
    let left: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (left = resolve));
    rig = await startRig({
      trace: [
        (_request, response) => {
          response.on('close', left);
          response.write('begun');
        },
      ],
    });
    const request = httpRequest(`${rig.url}/objs/query`, { agent: false }).end();
    request.on('error', () => undefined);
    await once(request, 'response');
    request.destroy();
    await closed;
  });

  it('brings an early answer to a client that is still sending', async () => {
    rig = await startRig({
      trace: [
        (request, response) => {
          request.resume();
          response.writeHead(413).end('too large');
        },
      ],
    });
    const reply = await send(rig, '/feedback/create', { method: 'POST', body: Buffer.alloc(24 * 1_048_576) });
    expect([reply.status, reply.text]).toEqual([413, 'too large']);
  });

  it('holds a fast service back while the client reads slowly', async () => {
    let written = 0;
    rig = await startRig({
      trace: [
        (_request, response) => {
          const chunk = Buffer.alloc(1_048_576);
          const more = () => {
            while (written < 200 && response.write(chunk)) written++;
            if (written++ < 200) response.once('drain', more);
            else response.end();
          };
          more();
        },
      ],
    });
    const request = httpRequest(`${rig.url}/objs/query`, { agent: false }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    for (let before = -1; before !== written; await sleep(100)) before = written; // until it is held back
    expect(written).toBeLessThan(100);
    expect((await readAll(response)).length).toBeGreaterThan(150 * 1_048_576);
  });

  it('answers 400 to what must not be passed on', async () => {
    rig = await startRig({ trace: [(_, response) => response.end()] });
    const socket = connect(rig.port, '127.0.0.1', () =>
      socket.write('GET /obj/\x01 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'),
    );
    expect((await readAll(socket as never)).toString()).toMatch(/^HTTP\/1.1 400 /);
  });
});
