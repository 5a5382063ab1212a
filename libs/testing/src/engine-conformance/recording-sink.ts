import type { RunResult, RunSignals, StepMetrics, StoredPart, TrainingSink, TrainingSpec } from '@hone/engine';

import type { EngineUnderTest } from './engine-under-test.js';

/** What a run reported. */
export class RecordingSink implements TrainingSink {
  readonly steps = new Map<number, StepMetrics>();
  readonly checkpoints: (StoredPart & { k: number })[] = [];
  readonly resumePoints: (StoredPart & { k: number })[] = [];
  readonly logs: string[] = [];

  /** @param onStep called after each report of a step */
  constructor(private readonly onStep: (k: number) => void = () => undefined) {}

  async step(k: number, metrics: StepMetrics): Promise<void> {
    this.steps.set(k, metrics);
    this.onStep(k);
  }

  async checkpoint(k: number, part: StoredPart): Promise<void> {
    this.checkpoints.push({ ...part, k });
  }

  async resumePoint(k: number, part: StoredPart): Promise<void> {
    this.resumePoints.push({ ...part, k });
  }

  log(text: string): void {
    this.logs.push(text);
  }

  /** Metrics by step, without durations. */
  get numbers(): Record<string, number>[] {
    return [...this.steps.values()].map((metrics) =>
      Object.fromEntries(Object.entries(metrics).filter(([name]) => name !== 'tokens_per_second')),
    );
  }
}

/** Runs a job to its end. @throws Error when it was drained */
export async function finish(
  { engine }: EngineUnderTest,
  spec: TrainingSpec,
  sink: TrainingSink = new RecordingSink(),
): Promise<StoredPart> {
  const result = await run(engine, spec, { cancel: new AbortController().signal }, sink);
  if (result.status !== 'finished') throw new Error(`The run was ${result.status}.`);
  return result.checkpoint;
}

const run = (
  engine: EngineUnderTest['engine'],
  spec: TrainingSpec,
  signals: RunSignals,
  sink: TrainingSink,
): Promise<RunResult> => engine.run(spec, signals, sink);
