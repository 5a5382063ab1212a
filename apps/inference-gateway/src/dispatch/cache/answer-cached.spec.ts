import { FakeUpstream } from '@hone/testing/fakes';

import { answerOf, AnswerRig, aRequest, MemorySink } from '../answer-rig.fixture.js';
import { AnswerCache, type CacheSettings } from '../route/answer-cache.js';
import { answerCached, lookUp } from './answer-cached.js';

describe('answers that a route keeps', () => {
  let fake: FakeUpstream;
  const rigs: AnswerRig[] = [];
  beforeAll(async () => (fake = await FakeUpstream.start({ name: 'a' })));
  afterAll(() => fake.stop());
  beforeEach(() => fake.forget());
  afterEach(async () => {
    await Promise.all(rigs.splice(0).map((rig) => rig.close()));
  });

  function open(model: string, settings: Partial<CacheSettings> = {}) {
    const rig = new AnswerRig([{ fake, model }], { limits: { retries: 0 }, health: { breakerFailures: 1_000 } });
    rigs.push(rig);
    const cache = new AnswerCache({ ttlMs: 60_000, maxBytes: 100_000, scope: 'project', ...settings });
    return async (fields: Record<string, unknown> = {}, rid = 'rid-1', sink = new MemorySink()) => {
      const request = { ...aRequest(fields), rid };
      const use = lookUp(cache, request, 'p');
      const answer = (own: MemorySink) => rig.ask(fields, { request }, own).outcome;
      const outcome = await answerCached(use, request, sink, (own) => answer(own as MemorySink));
      return { result: use.result, outcome, sink };
    };
  }

  it.each([{}, { stream: true }, { stream: true, stream_options: { include_usage: true } }])(
    'are given again in their form, under an id of their own: %j',
    async (fields) => {
      const ask = open('ok');
      const first = await ask(fields, 'rid-1');
      const second = await ask(fields, 'rid-2');
      expect([first.result, second.result]).toEqual(['miss', 'hit']);
      expect(fake.count()).toBe(1);
      expect(second.sink.text).toBe(first.sink.text.replaceAll('chatcmpl-rid-1', 'chatcmpl-rid-2'));
      expect(second.sink.text).toContain('chatcmpl-rid-2');
      expect(second.sink.content()).toBe(answerOf('a'));
      expect(second.sink.state).toBe('ended');
      expect(second.sink.headers).toMatchObject({ 'hone-model': 'ok', 'hone-attempts': '0' });
      expect(second.sink.headers?.['content-type']).toBe(first.sink.headers?.['content-type']);
      expect(second.outcome).toMatchObject({
        status: 'ok',
        usage: null,
        attempts: [{ target: 'cache', answeredAs: 'ok' }],
      });
    },
  );

  it('keep the length of a body right when the id has another', async () => {
    const ask = open('ok');
    await ask({}, 'r');
    const { sink } = await ask({}, 'a-much-longer-id');
    expect(sink.headers?.['content-length']).toBe(String(Buffer.byteLength(sink.text)));
  });

  it.each([
    ['cut@3', {}],
    ['cut@3', { stream: true }],
    ['status@500', {}],
    ['no-finish@3', { stream: true }],
    ['broken-frame@3', { stream: true }],
  ])('are never those of %s %j', async (model, fields) => {
    const ask = open(model);
    await ask(fields);
    expect((await ask(fields)).result).toBe('miss');
  });

  it('are none whose caller left, or whose usage was not recorded', async () => {
    const ask = open('ok');
    const sink = new MemorySink();
    sink.settle = () => Promise.reject(new Error('full'));
    expect((await ask({}, 'r', sink)).outcome.status).toBe('failed');
    expect((await ask()).result).toBe('miss');
    const failing = new MemorySink();
    failing.settle = () => Promise.reject(new Error('full'));
    const { result, outcome } = await ask({}, 'r', failing);
    expect({ result, code: outcome.failure?.code, isCommitted: outcome.isCommitted }).toEqual({
      ...{ result: 'hit', code: 'metering_unavailable', isCommitted: false },
    });
    expect(failing.text).toBe('');
  });

  it('are bounded by their bytes, and by their time', async () => {
    const ask = open('ok+tokens@60', { maxBytes: 3_500 });
    for (const seed of [1, 2, 3, 4]) await ask({ seed });
    expect((await ask({ seed: 4 })).result).toBe('hit');
    expect((await ask({ seed: 1 })).result).toBe('miss');
    const small = open('ok+tokens@60', { maxBytes: 1_024 });
    for (const result of ['miss', 'miss']) expect((await small({ stream: true })).result).toBe(result);
    const brief = open('ok', { ttlMs: 20 });
    await brief();
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect((await brief()).result).toBe('miss');
  });

  it('do not mix, whatever a request’s id looks like', async () => {
    const ask = open('ok');
    await ask({}, '$&');
    const { sink } = await ask({}, "$'$`");
    expect(JSON.parse(sink.text)).toMatchObject({ id: "chatcmpl-$'$`" });
    expect(sink.content()).toBe(answerOf('a'));
  });
});
