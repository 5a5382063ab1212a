import { CallerSignal } from '../shared/caller-signal.js';
import type { FailureReason } from '../shared/failure-reason.js';
import { FakeClock } from '../shared/time/fake-clock.fixture.js';
import type { TargetFailure } from '../targets/target-failure.js';
import type { AnswerOutcome } from './answer/outcome.js';
import { aRequest, MemorySink } from './answer-rig.fixture.js';
import type { Limits } from './policy/limits.js';
import { answerRequest } from './request-run.js';
import type { Route } from './route/route.js';
import { aRoute, type Placement, type Reply, ScriptedTarget } from './scripted-target.fixture.js';

const failure = (reason: FailureReason, more: Partial<TargetFailure> = {}): TargetFailure => ({
  reason,
  message: reason,
  ...more,
});
const FAILED: Reply = { ms: 1, failure: failure('failed') };
const OK: Reply = { ms: 1 };

describe('the attempts of a request', () => {
  const clock = new FakeClock();
  const target = (name: string, ...script: Reply[]) =>
    new ScriptedTarget(name, clock, () => (script.length > 1 ? (script.shift() as Reply) : (script[0] as Reply)));
  const routeOf = (placements: (ScriptedTarget | Placement)[], limits: Partial<Limits> = {}) =>
    aRoute(
      clock,
      placements.map((item) => ('target' in item ? item : { target: item })),
      limits,
    );
  const ask = (route: Route, fields: Record<string, unknown> = {}, priority = 0) => {
    const sink = new MemorySink();
    const signal = new CallerSignal();
    const order = {
      request: aRequest(fields),
      route,
      guard: 'passthrough' as const,
      priority,
      signal,
    };
    const outcome = answerRequest(order, sink, { clock, random: () => 0.5 });
    return { sink, outcome, leave: () => signal.end('left') };
  };
  const run = async (route: Route, ms = 700_000, fields: Record<string, unknown> = {}): Promise<AnswerOutcome> => {
    const { outcome } = ask(route, fields);
    await clock.advance(ms);
    return outcome;
  };
  const gaps = ({ askedAtMs }: ScriptedTarget) =>
    askedAtMs.slice(1).map((at, index) => at - (askedAtMs[index] as number));
  const askedOf = ({ attempts }: AnswerOutcome) => attempts.map(({ answeredAs }) => answeredAs);

  it('waits between tries on one target, twice as long each time', async () => {
    const a = target('a', FAILED, FAILED, OK);
    expect(await run(routeOf([a]))).toMatchObject({ status: 'ok' });
    expect(gaps(a)).toEqual([501, 1_001]);
  });

  it('asks a sibling at once, and waits only when all have been tried', async () => {
    const route = routeOf([target('a', FAILED), target('b', FAILED, OK)]);
    const outcome = await run(route);
    expect(outcome.status).toBe('ok');
    expect(new Set(askedOf(outcome).slice(0, 2))).toEqual(new Set(['a', 'b']));
  });

  it('goes on to the next tier when a target has had its tries', async () => {
    const route = routeOf([target('a', FAILED), { target: target('b', OK), priority: 1 }]);
    expect(askedOf(await run(route))).toEqual(['a', 'a', 'a', 'b']);
  });

  it('makes no more attempts than it may', async () => {
    const route = routeOf([target('a', FAILED), target('b', FAILED), target('c', FAILED)], { maxAttempts: 4 });
    expect(askedOf(await run(route))).toHaveLength(4);
  });

  it('waits as long as Retry-After says, on the same target', async () => {
    const a = target('a', { ms: 1, failure: failure('rate_limited', { retryAfterMs: 2_000 }) }, OK);
    const route = routeOf([a, { target: target('b', OK), priority: 1 }]);
    expect(askedOf(await run(route))).toEqual(['a', 'a']);
    expect(gaps(a)).toEqual([2_001]);
  });

  it('moves on at once when Retry-After is long', async () => {
    const a = target('a', { ms: 1, failure: failure('rate_limited', { retryAfterMs: 6_000 }) });
    const route = routeOf([a, { target: target('b', OK), priority: 1 }]);
    expect(await run(route)).toMatchObject({ status: 'ok', durationMs: 2 });
  });

  it('avoids a target that cools while another can serve', async () => {
    const a = target('a', { ms: 1, failure: failure('rate_limited', { retryAfterMs: 50_000 }) }, OK);
    const route = routeOf([a, { target: target('b', OK), priority: 1 }]);
    await run(route, 100);
    expect(askedOf(await run(route, 49_000))).toEqual(['b']);
    expect(askedOf(await run(route, 100))).toEqual(['b']);
    await clock.advance(2_000);
    expect(askedOf(await run(route, 100))).toEqual(['a']);
  });

  it('tells the longest Retry-After of all', async () => {
    const limited = (seconds: number) => ({
      ms: 1,
      failure: failure('rate_limited', { retryAfterMs: seconds * 1_000 }),
    });
    const outcome = await run(routeOf([target('a', limited(20)), target('b', limited(7))]));
    expect(outcome.failure).toMatchObject({ status: 429, headers: { 'retry-after': '20' } });
  });

  it('asks a silent target once, and a fallback before twelve seconds', async () => {
    const a = target('a', { ms: 20_000 });
    const route = routeOf([a, { target: target('b', OK), priority: 1 }]);
    const outcome = await run(route, 700_000, { stream: true });
    expect(askedOf(outcome)).toEqual(['a', 'b']);
    expect(outcome.ttftMs).toBeLessThan(12_000);
  });

  it('gives the last target more time for its first answer', async () => {
    const route = routeOf([target('a', { ms: 20_000 })]);
    expect(await run(route, 700_000, { stream: true })).toMatchObject({ status: 'ok', ttftMs: 20_000 });
  });

  it('serves everyone while a target is away for a minute, and uses it again within twenty seconds', async () => {
    const startMs = clock.now();
    const away = () => clock.now() - startMs < 60_000;
    const a = new ScriptedTarget('a', clock, () => (away() ? { ms: 1, failure: failure('overloaded') } : OK));
    const route = routeOf([a, { target: target('b', OK), priority: 1 }]);
    const answeredBy: [number, string | undefined][] = [];
    for (let second = 0; second < 84; second += 4) {
      const outcome = await run(route, 4_000);
      expect(outcome.status).toBe('ok');
      answeredBy.push([second, askedOf(outcome).at(-1)]);
    }
    const back = answeredBy.find(([, name]) => name === 'a')?.[0];
    expect(back).toBeGreaterThanOrEqual(60);
    expect(back).toBeLessThanOrEqual(80);
    // Of sixty seconds of failures only probes were seen, after the first three.
    expect(a.askedAtMs.filter((at) => at - startMs < 60_000).length).toBeLessThan(10);
  });

  it('says when it is worth coming back once every breaker is open', async () => {
    const route = routeOf([target('a', FAILED)]);
    await run(route, 2_000);
    expect((await run(route, 100)).failure).toMatchObject({
      status: 503,
      code: 'no_healthy_target',
      headers: { 'retry-after': '5', 'x-should-retry': 'true' },
    });
  });

  it('does not repeat a Retry-After beyond all sense', async () => {
    const route = routeOf([target('a', { ms: 1, failure: failure('rate_limited', { retryAfterMs: 1e23 }) })]);
    const { failure: shown } = await run(route, 100);
    expect(shown?.headers).toMatchObject({ 'retry-after': '86400', 'retry-after-ms': '86400000' });
  });

  it('sends one real request at a time to a target that may be back', async () => {
    const a = target('a', FAILED, FAILED, FAILED, { ms: 500 });
    const route = routeOf([a]);
    await run(route, 10_000);
    const first = ask(route);
    const second = ask(route);
    await clock.advance(1_000);
    expect([(await first.outcome).status, (await second.outcome).failure?.code]).toEqual(['ok', 'no_healthy_target']);
  });

  it('leaves a target without a key alone for a minute', async () => {
    const a = target('a', { ms: 1, failure: failure('unauthorized') }, OK);
    const route = routeOf([a, { target: target('b', OK), priority: 1 }]);
    expect(askedOf(await run(route, 100))).toEqual(['a', 'b']);
    expect(askedOf(await run(route, 59_000))).toEqual(['b']);
    await clock.advance(1_000);
    expect(askedOf(await run(route, 100))).toEqual(['a']);
  });

  it('reports trouble of the first rather than a rejection by its fallback', async () => {
    const rejected: Reply = { ms: 1, failure: failure('rejected', { upstreamStatus: 400 }) };
    const route = routeOf([target('a', FAILED), { target: target('b', rejected), priority: 1 }]);
    expect((await run(route)).failure).toMatchObject({ status: 502, code: 'upstream_failed' });
  });

  it('ends a request that takes too long over all', async () => {
    const route = routeOf([target('a', { ms: 90_000 })], { totalMs: 30_000 });
    expect(await run(route)).toMatchObject({ durationMs: 30_000, failure: { status: 504, code: 'upstream_timeout' } });
  });

  describe('when targets are full', () => {
    it('goes to the free one of the tier', async () => {
      const route = routeOf([
        { target: target('a', { ms: 1_000 }), maxConcurrency: 1 },
        { target: target('b', { ms: 1_000 }), maxConcurrency: 1 },
      ]);
      const both = [ask(route), ask(route)];
      await clock.advance(1_500);
      const outcomes = await Promise.all(both.map(({ outcome }) => outcome));
      expect(new Set(outcomes.flatMap(askedOf))).toEqual(new Set(['a', 'b']));
    });

    it('lets the most urgent in first, then the one that came first', async () => {
      const order: string[] = [];
      const route = routeOf([{ target: target('a', { ms: 100 }), maxConcurrency: 1 }]);
      const named = [
        ['running', 0],
        ['late', 5],
        ['first', 0],
        ['second', 0],
        ['urgent', -1],
      ] as const;
      for (const [name, priority] of named) void ask(route, {}, priority).outcome.then(() => order.push(name));
      await clock.advance(1_000);
      expect(order).toEqual(['running', 'urgent', 'first', 'second', 'late']);
    });

    it('goes to the next tier after the wait, and gives up when there is none', async () => {
      const busy = { target: target('a', { ms: 60_000 }), maxConcurrency: 1 };
      const route = routeOf([busy, { target: target('b', OK), priority: 1 }]);
      void ask(route);
      expect(await run(route, 20_000)).toMatchObject({ status: 'ok', durationMs: 10_001 });
      const only = routeOf([{ ...busy }]);
      void ask(only);
      expect((await run(only, 20_000)).failure).toMatchObject({ status: 503, code: 'overloaded' });
    });

    it('refuses at once when too many wait', async () => {
      const route = routeOf([{ target: target('a', { ms: 60_000 }), maxConcurrency: 1 }], { queueMax: 1 });
      void ask(route);
      void ask(route);
      expect(await run(route, 0)).toMatchObject({ durationMs: 0, failure: { code: 'overloaded' } });
    });

    it('leaves the queue with its caller', async () => {
      const a = target('a', { ms: 100 });
      const route = routeOf([{ target: a, maxConcurrency: 1 }]);
      const first = ask(route);
      const gone = ask(route);
      gone.leave();
      expect(await gone.outcome).toMatchObject({ status: 'aborted', attempts: [] });
      await clock.advance(1_000);
      expect([(await first.outcome).status, a.askedAtMs.length]).toEqual(['ok', 1]);
    });
  });
});
