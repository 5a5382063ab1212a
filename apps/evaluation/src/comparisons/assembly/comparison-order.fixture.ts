import type {
  ComparisonOrder,
  ComparisonSettings,
  LabelLine,
  RowLine,
  TrialLine,
  UsageLine,
} from './comparison-order.js';

/** What a spec says of a prediction; the rest is made up. */
export interface ATrial {
  readonly id?: string;
  readonly run?: number;
  readonly row?: string;
  readonly counts?: boolean;
  readonly hasFailed?: boolean;
  readonly latencyMs?: number | null;
  readonly length?: number | null;
  readonly scores?: unknown;
}

export interface AnOrder {
  readonly runs?: number;
  readonly trials?: readonly ATrial[];
  readonly usage?: readonly UsageLine[];
  readonly labels?: readonly LabelLine[];
  readonly rows?: readonly RowLine[];
  readonly settings?: Partial<ComparisonSettings>;
}

/** What is read of runs, each list in several texts. */
export function anOrder({
  runs = 2,
  trials = [],
  usage = [],
  labels = [],
  rows = [],
  settings,
}: AnOrder): ComparisonOrder {
  return {
    ...{ runs, trials: texts(trials.map(lineOf)), usage: texts(usage), labels: texts(labels), rows: texts(rows) },
    prices: [],
    settings: {
      ...{ metrics: null, lowerIsBetter: [], facts: [], checks: [], margins: {}, widths: {}, truths: [], slices: [] },
      ...{ baseline: 'first', level: 0.95, seed: 0, ...settings },
    },
  };
}

const lineOf = (trial: ATrial, at: number): TrialLine => {
  const {
    id = `t${at}`,
    run = 0,
    row = 'r',
    counts = true,
    hasFailed = false,
    latencyMs = null,
    length = null,
  } = trial;
  return [id, run, row, counts, hasFailed, latencyMs, length, trial.scores ?? null];
};

const texts = (lines: readonly unknown[]): string[] =>
  [lines.slice(0, 2), lines.slice(2)].map((part) => JSON.stringify(part));
