import type { AnswerOutcome, AttemptRecord } from '../../dispatch/answer/outcome.js';
import { abortWindowOf, transitionsOf } from './attempt-history.js';

const attempt = (upstream: string, outcome: AttemptRecord['outcome'], model = 'm'): AttemptRecord => ({
  ...{ target: `${upstream}/${model}`, route: model, answeredAs: model, outcome, usage: null },
  ...{ durationMs: 1, chunkGapMs: null, malformedFrames: 0 },
});

const aborted = (attempts: AttemptRecord[], ttftMs: number | null = null): AnswerOutcome => ({
  ...{ status: 'aborted', isCommitted: false, failure: null, usage: null, oddities: [], finishReasons: [] },
  ...{ attempts, ttftMs, queuedMs: 0, durationMs: 1 },
});

describe('transitionsOf', () => {
  it('distinguishes a retry from a fail-over', () => {
    const [first, second, third] = [attempt('a', 'failed'), attempt('a', 'silent'), attempt('b', 'ok')];
    expect(transitionsOf([first, second, third])).toEqual([
      { kind: 'retry', from: first },
      { kind: 'failover', from: second },
    ]);
  });

  it('treats another model of the same upstream as another target', () => {
    const from = attempt('a', 'no_model', 'x');
    expect(transitionsOf([from, attempt('a', 'ok', 'y')])).toEqual([{ kind: 'failover', from }]);
  });

  it('finds nothing in one attempt, or none', () => {
    expect(transitionsOf([attempt('a', 'ok')])).toEqual([]);
    expect(transitionsOf([])).toEqual([]);
  });
});

describe('abortWindowOf', () => {
  it.each([
    ['admission', null],
    ['queued', aborted([])],
    ['queued', aborted([attempt('a', 'rate_limited')])],
    ['before_first_token', aborted([attempt('a', 'failed'), attempt('a', 'stopped')])],
    ['streaming', aborted([attempt('a', 'stopped')], 12)],
  ])('is %s', (window, outcome) => {
    expect(abortWindowOf(outcome)).toBe(window);
  });
});
