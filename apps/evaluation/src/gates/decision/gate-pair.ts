/** One row of the baseline and of the candidate, as a gate keeps it: once it counts, only its labels may still come. */
export interface GatePair {
  readonly digest: string;
  /** Ids of the calls with the answers, without those that failed: of the baseline, and of the candidate. */
  readonly answers: readonly [baseline: readonly string[], candidate: readonly string[]];
  /** What the metric says, from 0 to 1, more is better. */
  readonly scores: GateValues;
  /** Guard -> what it looks at. Absent: one of the two has no value. */
  readonly guarded: Readonly<Record<string, GateValues>>;
  /** Names of the slices that the row is in. */
  readonly slices: readonly string[];
  /** Whether people are asked to judge both answers, too. */
  readonly isDrawn: boolean;
  /** What people say, as `scores`. Null: nobody said it yet, or nobody is asked. */
  readonly labels: GateValues | null;
}

export type GateValues = readonly [baseline: number, candidate: number];

export const differenceOf = ([baseline, candidate]: GateValues): number => candidate - baseline;
