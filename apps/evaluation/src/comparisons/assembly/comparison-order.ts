import type { Price } from '@hone/calls/prices';
import type { RunComparisonDto } from '@hone/contracts';

/** What is compared, and what was read of it. Texts are JSON, to be parsed where nobody waits for the event loop. */
export interface ComparisonOrder {
  /** How many runs there are. The first is the baseline. */
  readonly runs: number;
  /** Lists of `TrialLine`. */
  readonly trials: readonly string[];
  /** Lists of `UsageLine`. */
  readonly usage: readonly string[];
  /** Lists of `LabelLine`. */
  readonly labels: readonly string[];
  /** Lists of `RowLine`. */
  readonly rows: readonly string[];
  /** Prices of the project. */
  readonly prices: readonly Price[];
  readonly settings: ComparisonSettings;
}

/** A prediction with what was found about it. */
export type TrialLine = readonly [
  id: string,
  run: number,
  digest: string,
  counts: boolean,
  hasFailed: boolean,
  latencyMs: number | null,
  length: number | null,
  scores: unknown,
];

/** What the calls of a prediction used of a model, while one price held. */
export type UsageLine = readonly [
  trial: string,
  model: string,
  startedAtMs: number,
  requests: number,
  prompt: number,
  completion: number,
  total: number,
  cached: number | null,
  written: number | null,
  reasoning: number | null,
];

/** What a person said about a prediction: JSON as a text. */
export type LabelLine = readonly [truth: number, trial: string, label: string];

/** What a prediction answered, and what it was asked, the beginnings of both. */
export type AnswerLine = readonly [trial: string, answer: string, question: string];

/** A row, and in which slices it is. */
export type RowLine = readonly [digest: string, ...isIn: boolean[]];

/** Where people's labels of a metric are. */
export interface ComparedTruth {
  readonly metric: string;
  readonly map: Readonly<Record<string, number>> | null;
  /** Labels beyond it do not count. Absent: any number does. */
  readonly scale?: readonly [min: number, max: number];
}

export interface ComparisonSettings {
  /** Null: all that the baseline and a candidate have. */
  readonly metrics: readonly string[] | null;
  readonly lowerIsBetter: readonly string[];
  /** Scores that are no opinions, as the body says. */
  readonly facts: readonly string[];
  /** Scores of Hone's own checks. */
  readonly checks: readonly string[];
  readonly margins: Readonly<Record<string, number>>;
  readonly widths: Readonly<Record<string, number>>;
  readonly truths: readonly ComparedTruth[];
  /** Id of the run that is the baseline. */
  readonly baseline: string;
  /** Names of the slices. */
  readonly slices: readonly string[];
  readonly level: number;
  readonly seed: number;
}

/** The comparison, or why there is none. */
export type ComparisonAnswer =
  | {
      readonly comparisons: readonly Omit<RunComparisonDto, 'candidate'>[];
      /** Of each run. */
      readonly counts: readonly TrialCounts[];
      /** Of each run. */
      readonly statuses: readonly RowStatuses[];
      readonly resamples: number;
      readonly ignoredScores: readonly string[];
    }
  | { readonly unknown: UnknownMetric }
  | { readonly tooManyMetrics: number }
  | { readonly tooMany: 'pairs' | 'comparisons'; readonly found: number; readonly limit: number };

export interface TrialCounts {
  readonly trials: number;
  readonly replaced: number;
}

/** Rows with predictions that count, none of which failed, and those with one that did. */
export interface RowStatuses {
  readonly predicted: number;
  readonly failed: number;
}

/** A metric that the body names and no run has. */
export interface UnknownMetric {
  readonly field: 'metrics' | 'lower_is_better' | 'facts' | 'margins' | 'widths' | 'truth';
  readonly index: number | string;
  /** Some that there are. */
  readonly known: readonly string[];
}
