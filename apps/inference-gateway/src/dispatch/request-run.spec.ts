import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { FakeClock } from '../shared/time/fake-clock.fixture.js';
import {
  answerOf,
  AnswerRig,
  type Asked,
  MemorySink,
  type RigOptions,
  type RigTarget,
  SOON_SILENT,
} from './answer-rig.fixture.js';

const CUT_AT_40 = { model: 'cut@40+tokens@60' };
const SILENT = { model: 'silent', limits: SOON_SILENT };

describe('answering a request', () => {
  let a: FakeUpstream;
  let b: FakeUpstream;
  let rigs: AnswerRig[] = [];
  beforeAll(async () => {
    a = await FakeUpstream.start({ name: 'a' });
    b = await FakeUpstream.start({ name: 'b' });
  });
  afterAll(() => Promise.all([a.stop(), b.stop()]));
  afterEach(async () => {
    a.forget();
    b.forget();
    await Promise.all(rigs.map((rig) => rig.close()));
    rigs = [];
  });

  const open = (targets: (Partial<RigTarget> & { model: string })[], options: RigOptions = {}) => {
    const rig = new AnswerRig(
      targets.map((target) => ({ fake: a, ...target })),
      options,
    );
    rigs.push(rig);
    return rig;
  };

  it('streams what the upstream streams, under our id', async () => {
    const { sink, outcome } = open([{ model: 'ok' }]).ask({ stream: true });
    expect(await outcome).toMatchObject({ status: 'ok', usage: { completionTokens: 9, source: 'upstream' } });
    expect(sink.content()).toEqual(answerOf('a'));
    expect(sink.isDone).toBe(true);
    expect(sink.state).toBe('ended');
    expect(new Set(sink.frames().map(({ id }) => id))).toEqual(new Set(['chatcmpl-rid-1']));
    expect(sink.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'hone-target': 'up0/ok',
      'hone-model': 'ok',
      'hone-attempts': '1',
    });
  });

  it('answers with the upstream’s body, under our id', async () => {
    const { sink, outcome } = open([{ model: 'ok' }]).ask();
    expect(await outcome).toMatchObject({ status: 'ok', usage: { promptTokens: 9, completionTokens: 9 } });
    expect(JSON.parse(sink.text)).toMatchObject({ id: 'chatcmpl-rid-1', model: 'ok', usage: { total_tokens: 18 } });
    expect(sink.headers).toMatchObject({ 'content-length': String(Buffer.byteLength(sink.text)) });
  });

  it.each([
    'crlf',
    'spaces',
    'tiny+tokens@2',
    'comments',
    'multi-line',
    'reasoning',
    'empty-tools',
    'emoji',
    'hostile',
    'one-chunk',
    'empty-finish',
  ])('passes on what others write differently: %s', async (modifier) => {
    const direct = await fetch(`${a.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: `ok+${modifier}`, messages: [], stream: true }),
    });
    const expected = (await direct.text()).replaceAll(/chatcmpl-fake-\d+/g, 'chatcmpl-rid-1');
    const { sink, outcome } = open([{ model: `ok+${modifier}` }]).ask({ stream: true });
    expect((await outcome).status).toBe('ok');
    expect(sink.text).toBe(expected.replaceAll(/: a comment\r?\n\r?\n/g, ''));
  });

  it.each([{ stream: true }, {}])('reads a response that follows an unasked 100 Continue: %j', async (fields) => {
    const rig = open([{ model: 'ok+continue' }]);
    for (let count = 0; count < 2; count++) {
      const { sink, outcome } = rig.ask(fields);
      expect((await outcome).status).toBe('ok');
      expect(sink.content()).toEqual(answerOf('a'));
    }
  });

  it('streams several choices, each with its own end', async () => {
    const { sink, outcome } = open([{ model: 'ok' }]).ask({ stream: true, n: 3 });
    expect((await outcome).usage?.completionTokens).toBe(27);
    const ends = sink.frames().flatMap(({ choices }) => choices as { index: number; finish_reason: string | null }[]);
    expect(ends.flatMap(({ index, finish_reason: reason }) => (reason ? [index] : []))).toEqual([0, 1, 2]);
  });

  it('settles a whole answer before its end is written, and only then', async () => {
    const { sink, outcome } = open([{ model: 'ok' }]).ask({ stream: true });
    await outcome;
    expect(sink.settled).toMatchObject([{ status: 'ok', attempts: [{ target: 'up0/ok', outcome: 'ok' }] }]);
    expect(sink.textWhenSettled).not.toMatch(/\[DONE\]|"finish_reason":"/);
    expect(sink.textWhenSettled).toContain('a7');
  });

  it.each([[{ stream: true }], [{}]])('fails an answer that cannot be settled: %j', async (fields) => {
    const sink = new MemorySink();
    sink.settle = () => Promise.reject(new Error('disk full'));
    const { outcome } = open([{ model: 'ok' }]).ask(fields, {}, sink);
    expect(await outcome).toMatchObject({ status: 'failed', failure: { status: 503, code: 'metering_unavailable' } });
    expect(sink.text).not.toMatch(/\[DONE\]|"finish_reason":"/);
  });

  describe('an upstream that dies after forty of sixty tokens', () => {
    const openBoth = (guard: 'buffered' | 'passthrough') =>
      open([CUT_AT_40, { fake: b, model: 'ok+tokens@60', priority: 1 }], { guard, health: { breakerFailures: 99 } });

    it('is not seen under the buffered guard: the fallback gives the full answer', async () => {
      const { sink, outcome } = openBoth('buffered').ask({ stream: true });
      expect((await outcome).attempts.map(({ outcome: end }) => end)).toEqual([...Array(3).fill('interrupted'), 'ok']);
      expect(sink.content()).toEqual(answerOf('b', 60));
      expect(sink.isDone).toBe(true);
      expect(sink.frames().at(0)?.model).toBe('ok+tokens@60');
    });

    it('ends in a failure frame when its text was passed through', async () => {
      const { sink, outcome } = openBoth('passthrough').ask({ stream: true });
      expect(await outcome).toMatchObject({ status: 'failed', usage: { completionTokens: 40 } });
      expect(sink.content()).toEqual(answerOf('a', 40));
      expect(sink.state).toBe('failed');
      expect(sink.text).toMatch(/"code":"stream_interrupted"}}\n\n$/);
      expect(b.count()).toBe(0);
    });
  });

  it('gives a request that ends with the assistant’s words only to targets that continue them', async () => {
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'he' },
    ];
    const rig = open([
      { model: 'status@500' },
      { model: 'no-prefill', fake: b, priority: 1, capabilities: ['tools'] },
      { model: 'ok', priority: 2, capabilities: ['prefill'] },
    ]);
    expect((await rig.ask({ messages }).outcome).attempts.at(-1)).toMatchObject({ target: 'up2/ok', outcome: 'ok' });
    expect(b.count()).toBe(0);
  });

  it('tries a longer context for a prompt that is too long', async () => {
    const rig = open([
      { model: 'context-length', contextLength: 16 },
      { model: 'ok', fake: b, priority: 1, contextLength: 16 },
      { model: 'ok', priority: 2, contextLength: 32 },
    ]);
    expect((await rig.ask().outcome).attempts.map(({ target }) => target)).toEqual(['up0/context-length', 'up2/ok']);
  });

  describe('a held answer', () => {
    it('shows life while its caller waits, and can still fail over', async () => {
      const rig = open([SILENT, { model: 'ok', fake: b, priority: 1 }], {
        guard: 'buffered',
        limits: { keepaliveMs: 40 },
      });
      const { sink, outcome } = rig.ask({ stream: true });
      await outcome;
      expect(sink.text).toMatch(/^(: wait\n\n)+data: /);
      expect(sink.content()).toEqual(answerOf('b'));
      expect(sink.isDone).toBe(true);
      expect(sink.headers).not.toHaveProperty('hone-target');
    });

    it('fails in a frame once its headers went out', async () => {
      const rig = open([SILENT], { guard: 'buffered', limits: { keepaliveMs: 40 } });
      const { sink, outcome } = rig.ask({ stream: true });
      expect(await outcome).toMatchObject({ status: 'failed', isCommitted: true });
      expect(sink.text).toMatch(/^(: wait\n\n)+data: {"detail":.*"code":"upstream_timeout"}}\n\n$/);
    });

    it('is passed through once it is too large to be held', async () => {
      const rig = open([CUT_AT_40], { guard: 'buffered', limits: { bufferMaxBytes: 2_000 } });
      const { sink, outcome } = rig.ask({ stream: true });
      expect(await outcome).toMatchObject({
        status: 'failed',
        isCommitted: true,
        failure: { streamCode: 'stream_interrupted' },
      });
      expect(sink.content()).toBe(answerOf('a', 40));
    });
  });

  describe('a caller who leaves', () => {
    const expectClosed = async ({ outcome, leave }: Asked) => {
      leave();
      expect((await outcome).status).toBe('aborted');
      await until(() => a.requests[0]?.isOver, 'the end of the request to the upstream');
      expect(a.requests[0]?.abortedAtMs).not.toBeNull();
    };

    it.each([[{ stream: true }], [{}]])(
      'before the headers, takes the upstream’s request along: %j',
      async (fields) => {
        const asked = open([{ model: 'silent' }]).ask(fields);
        await until(() => a.count() === 1);
        await expectClosed(asked);
      },
    );

    it('amid a stream, takes it along and is told what was produced', async () => {
      const asked = open([{ model: 'ok+tokens@60+pace@5' }]).ask({ stream: true });
      await until(() => asked.sink.text.includes('a3'));
      await expectClosed(asked);
      const { usage } = await asked.outcome;
      expect(usage?.completionTokens).toBeGreaterThanOrEqual(4);
      expect(asked.sink.state).toBe('open');
    });

    it('between tries, ends them', async () => {
      const rig = open([{ model: 'status@500' }], { limits: { backoffMs: 60_000 } });
      const asked = rig.ask();
      await until(() => a.count() === 1 && rig.states[0]?.inFlight === 0);
      asked.leave();
      expect(await asked.outcome).toMatchObject({ status: 'aborted', attempts: [{ outcome: 'failed' }] });
    });

    it('does no harm to the target’s health', async () => {
      const rig = open([{ model: 'silent' }], { health: { breakerFailures: 1 } });
      const asked = rig.ask({ stream: true });
      await until(() => a.count() === 1);
      await expectClosed(asked);
      expect(rig.states[0]?.breaker.state).toBe('closed');
      expect(rig.states[0]?.inFlight).toBe(0);
    });
  });

  it('tells a running stream that the server stops', async () => {
    const asked = open([{ model: 'ok+tokens@60+pace@5' }]).ask({ stream: true });
    await until(() => asked.sink.text.includes('a3'));
    asked.leave('shutdown');
    expect(await asked.outcome).toMatchObject({ status: 'failed', failure: { status: 503 } });
    expect(asked.sink.text).toMatch(/"code":"server_shutdown"}}\n\n$/);
  });

  describe('a slow caller', () => {
    it('slows the upstream down, and runs no limit on it', async () => {
      const sink = new MemorySink();
      sink.isSlow = true;
      const clock = new FakeClock();
      const limits = { stallMs: 400, writeStallMs: 60_000 };
      const asked = open([{ model: 'ok+tokens@20+pace@2' }], { limits, clock }).ask({ stream: true }, {}, sink);
      await until(() => sink.pendingBytes > 0 && a.requests[0]?.isOver, 'the end of what the upstream sends');
      await clock.advance(50_000);
      expect(sink.text).not.toContain('a19');
      sink.takeAll();
      expect((await asked.outcome).status).toBe('ok');
      expect(sink.content()).toBe(answerOf('a', 20));
    });

    it('is given up when it takes nothing at all', async () => {
      const sink = new MemorySink();
      sink.isSlow = true;
      const { outcome } = open([{ model: 'ok+pace@2' }], { limits: { writeStallMs: 40 } }).ask(
        { stream: true },
        {},
        sink,
      );
      expect((await outcome).status).toBe('aborted');
    });
  });

  it('does not mix the texts of a hundred streams', async () => {
    const rig = open([{ model: 'ok+tokens@40' }, { model: 'ok+tokens@40', fake: b }]);
    const asked = Array.from({ length: 100 }, () => rig.ask({ stream: true }));
    await Promise.all(asked.map(({ outcome }) => outcome));
    for (const { sink } of asked) expect([answerOf('a', 40), answerOf('b', 40)]).toContain(sink.content());
    expect(rig.states.map(({ inFlight }) => inFlight)).toEqual([0, 0]);
    expect(a.count()).toBe(50);
    expect(b.count()).toBe(50);
  });
});
