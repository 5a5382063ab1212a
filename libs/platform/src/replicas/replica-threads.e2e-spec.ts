import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import Fastify, { type FastifyInstance } from 'fastify';

import type { AppOptions } from '../config/app-options.js';
import { ReplicaThreads } from './replica-threads.js';

/** A replica that answers the length of the body, and ends amid a request of `/crash`. */
const REPLICA = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { createServer } from 'node:http';
    import { parentPort, workerData } from 'node:worker_threads';
    const server = createServer(async (request, response) => {
      if (request.url === '/crash') process.exit(1);
      let bytes = 0;
      for await (const chunk of request) bytes += chunk.length;
      if (request.url === '/slow') return;
      response.setHeader('x-pool', workerData.options.config.poolSize).end(String(bytes));
    });
    server.listen(workerData.socketPath, () => parentPort.postMessage('ready'));
    parentPort.once('message', () => process.exit(0));
  `)}`,
);
const OPTIONS = { name: 'test', description: '', config: { poolSize: 16 } } as unknown as AppOptions;

describe('ReplicaThreads', () => {
  let fastify: FastifyInstance;
  let threads: ReplicaThreads;
  let temporary: string;
  beforeEach(async () => {
    temporary = mkdtempSync(join(tmpdir(), 't-'));
    fastify = Fastify({ bodyLimit: 2 ** 26 });
    threads = ReplicaThreads.of(fastify, REPLICA, OPTIONS, temporary);
    fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    fastify.post('/*', async (request, reply) => {
      const { status, headers, body } = await threads.forward(request, reply, request.body as Buffer);
      return reply.status(status).headers(headers).send(body);
    });
    await fastify.ready();
  });
  afterEach(async () => {
    await fastify.close();
    rmSync(temporary, { recursive: true, force: true });
  });

  const post = (url: string, bytes = 1_000) => fastify.inject({ method: 'POST', url, payload: Buffer.alloc(bytes) });

  it('starts no thread before it is needed, and two at most', async () => {
    expect(threads.size).toBe(0);
    expect((await post('/')).body).toBe('1000');
    expect(threads.size).toBe(1);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => post('/', 30_000_000 + n)));
    expect(answers.map(({ body }) => Number(body) - 30_000_000)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(threads.size).toBe(2);
    expect((await post('/')).headers['x-pool']).toBe('4');
  });

  it('keeps one thread that is prepared', async () => {
    threads.prepare();
    threads.prepare();
    expect(threads.size).toBe(1);
    expect((await post('/')).body).toBe('1000');
    expect(threads.size).toBe(1);
  });

  it('goes on with another thread when one crashes', async () => {
    expect((await post('/crash')).statusCode).toBe(500);
    expect((await post('/')).body).toBe('1000');
    const [crashed, other] = await Promise.all([post('/crash'), post('/')]);
    expect([crashed?.statusCode, other?.statusCode]).toEqual([500, 200]);
    expect((await post('/')).body).toBe('1000');
  });

  it('goes on when the system has cleared the temporary folder', async () => {
    expect((await post('/')).body).toBe('1000');
    rmSync(temporary, { recursive: true });
    const answers = await Promise.all([post('/', 30_000_000), post('/', 30_000_001)]);
    expect(answers.map(({ body }) => body)).toEqual(['30000000', '30000001']);
    expect(threads.size).toBe(2);
    await fastify.close();
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('gives up a request whose caller has left', async () => {
    await fastify.listen();
    const { port } = fastify.server.address() as { port: number };
    const leave = new AbortController();
    const left = fetch(`http://127.0.0.1:${port}/slow`, { method: 'POST', body: 'x', signal: leave.signal });
    while (threads.size === 0) await sleep(5);
    leave.abort();
    await expect(left).rejects.toThrow();
    expect((await post('/')).body).toBe('1000');
  });
});
