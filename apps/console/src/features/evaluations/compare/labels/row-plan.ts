import type { ComparedLabelPlanDto } from '@hone/client';

/** As many rows with labels in both runs correct a difference. */
const LEAST_ROWS = 20;

/** How many rows people have to label, so that the differences of all candidates are known within a width. */
export interface RowPlan {
  /** With the judge's verdicts; null: not even all rows are enough. */
  readonly rows: number | null;
  /** Without the judge; null: not even all rows are enough. */
  readonly alone: number | null;
  /** Rows that people labelled, by which it is planned; 0: it is planned by the judge's verdicts. */
  readonly labels: number;
}

/** What the candidate needs that needs the most. @param plans one of each; null: its verdicts do not vary, or are too few */
export function rowPlan(plans: readonly (ComparedLabelPlanDto | null)[]): RowPlan {
  const known = plans.flatMap((plan) => plan ?? []);
  const isByLabels = known.length > 0 && known.every(({ basis }) => basis === 'labels');
  const most = (needed: readonly (number | null)[]): number | null =>
    needed.some((one) => one === null) ? null : Math.max(LEAST_ROWS, ...needed.map(Number));
  return {
    rows: most(known.map(({ with_judge }) => with_judge)),
    alone: most(known.map(({ without_judge }) => without_judge)),
    labels: isByLabels ? Math.min(...known.map(({ labels }) => labels)) : 0,
  };
}
