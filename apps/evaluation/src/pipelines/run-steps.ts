import type { PipelineRunStepDto, PipelineStep } from '@hone/contracts';

import type { RunEnd } from './pipeline.record.js';

const NOTHING: Omit<PipelineRunStepDto, 'step' | 'started_at'> = {
  ...{ ended_at: null, data_url: null, training_job_id: null, candidate_step: null },
  ...{ evaluation_job_id: null, run_ids: [], gate_id: null, note: null },
};

type Made = Partial<Omit<PipelineRunStepDto, 'step' | 'started_at' | 'ended_at'>>;

/** What became of a step so far. */
export interface StepResult {
  /** What it has made. */
  readonly made: Made;
  /** The step that comes next. Absent: it goes on, or the run ends. */
  readonly next?: PipelineStep;
  readonly end?: RunEnd;
}

/** The step that a run is at. */
export const stepOf = (steps: readonly PipelineRunStepDto[]): PipelineRunStepDto =>
  steps.at(-1) ?? { ...NOTHING, step: 'data', started_at: new Date().toISOString() };

/** What a step has made, whichever it was. */
export function madeBy<K extends keyof Made>(
  steps: readonly PipelineRunStepDto[],
  member: K,
): NonNullable<PipelineRunStepDto[K]> {
  const found = steps
    .map((step) => step[member])
    .find((made) => made !== null && !(Array.isArray(made) && made.length === 0));
  if (found === undefined || found === null) throw new Error(`No step of the run has made a ${member}.`);
  return found as NonNullable<PipelineRunStepDto[K]>;
}

/** The steps of a run after what one of them came to. */
export function afterStep(steps: readonly PipelineRunStepDto[], { made, next, end }: StepResult): PipelineRunStepDto[] {
  const now = new Date().toISOString();
  const isOver = next !== undefined || end !== undefined;
  const done = { ...stepOf(steps), ...made, ...(isOver && { ended_at: now }) };
  return [...steps.slice(0, -1), done, ...(next === undefined ? [] : [{ ...NOTHING, step: next, started_at: now }])];
}
