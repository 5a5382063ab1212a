import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TinkerSettings } from '../configuration/engine-settings.js';
import { TinkerServerDouble, type Trick } from '../testing/tinker-server.fixture.js';
import type { ForwardBackwardRequest } from './forward-backward.js';
import { TinkerClient } from './tinker-client.js';
import type { WireTimes } from './tinker-http.js';

const TIMES: WireTimes = { connectMs: 5_000, silenceMs: 5_000, pollMs: 100, patienceMs: 1_000, beatMs: 1_000 };
const PASS: ForwardBackwardRequest = {
  modelId: 'model_1',
  seqId: 1,
  data: [{ tokens: Int32Array.of(1, 2), targets: Int32Array.of(2, 3), values: { weights: Float32Array.of(0, 1) } }],
  lossFn: 'cross_entropy',
  forwardOnly: true,
};
const STEP = { learning_rate: 1e-3, beta1: 0.9, beta2: 0.99, eps: 1e-8, weight_decay: 0 };

describe('the client of a training server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hone-tinker-'));
  const signal = new AbortController().signal;
  let server: TinkerServerDouble;
  let other: TinkerServerDouble;
  let client: TinkerClient;
  let files = 0;
  beforeEach(async () => {
    [server, other] = await Promise.all([TinkerServerDouble.start(), TinkerServerDouble.start()]);
    client = new TinkerClient(server.settings(), TIMES);
  });
  afterEach(async () => {
    await client.close();
    await Promise.all([server.close(), other.close()]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const answering =
    (status: number, body: string | Buffer, headers = {}): Trick =>
    (_, response) =>
      void response.writeHead(status, headers).end(body);
  const configure = async (more: Partial<TinkerSettings>) => {
    await client.close();
    client = new TinkerClient(server.settings(more), TIMES);
  };
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      ({ code, message }: { code: string; message: string }) => {
        expect(message.length).toBeLessThan(700);
        return code;
      },
    );
  const download = (maxBytes = 1_000) => {
    const path = join(folder, String(++files));
    return client.download('model_1', 'kept', path, maxBytes, signal).then(() => readFileSync(path, 'utf8'));
  };

  it('takes a pass, a step and a download, and sends its key', async () => {
    await configure({ apiKey: 'secret' });
    expect(await client.forwardBackward(PASS, signal)).toEqual({ logprobs: [Float32Array.of(-1, -1)], metrics: {} });
    expect(await client.optimStep('model_1', 2, STEP, signal)).toEqual({ 'skyrl.ai/grad_norm': 0.5 });
    expect(await download()).toBe('archive');
    expect(new Set(server.seen.map(({ headers }) => headers['x-api-key']))).toEqual(new Set(['secret']));
  });

  it('asks again while the server fails, and sends the same request', async () => {
    let failures = 2;
    server.tricks.set('forward_backward', (_, response) => {
      if (failures-- <= 0) return false;
      if (failures === 1) response.writeHead(503).end('<html>');
      else response.destroy();
      return true;
    });
    await client.forwardBackward(PASS, signal);
    const sent = server.seen.filter(({ path }) => path === 'forward_backward').map(({ body }) => body.toString('hex'));
    expect([sent.length, new Set(sent).size]).toEqual([3, 1]);
  });

  it('reports how each of its requests ended', async () => {
    const seen: string[] = [];
    const observer = { request: (...parts: string[]) => void seen.push(parts.join(' ')), step: () => undefined };
    await client.close();
    client = new TinkerClient(server.settings(), TIMES, observer);
    const answers = [503, 200];
    server.tricks.set('forward_backward', (_, response) => {
      if (answers.shift() !== 503) return false;
      response.writeHead(503).end();
      return true;
    });
    const results = [408, 200];
    server.tricks.set('retrieve_future', (_, response) => {
      if (results.shift() !== 408) return false;
      response.writeHead(408).end();
      return true;
    });
    await client.forwardBackward(PASS, signal);
    await download();
    server.tricks.set('create_session', answering(400, '{"detail":"no"}'));
    expect(await codeOf(client.createSession([], signal))).toBe('engine.failed');
    expect(seen).toEqual([
      'double forward_backward unavailable',
      'double forward_backward ok',
      'double retrieve_future pending',
      'double retrieve_future ok',
      'double archive ok',
      'double archive ok',
      'double create_session refused',
    ]);
  });

  it('looks again for a result that is not there yet', async () => {
    let looks = 0;
    server.tricks.set('retrieve_future', (_, response) => {
      looks++;
      if (looks === 1) response.writeHead(408).end('{"detail":"Timeout waiting for result"}');
      // The second is not answered at all.
      return looks <= 2 ? undefined : false;
    });
    await client.optimStep('model_1', 1, STEP, signal);
    // A busy machine may be late for the answer to the third.
    expect(looks).toBeGreaterThanOrEqual(3);
  });

  it('does not make a second model when the answer to the first is lost', async () => {
    server.tricks.set('create_model', (_, response) => void response.destroy());
    const order = { sessionId: 's', baseModel: 'tiny', rank: 8, seed: 1 };
    expect(await codeOf(client.createModel(order, signal))).toBe('engine.unreachable');
    expect(server.pathsSeen()).toEqual(['create_model']);
  });

  it('says that a server is away', async () => {
    await server.close();
    expect(await codeOf(client.findBaseModels(signal))).toBe('engine.unreachable');
    server = await TinkerServerDouble.start();
  });

  it('stops at once when it is told to', async () => {
    server.tricks.set('retrieve_future', () => undefined);
    const stop = new AbortController();
    const started = performance.now();
    const work = client.optimStep('model_1', 1, STEP, stop.signal);
    setTimeout(() => stop.abort(new Error('stopped')), 50);
    await expect(work).rejects.toThrow('stopped');
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it.each<[string, string, number, string]>([
    ['a full server', 'engine.capacity', 400, 'Maximum number of LoRA adapters (4) reached'],
    ['a model that is gone', 'engine.lost', 400, 'Model model_1 not loaded'],
    ['a restarted server', 'engine.lost', 404, 'Model not found'],
    [
      'a worker that died',
      'engine.unreachable',
      400,
      'The actor died unexpectedly before finishing this task. class_name: RayJaxBackendImpl',
    ],
    ['an unavailable worker', 'engine.unreachable', 400, 'The actor 11931419ef is temporarily unavailable: RpcError'],
    ['a peer that is gone', 'engine.unreachable', 400, 'Gloo all-reduce failed: Connection reset by peer'],
    ['a cluster without answer', 'engine.unreachable', 400, 'UNAVAILABLE: failed to connect to all addresses'],
    ['a refusal', 'engine.failed', 400, 'learning_rate is wrong'],
    ['a long refusal', 'engine.failed', 422, 'x'.repeat(100_000)],
    ['a refused key', 'engine.failed', 401, 'no'],
    ['a server that fails for long', 'engine.unreachable', 500, 'oh'],
    ['too many requests', 'engine.unreachable', 429, 'slowly'],
  ])('tells %s: %s', async (_, code, status, detail) => {
    server.tricks.set('retrieve_future', answering(status, JSON.stringify({ detail })));
    expect(await codeOf(client.optimStep('model_1', 1, STEP, signal))).toBe(code);
  });

  it.each<[string, string | Buffer]>([
    ['no JSON', '<html>'],
    ['a list', '[]'],
    ['no id', '{}'],
    ['an id that is a path', '{"request_id":"../x?y"}'],
    ['an id of another type', '{"request_id":{"a":1}}'],
    ['an endless answer', Buffer.alloc(3_000_000, 0x20)],
  ])('refuses %s', async (_, body) => {
    server.tricks.set('optim_step', answering(200, body));
    expect(await codeOf(client.optimStep('model_1', 1, STEP, signal))).toBe('engine.failed');
  });

  it.each<[string, Buffer]>([
    ['no protobuf', Buffer.from('{"loss":1}')],
    ['too many bytes', Buffer.alloc(5_000_000)],
  ])('refuses scores that are %s', async (_, body) => {
    server.tricks.set('retrieve_future', answering(200, body));
    expect(await codeOf(client.forwardBackward(PASS, signal))).toBe('engine.failed');
  });

  it('fetches archives from its own host and those that are allowed, and shows the key to none of these', async () => {
    server.tricks.set('training_runs/model_1/checkpoints/kept/archive', (_, response) => {
      response.writeHead(302, { location: `${other.origin}/api/v1/x/download` }).end();
    });
    expect(await codeOf(download())).toBe('engine.failed');
    expect(other.seen).toEqual([]);
    await configure({ apiKey: 'secret', archiveHosts: [new URL(other.origin).host] });
    expect(await download()).toBe('archive');
    expect(other.seen.map(({ headers }) => headers['x-api-key'])).toEqual([undefined]);
  });

  it.each(['file:///etc/passwd', 'gopher://x/', 'http://169.254.169.254/latest'])(
    'does not follow to %s',
    async (to) => {
      server.tricks.set('*', answering(302, '', { location: to }));
      expect(await codeOf(download())).toBe('engine.failed');
      expect(server.seen.length).toBe(1);
    },
  );

  it('bounds redirects, size and silence of a download', async () => {
    server.tricks.set('*', answering(302, '', { location: '/api/v1/again' }));
    expect(await codeOf(download())).toBe('engine.failed');
    expect(server.seen.length).toBe(4);
    server.tricks.clear();
    server.archive = Buffer.alloc(2_000);
    expect(await codeOf(download())).toBe('engine.failed');
    server.tricks.set('training_runs/model_1/checkpoints/kept/download', (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('cut');
      setTimeout(() => response.destroy(), 20);
    });
    expect(await codeOf(download())).toBe('engine.unreachable');
  });
});
