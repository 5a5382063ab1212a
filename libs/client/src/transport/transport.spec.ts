import {
  ConnectionError,
  InvalidRequestError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../errors/hone-error.js';
import { Hone } from '../hone.js';
import type { HoneOptions } from './request-options.js';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

const OK = () => Response.json({ id: 'f1' });
const refuse =
  (status: number, headers: Record<string, string> = { 'retry-after': '0' }) =>
  () =>
    Response.json({ detail: 'No.', code: 'some.code' }, { status, headers });
const broken = () => {
  throw new TypeError('fetch failed');
};

/** A client whose answers are `answers` in turn, the last one for ever. */
function clientOf(answers: readonly (() => Response)[], options: Partial<HoneOptions> = {}) {
  const sent: Sent[] = [];
  const fetch = async (url: unknown, init: unknown) => {
    sent.push({ url: String(url), init: init as RequestInit });
    return (answers[Math.min(sent.length, answers.length) - 1] as () => Response)();
  };
  const settings = { baseUrl: 'http://hone.test/', apiKey: 'k', fetch: fetch as typeof globalThis.fetch, ...options };
  return { hone: new Hone(settings), sent };
}

const headerOf = ({ init }: Sent, name: string) => new Headers(init.headers).get(name);
const FEEDBACK = { project_id: 'a/b', trace_ref: 'hone:///a/b/call/c', feedback_type: 't', payload: {} };
const END = { end: { project_id: 'a/b', id: 'c', ended_at: '2026-01-15T10:00:00Z', summary: {} } };
const PARAMS = { entity: 'a', project: 'b c', object_id: 'x/y', digest: 'd' };

describe('requests of the client', () => {
  it('fill the path, and put the other parameters into the query', async () => {
    const { hone, sent } = clientOf([OK]);
    await hone.trace.getDataset(PARAMS);
    await hone.training.listTrainingJobs({ limit: 5, kind: 'rl', after: undefined });
    await hone.trace.deletePredictions({ entity: 'a', project: 'b', prediction_ids: ['p', 'q&r'] });
    await hone.training.getArtifactFile({ entity: 'a', project: 'b', name: 'n', version: 'v0', path: 'c d/e.txt' });
    expect(sent.map(({ url }) => url.replace('http://hone.test', ''))).toEqual([
      '/v2/a/b%20c/datasets/x%2Fy/versions/d',
      '/v1/preview/training-jobs?limit=5&kind=rl',
      '/v2/a/b/predictions?prediction_ids=p&prediction_ids=q%26r',
      '/v1/preview/artifacts/a/b/n/v0/files/c%20d/e.txt',
    ]);
  });

  it('carry the key as each surface takes it, or none', async () => {
    const { hone, sent } = clientOf([OK]);
    await hone.training.getHealth();
    await hone.accounts.getMe();
    const without = clientOf([OK], { apiKey: undefined, headers: { 'x-hone-console': '1' } });
    await without.hone.accounts.getMe();
    expect(sent.map((one) => headerOf(one, 'authorization'))).toEqual(['Bearer k', `Basic ${btoa('api:k')}`]);
    const [first] = without.sent as [Sent];
    expect([headerOf(first, 'authorization'), headerOf(first, 'x-hone-console')]).toEqual([null, '1']);
  });

  it('send bytes as they are, and objects as JSON that keeps exact numbers', async () => {
    const { hone, sent } = clientOf([() => new Response('{"id":"f","payload":{"a":1.0}}')], { json: 'exact' });
    const answer = (await hone.trace.createFeedback(FEEDBACK)) as unknown as typeof FEEDBACK;
    await hone.trace.createFeedback({ ...FEEDBACK, payload: answer.payload });
    await hone.training.uploadArtifact({ entity: 'a', project: 'b', name: 'n' }, '{"x": 1}\n');
    expect(String(sent[1]?.init.body)).toContain('"payload":{"a":1.0}');
    expect(sent[2]?.init.body).toBe('{"x": 1}\n');
  });
});

describe('answers that the caller reads', () => {
  const read = async (response: Response) => (await response.arrayBuffer()).byteLength;

  it('are handed to it unread, and what it makes of them is returned', async () => {
    const { hone } = clientOf([() => new Response('12345')]);
    expect(await hone.training.getHealth({ read })).toBe(5);
  });

  it('are never those that are errors', async () => {
    const { hone } = clientOf([refuse(422)]);
    await expect(hone.training.getHealth({ read })).rejects.toThrow(InvalidRequestError);
  });

  it('are asked for again when they break', async () => {
    let count = 0;
    const { hone, sent } = clientOf([OK]);
    const breaking = () => (count++ === 0 ? Promise.reject(new TypeError('terminated')) : Promise.resolve('whole'));
    expect(await hone.training.getHealth({ read: breaking })).toBe('whole');
    expect(sent).toHaveLength(2);
  });
});

describe('retries of the client', () => {
  it.each([
    ['a read', refuse(503), (hone: Hone) => hone.training.getHealth()],
    ['a read of a broken connection', broken, (hone: Hone) => hone.training.getHealth()],
    ['a write that takes a key', broken, (hone: Hone) => hone.trace.createFeedback(FEEDBACK)],
    ['a write that was not begun', refuse(429), (hone: Hone) => hone.trace.endCall(END)],
  ])('repeat %s', async (_what, fault, run) => {
    const { hone, sent } = clientOf([fault, OK]);
    await expect(run(hone)).resolves.toEqual({ id: 'f1' });
    expect(sent).toHaveLength(2);
  });

  it('keep one key over all attempts, and make another one for the next request', async () => {
    const { hone, sent } = clientOf([refuse(503), OK]);
    await hone.trace.createFeedback(FEEDBACK);
    await hone.trace.createFeedback(FEEDBACK);
    const keys = sent.map((one) => headerOf(one, 'idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it.each([
    ['a write that might have been done', refuse(503), ServerError, (hone: Hone) => hone.trace.endCall(END)],
    [
      'what the request itself is to blame for',
      refuse(422),
      InvalidRequestError,
      (hone: Hone) => hone.accounts.getMe(),
    ],
    [
      'after a longer wait than a minute',
      refuse(429, { 'retry-after': '61' }),
      RateLimitError,
      (hone: Hone) => hone.accounts.getMe(),
    ],
    [
      'a chat whose connection broke',
      broken,
      ConnectionError,
      (hone: Hone) => hone.inference.createChatCompletion({ model: 'm', messages: [] }),
    ],
  ])('do not repeat %s', async (_what, fault, type, run) => {
    const { hone, sent } = clientOf([fault, OK]);
    await expect(run(hone)).rejects.toThrow(type);
    expect(sent).toHaveLength(1);
  });

  it('end after the last one with what the server said', async () => {
    const { hone, sent } = clientOf([refuse(503, { 'retry-after': '0', 'x-request-id': 'r1' })], { maxRetries: 3 });
    const error = await hone.training.getHealth().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 503, code: 'some.code', detail: 'No.', requestId: 'r1', retryAfterMs: 0 });
    expect(sent).toHaveLength(4);
  });

  it('end with the reason of the caller’s signal, also while waiting', async () => {
    const controller = new AbortController();
    const { hone } = clientOf([refuse(503, { 'retry-after': '59' })]);
    const running = hone.training.getHealth({ signal: controller.signal });
    setImmediate(() => controller.abort(new Error('enough')));
    await expect(running).rejects.toThrow('enough');
  });

  it('give up on a server that does not answer in time', async () => {
    const fetch = (_url: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
      );
    const { hone } = clientOf([], { fetch: fetch as typeof globalThis.fetch, timeoutMs: 5, maxRetries: 0 });
    await expect(hone.training.getHealth()).rejects.toThrow(TimeoutError);
  });
});

describe('errors of the client', () => {
  it.each([
    ['a page of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 502 }), '<h1>Bad gateway</h1>', ''],
    [
      'the form of OpenAI',
      () => Response.json({ error: { message: 'm', code: 'c' } }, { status: 404 }),
      '{"error":{"message":"m","code":"c"}}',
      'c',
    ],
    [
      'a list of mistakes',
      () => Response.json({ detail: [{ loc: ['body', 0], msg: 'wrong', type: 'kind' }] }, { status: 422 }),
      [{ loc: ['body', 0], msg: 'wrong', type: 'kind' }],
      'kind',
    ],
  ])('are read from %s', async (_what, answer, detail, code) => {
    const { hone } = clientOf([answer], { maxRetries: 0 });
    await expect(hone.accounts.getMe()).rejects.toMatchObject({ detail, code });
  });
});
