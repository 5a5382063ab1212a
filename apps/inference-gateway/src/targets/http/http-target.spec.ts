import { FakeUpstream } from '@hone/testing/fakes';

import { aRequest } from '../../dispatch/answer-rig.fixture.js';
import type { ChatRequest } from '../target.js';
import type { TargetFailure } from '../target-failure.js';
import { HttpServer } from './http-server.js';
import type { HttpServerSettings } from './http-settings.js';
import { HttpTarget } from './http-target.js';

const LIMITS = { ttftMs: 60_000, responseMs: 60_000, stallMs: 60_000, doneGraceMs: 60_000 };

const SETTINGS = {
  name: 'up',
  key: 'sk-right',
  dialect: 'generic',
  parameters: 'all',
  usage: 'include',
  hasTokenFrames: false,
  connections: 1,
  connectMs: 60_000,
} as const;

describe('a target over HTTP', () => {
  let fake: FakeUpstream;
  let upstream: HttpServer;
  beforeAll(async () => (fake = await FakeUpstream.start({ key: 'sk-right' })));
  afterAll(() => fake.stop());
  afterEach(() => upstream.close());

  const ask = (model: string, request: ChatRequest, number = 1, settings: Partial<HttpServerSettings> = {}) => {
    upstream = new HttpServer({ ...SETTINGS, baseUrl: fake.baseUrl, ...settings });
    const target = new HttpTarget(upstream, { name: model, contextLength: null, capabilities: null });
    return new Promise<string | TargetFailure>((resolve) => {
      target.dispatch(
        { request, number, limits: LIMITS },
        { onFrames: () => undefined, onComplete: ({ bytes }) => resolve(bytes.toString()), onFailure: resolve },
      );
    });
  };

  it('sends its own key, the request id, and the forwarded headers', async () => {
    const headers = { traceparent: '00-1', authorization: 'Bearer caller', 'x-team': 'a' };
    await ask('ok', { ...aRequest(), headers }, 3);
    expect(fake.requests.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer sk-right',
      'content-type': 'application/json',
      'x-request-id': 'rid-1-3',
      traceparent: '00-1',
      'x-team': 'a',
    });
  });

  it('forwards unknown fields', async () => {
    await ask('ok', aRequest({ x_foo: [1] }));
    expect(fake.lastJson()).toMatchObject({ model: 'ok', x_foo: [1] });
  });

  it.each([
    ['vllm', ['tools', 'functions']],
    ['openai', []],
    ['generic', []],
  ] as const)('leaves custom tools and functions to others where its dialect has none: %s', (dialect, unsupported) => {
    const settings = { ...SETTINGS, baseUrl: fake.baseUrl, dialect };
    upstream = new HttpServer(settings);
    const target = new HttpTarget(upstream, { name: 'ok', contextLength: null, capabilities: null });
    const asked = aRequest({ tools: [{ type: 'custom', custom: { name: 'f' } }], functions: [{ name: 'g' }] });
    expect(target.unsupported(asked)).toEqual(unsupported);
  });

  it('removes its key from messages of the upstream', async () => {
    const failure = await ask('ok', aRequest(), 1, { key: 'sk-wrong' });
    expect(failure).toMatchObject({ reason: 'unauthorized', upstreamStatus: 401 });
    expect(JSON.stringify(failure)).not.toMatch(/sk-wrong|10\.1\.2\.3/);
  });

  it('answers with the id of the request and the model name of the upstream', async () => {
    expect(JSON.parse((await ask('ok', aRequest())) as string)).toMatchObject({ id: 'chatcmpl-rid-1', model: 'ok' });
  });

  it('reuses a connection after an answer, streamed or not', async () => {
    await ask('ok', aRequest({ stream: true }));
    const target = new HttpTarget(upstream, { name: 'status@400', contextLength: null, capabilities: null });
    const failures: TargetFailure[] = [];
    for (let count = 1; count <= 2; count++) {
      await new Promise<void>((resolve) => {
        target.dispatch(
          { request: aRequest(), number: count, limits: LIMITS },
          {
            onFrames: () => undefined,
            onComplete: () => resolve(),
            onFailure: (failure) => resolve(void failures.push(failure)),
          },
        );
      });
    }
    expect(failures.map(({ reason }) => reason)).toEqual(['rejected', 'rejected']);
    expect(fake.requests.slice(-3).map(({ abortedAtMs }) => abortedAtMs)).toEqual([null, null, null]);
  });
});
