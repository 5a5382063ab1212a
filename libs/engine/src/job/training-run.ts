import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { type CheckpointParts, readCheckpoint, writeCheckpoint } from '../checkpoints/index.js';
import type { ModelFolder } from '../model/model-folder.js';
import type { PlanRow } from '../plan/plan.js';
import type { PreferenceLossConfig } from '../plan/preference-config.js';
import { NonFiniteLossError } from '../train/train.errors.js';
import type { Scorer, TrainSequence } from '../train/train-sequence.js';
import { trainedLayout, type TrainedPart } from '../train/trained-parameters.js';
import { type StepResult, Trainer, type TrainState } from '../train/trainer.js';
import type { EarlyStopping } from './early-stopping.js';
import { heldOutOf } from './held-out.js';
import type { LoadedBase } from './loaded-base.js';
import { startLora } from './lora-start.js';
import { lossSettingsOf } from './loss-settings-of.js';
import { PreferenceSteps } from './preference-steps.js';
import { readPlan } from './read-plan.js';
import { prepareRow } from './rl-preparation.js';
import {
  assertBase,
  type RunStart,
  startFromBase,
  startFromCheckpoint,
  stoppingOf,
  toCheckpoint,
  toResumePoint,
  withBase,
} from './run-state.js';
import { settleSftRow } from './sft-row.js';
import { preferenceMetrics, rlMetrics, sftMetrics } from './step-metrics.js';
import type { RunResult, StepMetrics, TrainingSink } from './training-engine.js';
import type { StoredPart, TrainingSpec } from './training-spec.js';
import type { HeldOut } from './validation.js';

interface RunSetup {
  readonly spec: TrainingSpec;
  readonly threads: number;
  /** See chooseRunner. */
  readonly memoryBytes: number | null;
}

/** The frozen models. */
interface OtherTrainers {
  readonly parent: Trainer | null;
  /** The reference of a KL penalty, or the base from which the divergence is measured. */
  readonly reference: Scorer | null;
  release(): Promise<void>;
}

/** The receivers of a run's reports. */
export type RunReports = Pick<TrainingSink, 'step' | 'checkpoint' | 'resumePoint'>;

/** One attempt of a job: one gradient step per planned row, resume points on the way, a checkpoint at the end. */
export class TrainingRun {
  private lastSaved = performance.now();
  /** Gradient steps done at the last resume point. */
  private savedStep: number;
  /** The row of the last gradient step; null before it. */
  private lastRow: readonly TrainSequence[] | null = null;

  /** Null: another kind of job. */
  private readonly preferences: PreferenceSteps | null;

  private constructor(
    private readonly spec: TrainingSpec,
    private readonly base: ModelFolder,
    private readonly rows: readonly PlanRow[],
    private readonly part: TrainedPart,
    private readonly learner: Trainer,
    private readonly others: OtherTrainers,
    private readonly validation: HeldOut | null,
    private readonly stopping: EarlyStopping | null,
  ) {
    this.savedStep = spec.resume?.k ?? 0;
    this.preferences = spec.preference ? new PreferenceSteps(spec.preference, () => others.reference) : null;
  }

  /**
   * Reads all that the specification names.
   *
   * @throws SpecMismatchError, CheckpointCorruptError stored bytes are not those that were written
   * @throws BaseChangedError the base is another than that of the checkpoint
   */
  static async open(
    { spec, threads, memoryBytes }: RunSetup,
    { model: base, weights }: LoadedBase,
  ): Promise<TrainingRun> {
    const { rows, validation } = await readPlan(spec.plan);
    const baseSha256 = await base.digest();
    const read = async ({ uri, sha256 }: StoredPart) => {
      const parts = await readCheckpoint(fileURLToPath(uri), base.config, { sha256 });
      assertBase(parts, baseSha256, spec.base_model);
      return parts;
    };
    const from = spec.resume ?? spec.parent;
    const parts = from && (await read(from));
    const start =
      parts === null
        ? startFromBase(spec, base.config, weights)
        : startFromCheckpoint(spec, base.config, parts, spec.lora_asked);
    const stopping = stoppingOf(spec, base.config, start, spec.resume && parts);
    const loss = spec.loss === null ? ({ kind: 'sft' } as const) : lossSettingsOf(spec.loss);
    const optimiser = {
      ...spec.optimiser,
      weightDecay: spec.optimiser.weight_decay,
      maxGradientNorm: spec.optimiser.max_grad_norm,
    };
    const trainerOf = ({ part, state }: RunStart) =>
      new Trainer({ config: base.config, part, loss, optimiser }, weights, state, threads, { memoryBytes });
    const scorerOf = async (stored: StoredPart | null) =>
      trainerOf(
        stored === null
          ? startFromBase(spec, base.config, weights)
          : startFromCheckpoint(spec, base.config, await read(stored), null),
      );
    const learner = trainerOf(start);
    const parent = spec.loss?.precalculate_logprobs ? await scorerOf(spec.parent) : null;
    const penalty = (spec.loss?.kl_penalty_coef ?? 0) > 0 ? await scorerOf(spec.reference) : null;
    const ofBase = () => baseOf(learner, start, base.config, spec.seed);
    const ofAllWeights = () =>
      ofBase() ?? scorerWith(learner, startFromBase({ ...spec, lora: null }, base.config, weights));
    const initial = async () => {
      if (spec.resume === null) return start;
      if (spec.parent === null) return startFromBase(spec, base.config, weights);
      return startFromCheckpoint(spec, base.config, await read(spec.parent), spec.lora_asked);
    };
    const others: OtherTrainers = {
      parent,
      reference:
        penalty ??
        (spec.loss && ofBase()) ??
        (spec.preference ? await referenceOf(spec.preference, learner, initial, ofAllWeights) : null),
      release: async () => void (await Promise.all([parent?.release(), penalty?.release()])),
    };
    await learner.prepare(rows.map(({ sequences }) => sequences));
    const held = heldOutOf(spec, validation, others.reference);
    return new TrainingRun(spec, base, rows, start.part, learner, others, held, stopping);
  }

