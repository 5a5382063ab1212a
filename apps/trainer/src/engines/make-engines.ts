import { EmbeddedTrainingEngine, findBaseModel } from '@hone/engine';
import { engineFor, type TinkerSettings, TinkerTrainingEngine } from '@hone/tinker';
import type { RemoteEngines } from '@hone/training-jobs';

import type { TrainerConfig } from '../config/trainer.config.js';
import type { TrainerMetrics } from '../telemetry/trainer-metrics.js';
import type { EngineModelsRepository } from './engine-models.repository.js';
import type { JobEngine } from './job-engine.js';

const sourcesOf = ({ bundledModelsDir, modelsDir }: TrainerConfig) => ({ bundledDir: bundledModelsDir, modelsDir });

/** The training servers of the configuration. */
export function makeRemoteEngines(
  config: TrainerConfig,
  models: EngineModelsRepository,
  metrics: TrainerMetrics,
): TinkerTrainingEngine[] {
  const observer = metrics.engines;
  const options = { sources: sourcesOf(config), maxArchiveBytes: config.download.maxBytes, observer };
  return config.engines
    .filter((settings): settings is TinkerSettings => settings.kind === 'tinker')
    .map((settings) => new TinkerTrainingEngine(settings, options, models));
}

/** Every engine of the configuration, as a worker uses it. */
export function makeJobEngines(config: TrainerConfig, remote: readonly TinkerTrainingEngine[]): JobEngine[] {
  const choices: RemoteEngines = new Map(
    remote.map(({ settings }) => [
      settings.name,
      [...settings.baseModels.keys()].filter((base) => engineFor(config.engines, base) === settings),
    ]),
  );
  const sources = sourcesOf(config);
  const { threads, maxParams, weights, memoryBytes, concurrency } = config;
  const embedded: JobEngine = {
    name: 'embedded',
    remoteName: null,
    training: new EmbeddedTrainingEngine({ sources, threads, maxParams, weights, memoryBytes }),
    concurrency,
    choice: { engine: null, remote: choices },
    maxParams,
    findBase: (baseModel, signal) => findBaseModel(baseModel, sources, signal),
    isReachable: async () => true,
  };
  return [embedded, ...remote.map((engine) => toJobEngine(engine, choices))];
}

const toJobEngine = (engine: TinkerTrainingEngine, remote: RemoteEngines): JobEngine => ({
  name: engine.settings.name,
  remoteName: engine.settings.name,
  training: engine,
  concurrency: engine.settings.concurrency,
  choice: { engine: engine.settings.name, remote },
  maxParams: null,
  findBase: (baseModel, signal) => engine.findBase(baseModel, signal),
  isReachable: (signal) => engine.isReachable(signal),
});
