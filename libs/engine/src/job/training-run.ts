import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { readCheckpoint, writeCheckpoint } from '../checkpoints/index.js';
import type { BaseModel } from '../model/base-model.js';
import type { PlanRow } from '../plan/plan.js';
import type { TrainSequence } from '../train/train-sequence.js';
import { type StepResult, Trainer } from '../train/trainer.js';
import type { LoadedBase } from './loaded-base.js';
import { lossSettingsOf } from './loss-settings-of.js';
import { readPlan } from './read-plan.js';
import { type OtherModels, prepareRow } from './rl-preparation.js';
import { type RunStart, startFromBase, startFromCheckpoint, toCheckpoint } from './run-state.js';
import { settleSftRow } from './sft-row.js';
import { rlMetrics, sftMetrics } from './step-metrics.js';
import type { RunResult, StepMetrics, TrainingSink } from './training-engine.js';
import type { StoredPart, TrainingSpec } from './training-spec.js';

interface RunSetup {
  readonly spec: TrainingSpec;
  readonly threads: number;
}

/** Where a run reports to. */
export type RunReports = Pick<TrainingSink, 'step' | 'checkpoint' | 'resumePoint'>;

/** One attempt of a job: one gradient step per planned row, resume points on the way, a checkpoint at the end. */
export class TrainingRun {
  private lastSaved = performance.now();
  /** Gradient steps done at the last resume point. */
  private savedStep: number;
  /** The row of the last gradient step; null before it. */
  private lastRow: readonly TrainSequence[] | null = null;

  private constructor(
    private readonly spec: TrainingSpec,
    private readonly base: BaseModel,
    private readonly rows: readonly PlanRow[],
    private readonly start: RunStart,
    private readonly learner: Trainer,
    private readonly others: OtherModels,
  ) {
    this.savedStep = spec.resume?.k ?? 0;
  }

  /**
   * Reads all that the specification names.
   *
   * @throws SpecMismatchError, CheckpointCorruptError stored bytes are not those that were written
   */
  static async open({ spec, threads }: RunSetup, { model: base, weights }: LoadedBase): Promise<TrainingRun> {
    const rows = await readPlan(spec.plan);
    const read = ({ uri, sha256 }: StoredPart) => readCheckpoint(fileURLToPath(uri), base.config, { sha256 });
    const from = spec.resume ?? spec.parent;
    const start =
      from === null
        ? startFromBase(spec, base.config, weights)
        : startFromCheckpoint(spec, base.config, await read(from), spec.lora_asked);
    const loss = spec.loss === null ? ({ kind: 'sft' } as const) : lossSettingsOf(spec.loss);
    const optimiser = {
      ...spec.optimiser,
      weightDecay: spec.optimiser.weight_decay,
      maxGradientNorm: spec.optimiser.max_grad_norm,
    };
    const trainerOf = ({ part, state }: RunStart) =>
      new Trainer({ config: base.config, part, loss, optimiser }, weights, state, threads);
    const scorerOf = async (stored: StoredPart | null) =>
      trainerOf(
        stored === null
          ? startFromBase(spec, base.config, weights)
          : startFromCheckpoint(spec, base.config, await read(stored), null),
      );
    const others = {
      parent: spec.loss?.precalculate_logprobs ? await scorerOf(spec.parent) : null,
      reference: (spec.loss?.kl_penalty_coef ?? 0) > 0 ? await scorerOf(spec.reference) : null,
    };
    const learner = trainerOf(start);
    await learner.prepare(rows.map(({ sequences }) => sequences));
    return new TrainingRun(spec, base, rows, start, learner, others);
  }

  /** Takes the steps that are left. @throws NonFiniteLossError, NonFiniteUpdateError, and what the sink rejects with */
  async carryOut(drain: AbortSignal, sink: RunReports): Promise<RunResult> {
    const done = this.spec.resume?.k ?? 0;
    for (const [index, row] of this.rows.entries()) {
      const k = index + 1;
      if (k <= done) continue;
      if (drain.aborted) return this.drain(k - 1, sink);
      await sink.step(k, await this.takeStep(row));
      if (k === this.rows.length) break;
      // Before a resume point: an attempt that resumes there does not come back to this checkpoint.
      if (this.isCheckpointDue(k)) await sink.checkpoint(k, await this.saveCheckpoint(`checkpoint-${k}`, k));
      if (this.isResumePointDue(k)) await this.saveResumePoint(k, sink);
    }
    return { status: 'finished', checkpoint: await this.saveCheckpoint('checkpoint', this.rows.length) };
  }

  async release(): Promise<void> {
    const trainers = [this.learner, this.others.parent, this.others.reference];
    await Promise.all(trainers.map(async (trainer) => trainer?.release()));
  }

  private async drain(k: number, sink: RunReports): Promise<RunResult> {
    // Before the first step, or right after a resume point, there is nothing new to save. The sink may be moving the
    // files of that point at this moment.
    if (k > this.savedStep) await this.saveResumePoint(k, sink);
    return { status: 'drained' };
  }

  private async saveResumePoint(k: number, sink: RunReports): Promise<void> {
    await sink.resumePoint(k, await this.save(`resume-${k}`, k));
    this.savedStep = k;
    this.lastSaved = performance.now();
  }

  private async saveCheckpoint(folder: string, k: number): Promise<StoredPart> {
    if (this.lastRow !== null) await this.learner.assertUsable(this.lastRow);
    return this.save(folder, k);
  }

  private async takeStep(planned: PlanRow): Promise<StepMetrics> {
    const learningRate = planned.learningRate * this.spec.optimiser.learning_rate_factor;
    const started = performance.now();
    const { loss } = this.spec;
    if (loss === null) {
      const batch = settleSftRow(planned);
      const result = batch.numTrainableTokens === 0 ? null : await this.step(batch.sequences, learningRate);
      return sftMetrics(batch, result, learningRate, (performance.now() - started) / 1000);
    }
    const { row, meanKl } = await prepareRow(planned, loss, this.learner, this.others);
    return rlMetrics(row, await this.step(row.sequences, learningRate), learningRate, meanKl);
  }

  private step(row: readonly TrainSequence[], learningRate: number): Promise<StepResult> {
    this.lastRow = row;
    return this.learner.step(row, learningRate);
  }

  private isCheckpointDue(k: number): boolean {
    const { checkpoint_every: every } = this.spec;
    return every !== null && k % every === 0;
  }

  private isResumePointDue(k: number): boolean {
    const { steps, seconds } = this.spec.resume_every;
    return k % steps === 0 || performance.now() - this.lastSaved >= seconds * 1000;
  }

  private async save(folder: string, k: number): Promise<StoredPart> {
    const directory = join(fileURLToPath(this.spec.output_prefix), folder);
    const now = { part: this.start.part, state: this.learner.current };
    const { sha256 } = await writeCheckpoint(
      directory,
      toCheckpoint(this.spec, this.base.config, now, k),
      this.base.directory,
    );
    return { uri: pathToFileURL(directory).href, sha256 };
  }
}
