import type { SettledCell } from './evaluation-job.record.js';
import { RunSummary } from './run-summary.js';

const answer = (latencyMs: number, costNanoUsd = 1_000_000): SettledCell => ({
  ...{ scorer: 0, state: 'done', costNanoUsd },
  result: { latencyMs, promptTokens: 10, completionTokens: 2, costNanoUsd },
});
const score = (scorer: number, values: Record<string, number | boolean>): SettledCell => ({
  ...{ scorer, state: 'done', costNanoUsd: 500_000 },
  result: { values, costNanoUsd: 500_000 },
});
const summaryOf = (scorers: string[], cells: readonly SettledCell[]) => {
  const summary = new RunSummary(scorers);
  for (const cell of cells) summary.add(cell);
  return summary.toJson();
};

describe('the summary of a run', () => {
  it('has means of numbers, counts and shares of flags, latency, tokens and cost', () => {
    const cells = [answer(100), answer(300), answer(200), score(1, { passed: true }), score(1, { passed: false })];
    expect(summaryOf(['exact', 'judge'], [...cells, score(2, { helpful: 4 }), score(2, { helpful: 2 })])).toEqual({
      exact: { passed: { true_count: 1, true_fraction: 0.5 } },
      judge: { helpful: { mean: 3 } },
      model_latency: { mean: 0.2 },
      hone: {
        answers: { done: 3, failed: 0 },
        scores: { done: 4, skipped: 0, failed: 0 },
        latency_ms: { mean: 200, p50: 200, p95: 300 },
        tokens: { prompt: 30, completion: 6 },
        cost_usd: 0.005,
      },
    });
  });

  it('leaves what failed or was skipped out of every mean, and counts it', () => {
    const nothing = { state: 'failed', result: null, costNanoUsd: 0 } as const;
    const cells: SettledCell[] = [
      ...[answer(100), { ...nothing, scorer: 0 }, score(1, { helpful: 5 })],
      ...[
        { ...nothing, scorer: 1 },
        { ...nothing, scorer: 1, state: 'skipped' as const },
      ],
    ];
    expect(summaryOf(['judge'], cells)).toMatchObject({
      judge: { helpful: { mean: 5 } },
      model_latency: { mean: 0.1 },
      hone: { answers: { done: 1, failed: 1 }, scores: { done: 1, skipped: 1, failed: 1 } },
    });
  });

  it('counts what failed and skipped cells cost: it is spent', () => {
    const nothing = { state: 'failed', result: null, costNanoUsd: 2_000_000 } as const;
    const cells: SettledCell[] = [
      ...[answer(100), { ...nothing, scorer: 0 }, { ...nothing, scorer: 1 }],
      { ...nothing, scorer: 1, state: 'skipped' },
    ];
    expect(summaryOf(['judge'], cells)['hone']).toMatchObject({ cost_usd: 0.007 });
  });

  it('says of nothing that there is nothing', () => {
    expect(summaryOf(['judge'], [])).toEqual({
      judge: {},
      model_latency: { mean: null },
      hone: {
        answers: { done: 0, failed: 0 },
        scores: { done: 0, skipped: 0, failed: 0 },
        latency_ms: { mean: null, p50: null, p95: null },
        tokens: { prompt: 0, completion: 0 },
        cost_usd: 0,
      },
    });
  });

  it('counts an answer whose content was erased, and keeps the scorers of odd names', () => {
    const erased: SettledCell = { scorer: 0, state: 'done', result: null, costNanoUsd: 1_000_000 };
    const summary = summaryOf(['__proto__', 'hone'], [erased, score(1, { passed: true }), score(2, { mean: 1 })]);
    expect(Object.keys(summary)).toEqual(['model_latency', 'hone', '__proto__']);
    expect(summary['hone']).toEqual({ mean: { mean: 1 } });
  });
});
