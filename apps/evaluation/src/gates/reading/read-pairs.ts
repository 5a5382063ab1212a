import { partsOf } from '../../comparisons/assembly/compared-parts.js';
import type { AnswerLine, ComparisonOrder, TrialLine } from '../../comparisons/assembly/comparison-order.js';
import { MEASURES, RunTable } from '../../comparisons/assembly/run-table.js';
import { TRAITS, traitsOf } from '../decision/answer-traits.js';
import type { GatePair, GateValues } from '../decision/gate-pair.js';

/** What a gate reads, as texts that a thread parses. */
export interface PairsOrder {
  /** With the metric, the guards that are scores, and at most one truth. */
  readonly compared: ComparisonOrder;
  /** Lists of `AnswerLine`. */
  readonly answers: readonly string[];
  readonly metric: string;
  readonly lowerIsBetter: boolean;
  readonly scale: readonly [min: number, max: number];
  /** Predictions that a row needs on both sides. */
  readonly trials: number;
  /** Scores that guards look at, as metrics. */
  readonly guarded: readonly string[];
  /** The score that the training was rewarded by, which is of the same scale. Null: nobody knows it. */
  readonly reward: string | null;
  /** Digests of the pairs that count already. */
  readonly known: readonly string[];
}

export type FoundPair = Omit<GatePair, 'isDrawn' | 'labels'>;

export interface ReadPairs {
  readonly found: readonly FoundPair[];
  /** Of each row that people judged on both sides. */
  readonly labels: readonly (readonly [digest: string, labels: GateValues])[];
  readonly leftOut: LeftOutPairs;
  /** Metrics that there are, where the one of the gate is not. */
  readonly known?: readonly string[];
}

/** Rows of both sides that are no pairs, and labels that do not count. */
export interface LeftOutPairs {
  /** One side has no score, and its answer did not fail. */
  readonly no_score: number;
  /** A score lies beyond the scale. */
  readonly off_scale: number;
  /** What people said of so many answers is no number, or lies beyond the scale. */
  readonly labels_off_scale: number;
}

const MAX_KNOWN = 50;

/** Pairs the rows of baseline and candidate. A failed answer is the worst there is; so nobody gains by failing. */
export function readPairs(order: PairsOrder): ReadPairs {
  const table = new RunTable(order.compared);
  const runs = [0, 1] as const;
  // A run of failures alone has no score, and the worst ones all the same.
  const hasMetric =
    runs.some((run) => table.has(order.metric, run)) &&
    runs.every((run) => table.has(order.metric, run) || table.hasFailedWhole(run));
  const reader = new PairReader(order, table);
  const { found, leftOut } = reader.read();
  const names = [...new Set([...table.scores, ...table.otherScores])].sort().slice(0, MAX_KNOWN);
  return { found, leftOut, labels: reader.labels(), ...(!hasMetric && { known: names }) };
}

class PairReader {
  private readonly scores: readonly (readonly (number | null)[])[];
  private readonly guarded: readonly (readonly [name: string, values: readonly (readonly (number | null)[])[]])[];
  private readonly ids: readonly Map<string, string[]>[];
  /** Shares of the row's answers that failed. */
  private readonly failed: readonly (readonly (number | null)[])[];

  constructor(
    private readonly order: PairsOrder,
    private readonly table: RunTable,
  ) {
    const ofRuns = <T>(of: (run: number) => T): T[] => [of(0), of(1)];
    this.scores = ofRuns((run) => table.values(order.metric, run));
    this.failed = ofRuns((run) => table.values('failed', run));
    this.ids = idsOf(order.compared.trials);
    const traits = traitsByTrial(order.answers);
    this.guarded = [
      ...[...MEASURES, ...order.guarded].map((name) => [name, ofRuns((run) => table.values(name, run))] as const),
      ...(order.reward === null
        ? []
        : [[order.reward, ofRuns((run) => this.sharesOf(order.reward as string, run))] as const]),
      ...TRAITS.map((name, at) => [name, ofRuns((run) => this.meansOf(run, traits, at))] as const),
    ];
  }