  /**
   * Takes the remaining gradient steps. @throws NonFiniteLossError, NonFiniteUpdateError, and what the sink rejects
   * with
   */
  async carryOut(drain: AbortSignal, sink: RunReports): Promise<RunResult> {
    const done = this.spec.resume?.k ?? 0;
    for (const [index, row] of this.rows.entries()) {
      const k = index + 1;
      if (k <= done) continue;
      if (drain.aborted) return this.drain(k - 1, sink);
      await sink.step(k, this.stopping?.rule.hasStopped ? this.stopping.rule.leftOut : await this.takeStep(k, row));
      if (k === this.rows.length) break;
      // Before a resume point: an attempt that resumes there does not come back to this checkpoint.
      if (this.isCheckpointDue(k)) await sink.checkpoint(k, await this.saveCheckpoint(`checkpoint-${k}`, k));
      if (this.isResumePointDue(k)) await this.saveResumePoint(k, sink);
    }
    return { status: 'finished', checkpoint: await this.saveLast() };
  }

  async release(): Promise<void> {
    await Promise.all([this.learner.release(), this.others.release()]);
  }

  private async drain(k: number, sink: RunReports): Promise<RunResult> {
    // Before the first step, or right after a resume point, there is nothing new to save. The sink may be moving the
    // files of that point at this moment.
    if (k > this.savedStep) await this.saveResumePoint(k, sink);
    return { status: 'drained' };
  }

  private async saveResumePoint(k: number, sink: RunReports): Promise<void> {
    const now = { part: this.part, state: this.learner.current };
    const parts = toResumePoint(this.spec, this.base.config, now, k, this.stopping);
    await sink.resumePoint(k, await this.write(`resume-${k}`, parts));
    this.savedStep = k;
    this.lastSaved = performance.now();
  }

  private async saveCheckpoint(folder: string, k: number): Promise<StoredPart> {
    if (this.lastRow !== null) await this.learner.assertUsable(this.lastRow);
    return this.save(folder, k, this.learner.current);
  }

  /** With early stopping the weights that gave the lowest validation loss, which is finite, otherwise the last ones. */
  private async saveLast(): Promise<StoredPart> {
    const kept = this.stopping?.kept;
    return kept ? this.save('checkpoint', kept.k, kept.state) : this.saveCheckpoint('checkpoint', this.rows.length);
  }

  private async takeStep(k: number, planned: PlanRow): Promise<StepMetrics> {
    const metrics = await this.train(planned);
    if (!this.validation?.isDue(k, this.rows.length)) return metrics;
    const { loss, metrics: found } = await this.validation.evaluate(this.learner);
    this.stopping?.record(k, loss, this.learner.current);
    const validated = Number.isFinite(loss) && { validation_loss: loss, ...found };
    return { ...metrics, ...validated, ...this.stopping?.rule.metrics };
  }

  private async train(planned: PlanRow): Promise<StepMetrics> {
    const learningRate = planned.learningRate * this.spec.optimiser.learning_rate_factor;
    const started = performance.now();
    const { loss } = this.spec;
    if (this.preferences) {
      const { scored, gradientNorm } = await this.preferences.step(planned, this.learner, learningRate);
      if (!Number.isFinite(scored.loss)) throw new NonFiniteLossError(this.learner.current.updates);
      this.lastRow = scored.answers;
      return preferenceMetrics(scored, planned, { gradientNorm, learningRate });
    }
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
    return every !== null && k % every === 0 && !this.stopping?.rule.hasStopped;
  }

  private isResumePointDue(k: number): boolean {
    // The rest of the run takes no time.
    if (this.stopping?.rule.hasStopped) return false;
    const { steps, seconds } = this.spec.resume_every;
    return k % steps === 0 || performance.now() - this.lastSaved >= seconds * 1000;
  }

  private save(folder: string, k: number, state: TrainState): Promise<StoredPart> {
    return this.write(folder, toCheckpoint(this.spec, this.base.config, { part: this.part, state }, k));
  }

  private async write(folder: string, parts: CheckpointParts): Promise<StoredPart> {
    const directory = join(fileURLToPath(this.spec.output_prefix), folder);
    const saved = withBase(parts, await this.base.digest());
    const { sha256 } = await writeCheckpoint(directory, saved, this.base.directory);
    return { uri: pathToFileURL(directory).href, sha256 };
  }
}

/** The model from which a preference loss measures rewards, in the learner's own graph. Null: the loss has none. */
async function referenceOf(
  { method, reference }: PreferenceLossConfig,
  learner: Trainer,
  initial: () => Promise<RunStart>,
  ofBase: () => Scorer,
): Promise<Scorer | null> {
  if (method === 'orpo') return null;
  return reference === 'base' ? ofBase() : scorerWith(learner, await initial());
}

/** Other weights in the learner's own graph, as they are now. */
function scorerWith(learner: Trainer, { state }: RunStart): Scorer {
  const parameters = Float32Array.from(state.parameters);
  return { score: (row) => learner.score(row, parameters) };
}

/** The base model in the learner's own graph, with an adapter of zeros. Null: all weights are trained. */
function baseOf(learner: Trainer, { part }: RunStart, config: ModelFolder['config'], seed: number): Scorer | null {
  if (part.kind !== 'lora') return null;
  const parameters = startLora(trainedLayout(config, part), seed, part.lora);
  return { score: (row) => learner.score(row, parameters) };
}
