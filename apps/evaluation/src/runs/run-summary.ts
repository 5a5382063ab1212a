import { toUsd } from '@hone/calls';
import { type JsonObject, setKey } from '@hone/contracts';

import type { AnswerResult, ScoreResult, SettledCell } from './evaluation-job.record.js';

interface Sum {
  count: number;
  sum: number;
  isFlag: boolean;
}

const MS = 1_000;
const PERCENTILES = { p50: 0.5, p95: 0.95 } as const;

/**
 * What a run found, in the form of `Evaluation.summarize` of the Weave SDK: for each scorer and each of its values the
 * `mean` of numbers, `true_count` and `true_fraction` of flags, and the mean latency in seconds; under `hone` what that form
 * has no place for.
 */
export class RunSummary {
  private readonly values: Map<string, Sum>[];
  private readonly latencies: number[] = [];
  private readonly answers = { done: 0, skipped: 0, failed: 0 };
  private readonly scores = { done: 0, skipped: 0, failed: 0 };
  private promptTokens = 0;
  private completionTokens = 0;
  private costNanoUsd = 0;

  /** @param scorers their names, in the order of the plan */
  constructor(private readonly scorers: readonly string[]) {
    this.values = scorers.map(() => new Map());
  }

  /** Cells come in the same order each time, so that sums of them are the same to the last digit. */
  add({ scorer, state, result, costNanoUsd }: SettledCell): void {
    // What was found is summed up by what it cost itself, so that tries that were lost to a kill change no summary.
    this.costNanoUsd += result?.costNanoUsd ?? costNanoUsd;
    if (scorer === 0) this.addAnswer(state, result as AnswerResult | null);
    else this.addScore(scorer - 1, state, result as ScoreResult | null);
  }

  private addAnswer(state: SettledCell['state'], result: AnswerResult | null): void {
    this.answers[state]++;
    if (state !== 'done' || result === null) return;
    this.latencies.push(result.latencyMs);
    this.promptTokens += result.promptTokens;
    this.completionTokens += result.completionTokens;
  }

  private addScore(at: number, state: SettledCell['state'], result: ScoreResult | null): void {
    this.scores[state]++;
    const sums = this.values[at] as Map<string, Sum>;
    for (const [name, value] of Object.entries(result?.values ?? {})) {
      const sum = sums.get(name) ?? { count: 0, sum: 0, isFlag: typeof value === 'boolean' };
      sums.set(name, { ...sum, count: sum.count + 1, sum: sum.sum + Number(value) });
    }
  }

  toJson(): JsonObject {
    const mean = meanOf(this.latencies);
    const summary: JsonObject = {
      model_latency: { mean: mean === null ? null : mean / MS },
      hone: {
        answers: { done: this.answers.done, failed: this.answers.failed },
        scores: { ...this.scores },
        latency_ms: this.latencyMs(),
        tokens: { prompt: this.promptTokens, completion: this.completionTokens },
        cost_usd: toUsd(this.costNanoUsd),
      },
    };
    for (const [at, name] of this.scorers.entries()) {
      const found: JsonObject = {};
      for (const [value, { count, sum, isFlag }] of this.values[at] as Map<string, Sum>)
        setKey(found, value, isFlag ? { true_count: sum, true_fraction: sum / count } : { mean: sum / count });
      setKey(summary, name, found);
    }
    return summary;
  }

  /** Nearest-rank percentiles. */
  private latencyMs(): JsonObject {
    const sorted = this.latencies.toSorted((a, b) => a - b);
    const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
    return { mean: meanOf(sorted), p50: rank(PERCENTILES.p50), p95: rank(PERCENTILES.p95) };
  }
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
