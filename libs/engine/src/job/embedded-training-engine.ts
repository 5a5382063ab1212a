import type { WeightForm } from '../blocks/index.js';
import { EngineError } from '../errors.js';
import { openBaseModel } from '../model/base-model.js';
import { DEFAULT_MAX_PARAMS } from '../model/config/read-config.js';
import { type BaseModelSources, findBaseModel } from '../model/find-base-model.js';
import { StandbyProcess } from '../runtime/standby-process.js';
import type { ToChild } from './child-messages.js';
import type { EngineCapabilities, RunResult, RunSignals, TrainingEngine, TrainingSink } from './training-engine.js';
import { forkTrainingProcess, runTrainingProcess } from './training-process.js';
import type { TrainingSpec } from './training-spec.js';

export interface EmbeddedEngineOptions {
  readonly sources: BaseModelSources;
  /** Threads of one job. The same number gives the same bytes. */
  readonly threads: number;
  /** Default 2e9. */
  readonly maxParams?: number;
  /** Form of the base's matrices while an adapter is trained. With another one the numbers differ. Default auto. */
  readonly weights?: WeightForm;
  /**
   * Memory limit of the process of a job, in bytes. Where activations would exceed it, they are recomputed in the
   * backward pass. Another limit changes the last digits of the results. Default: the weights, the optimiser state and
   * the process, plus one and a half times the size of the weights, at least 232 MiB and at most a quarter of the
   * memory of the machine or container.
   */
  readonly memoryBytes?: number | null;
}

export const EMBEDDED_CAPABILITIES: EngineCapabilities = {
  kinds: ['rl', 'sft', 'preference'],
  // Attention over a sequence, which is trained in one piece, takes its square in memory.
  maxContext: 8192,
  lora: true,
  deterministic: true,
};

/** Trains on this machine's CPU, each job in a process of its own. */
export class EmbeddedTrainingEngine implements TrainingEngine {
  private readonly maxParams: number;
  private readonly weights: WeightForm;
  private readonly processes = new StandbyProcess(forkTrainingProcess);

  constructor(private readonly options: EmbeddedEngineOptions) {
    this.maxParams = options.maxParams ?? DEFAULT_MAX_PARAMS;
    this.weights = options.weights ?? 'auto';
  }

  capabilities(): EngineCapabilities {
    return EMBEDDED_CAPABILITIES;
  }

  async supports(baseModel: string): Promise<boolean> {
    try {
      await openBaseModel(await findBaseModel(baseModel, this.options.sources), { maxParams: this.maxParams });
      return true;
    } catch (error) {
      if (error instanceof EngineError) return false;
      throw error;
    }
  }

  async prepare(baseModel: string): Promise<void> {
    const baseDirectory = await findBaseModel(baseModel, this.options.sources);
    const message: ToChild = { type: 'load', baseDirectory, maxParams: this.maxParams, weights: this.weights };
    this.processes.prepare()?.send(message, () => undefined);
  }

  async run(spec: TrainingSpec, signals: RunSignals, sink: TrainingSink): Promise<RunResult> {
    const baseDirectory = await findBaseModel(spec.base_model, this.options.sources, signals.cancel);
    const { maxParams, weights } = this;
    const { threads, memoryBytes = null } = this.options;
    return runTrainingProcess(
      { type: 'start', spec, baseDirectory, maxParams, weights, threads, memoryBytes },
      signals,
      sink,
      this.processes,
    );
  }
}
