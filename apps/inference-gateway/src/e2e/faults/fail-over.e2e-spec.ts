import { newId } from '@hone/database';
import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { answerOf } from '../../dispatch/answer-rig.fixture.js';
import { fakeUpstream, routeTo } from './fake-upstreams.fixture.js';
import { type FaultyGateway, startFaultyGateway } from './faulty-gateway.fixture.js';

const CUT = 'cut@40+tokens@60';
const SIXTY = 'ok+tokens@60';
const WAIT = 'rate-limit+retry-after@1+times@1';
const RECOVERS = 'status@503+times@6';
const LATE = 'ok+first@600';

describe('fail-over', () => {
  let a: FakeUpstream;
  let b: FakeUpstream;
  let gateway: FaultyGateway;
  beforeAll(async () => {
    [a, b] = await Promise.all([FakeUpstream.start({ name: 'a' }), FakeUpstream.start({ name: 'b' })]);
    const primary = (model: string) => ({ upstream: 'primary', model });
    const backup = (model: string) => ({ upstream: 'backup', model });
    const noPrefill = [{ name: 'no-prefill', capabilities: ['tools'] }];
    const brief = { breaker_failures: 2, breaker_open_ms: 50, breaker_open_max_ms: 100, retries: 0 };
    gateway = await startFaultyGateway({
      upstreams: [
        fakeUpstream(a, 'primary', [CUT, WAIT, 'status@500', 'content-filter', 'no-done'], { done_grace_ms: 150 }),
        fakeUpstream(a, 'failing', ['status@502'], { breaker_failures: 1, breaker_open_ms: 60_000, retries: 0 }),
        fakeUpstream(a, 'recovering', [RECOVERS], brief),
        fakeUpstream(a, 'mute', ['silent'], { ttft_ms: 200 }),
        // The last target may take longer than the others.
        fakeUpstream(b, 'backup', [SIXTY, 'ok', LATE], { ttft_ms: 200, ttft_last_ms: 20_000 }),
        fakeUpstream(b, 'narrow', [], { models: noPrefill }),
      ],
      routes: [
        routeTo('cut', primary(CUT), backup(SIXTY)),
        routeTo('prefill', primary('status@500'), { upstream: 'narrow', model: 'no-prefill' }),
        routeTo('wait', primary(WAIT)),
        routeTo('recovers', { upstream: 'recovering', model: RECOVERS }, backup('ok')),
        routeTo('late', { upstream: 'mute', model: 'silent' }, backup(LATE)),
        routeTo('endless', primary('no-done')),
        routeTo('filtered', primary('content-filter'), backup('ok')),
        routeTo('failing', { upstream: 'failing', model: 'status@502' }),
        routeTo('failed', primary('status@500'), backup('ok')),
      ],
    });
  });
  beforeEach(() => {
    a.forget();
    b.forget();
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([a.stop(), b.stop()]);
  });

  it('answers completely from the other target when nothing was sent yet', async () => {
    const answer = await gateway.client.ask({ model: 'cut', stream: true }, { 'hone-stream-guard': 'buffered' });
    expect(answer.text).toEqual(answerOf('b', 60));
    expect(answer.isWhole).toBe(true);
    expect(new Set(answer.frames.map(({ model }) => model))).toEqual(new Set([SIXTY]));
    expect(answer.headers.get('hone-target')).toBe(`backup/${SIXTY}`);
  });

  it('ends with an error when a part was sent', async () => {
    const answer = await gateway.client.ask({ model: 'cut', stream: true });
    expect(answer.text).toEqual(answerOf('a', 40));
    expect(answer.errorCode).toBe('stream_interrupted');
    expect(answer.dones).toBe(0);
    expect(answer.finishReasons).toEqual([]);
    expect(b.count()).toBe(0);
  });

  it('skips a target that cannot continue a message', async () => {
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'He' },
    ];
    const begun = { model: 'prefill', messages, continue_final_message: true };
    const answer = await gateway.client.ask(begun);
    expect(answer.errorCode).toBe('upstream_failed');
    expect(b.count()).toBe(0);
    expect(answer.status).toBe(502);
    expect((await gateway.client.ask({ model: 'prefill' })).text).toBe(answerOf('b'));
  });

  it('waits for the Retry-After of the only target', async () => {
    expect((await gateway.client.ask({ model: 'wait' })).text).toBe(answerOf('a'));
    const [first, second] = a.requests;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(900);
  });

  it('serves every request during an outage, and returns to the target afterwards', async () => {
    await until(async () => {
      const { status, text } = await gateway.client.ask({ model: 'recovers' });
      expect(status).toBe(200);
      return text === answerOf('a');
    });
    expect(b.count()).toBeGreaterThanOrEqual(6);
  });

  it('tries a silent target once, and waits longer for the last target', async () => {
    const answer = await gateway.client.ask({ model: 'late', stream: true });
    expect(answer.text).toEqual(answerOf('b'));
    expect(a.count()).toBe(1);
    expect(b.count()).toBe(1);
  });

  it('ends a stream without its [DONE], with usage', async () => {
    const answer = await gateway.client.ask({ model: 'endless', stream: true, stream_options: {} });
    expect(answer.text).toEqual(answerOf('a'));
    expect(answer.dones).toBe(1);
    expect(answer.frames.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 18 } });
  });

  it('tries no other target after a content filter', async () => {
    const answer = await gateway.client.ask({ model: 'filtered' });
    expect(answer.errorCode).toBe('content_policy_violation');
    expect(b.count()).toBe(0);
    expect(answer.status).toBe(400);
  });

  it('refuses with Retry-After while all breakers are open', async () => {
    expect((await gateway.client.ask({ model: 'failing' })).status).toBe(502);
    const answer = await gateway.client.ask({ model: 'failing' });
    expect(answer.errorCode).toBe('no_healthy_target');
    expect(a.count()).toBe(1);
    expect(answer.status).toBe(503);
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  it('bills only the answer, not the failed attempts', async () => {
    const rid = newId();
    const answer = await gateway.client.ask({ model: 'failed' }, { 'x-request-id': rid });
    const used = await gateway.used(rid);
    expect(used.attempts.map(({ target, outcome }) => `${target} ${outcome}`)).toEqual([
      ...Array.from({ length: 3 }, () => 'primary/status@500 failed'),
      'backup/ok ok',
    ]);
    const { prompt_tokens: prompt = 0, completion_tokens: completion = 0 } = answer.frames[0]?.usage ?? {};
    const usd = ((prompt - 4) * 1 + 4 * 0.5 + completion * 2) / 1e6;
    expect(Math.abs(Number(answer.headers.get('hone-cost')) - usd)).toBeLessThan(1e-9);
    expect(used.costNanoUsd).toBe(Math.round(usd * 1e9));
  });
});