  read(): Pick<ReadPairs, 'found' | 'leftOut'> {
    const known = new Set(this.order.known);
    const [, ...slices] = partsOf(this.order.compared, this.table);
    const slicesOf = slices.map(({ name, rows }) => ({ name: name as string, rows: new Set(rows) }));
    const [found, leftOut] = [[] as FoundPair[], { no_score: 0, off_scale: 0 }];
    for (const [row, digest] of this.table.digests.entries()) {
      if (known.has(digest) || !this.isThere(row)) continue;
      const scores = this.valuesOf(row);
      if (typeof scores === 'string') leftOut[scores]++;
      else
        found.push({
          ...{ digest, scores, guarded: this.guardedOf(row) },
          answers: [this.ids[0]?.get(digest) ?? [], this.ids[1]?.get(digest) ?? []],
          slices: slicesOf.filter(({ rows }) => rows.has(row)).map(({ name }) => name),
        });
    }
    return { found, leftOut: { ...leftOut, labels_off_scale: this.table.labelsOffScale } };
  }

  labels(): ReadPairs['labels'] {
    if (this.order.compared.settings.truths.length === 0) return [];
    const [baseline, candidate] = [this.table.labels(0, 0), this.table.labels(0, 1)];
    return this.table.digests.flatMap((digest, row) => {
      const [one, other] = [baseline, candidate].map((labels, run) => this.valueOf(run, row, labels[row] ?? null));
      return isShare(one) && isShare(other) ? [[digest, [one, other]] as const] : [];
    });
  }

  private isThere(row: number): boolean {
    return [0, 1].every((run) => this.table.trialsOf(run, row) >= this.order.trials);
  }

  private valuesOf(row: number): GateValues | 'no_score' | 'off_scale' {
    const values = [0, 1].map((run) => this.valueOf(run, row, this.scores[run]?.[row] ?? null));
    if (values.includes(null)) return 'no_score';
    const [one, other] = values;
    return isShare(one) && isShare(other) ? [one, other] : 'off_scale';
  }

  /** What a run's answers to a row are worth: those that failed are the worst. Null: nobody knows. NaN: off the scale. */
  private valueOf(run: number, row: number, mean: number | null): number | null {
    const failed = this.failed[run]?.[row] ?? 0;
    if (mean === null) return failed === 1 ? 0 : null;
    const share = this.share(mean);
    return isShare(share) ? (1 - failed) * share : Number.NaN;
  }

  /** A score as a share of its scale, more is better. */
  private share(score: number): number {
    const [min, max] = this.order.scale;
    const share = (score - min) / (max - min);
    return this.order.lowerIsBetter ? 1 - share : share;
  }

  private sharesOf(metric: string, run: number): (number | null)[] {
    const shares = this.table.values(metric, run).map((value) => (value === null ? null : this.share(value)));
    return shares.map((share) => (isShare(share) ? share : null));
  }

  private guardedOf(row: number): FoundPair['guarded'] {
    return Object.fromEntries(
      this.guarded.flatMap(([name, [baseline, candidate]]) => {
        const [one, other] = [baseline?.[row] ?? null, candidate?.[row] ?? null];
        return one === null || other === null ? [] : [[name, [one, other]]];
      }),
    );
  }

  private meansOf(run: number, traits: ReadonlyMap<string, readonly number[]>, at: number): (number | null)[] {
    return this.table.digests.map((digest) => {
      const values = (this.ids[run]?.get(digest) ?? []).flatMap((id) => traits.get(id)?.[at] ?? []);
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
    });
  }
}

const isShare = (value: number | null | undefined): value is number =>
  value !== null && value !== undefined && value >= 0 && value <= 1;

/** Ids of the predictions that count and did not fail, by row, of each run. */
function idsOf(chunks: readonly string[]): readonly Map<string, string[]>[] {
  const ids = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const chunk of chunks)
    for (const [id, run, digest, counts, hasFailed] of JSON.parse(chunk) as TrialLine[]) {
      if (!counts || hasFailed) continue;
      const of = ids[run]?.get(digest);
      if (of) of.push(id);
      else ids[run]?.set(digest, [id]);
    }
  return ids;
}

/** In the order of {@link TRAITS}, by id of the prediction. */
function traitsByTrial(chunks: readonly string[]): Map<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  for (const chunk of chunks)
    for (const [trial, answer, question] of JSON.parse(chunk) as AnswerLine[]) {
      const traits = traitsOf(answer, question);
      found.set(
        trial,
        TRAITS.map((name) => traits[name]),
      );
    }
  return found;
}
