import type { EngineCheckDto, GpuQueueCheckDto } from '@hone/contracts';
import { engineFor, type EngineSettings, TinkerClient } from '@hone/tinker';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';

export interface CheckedEngines {
  readonly engines: EngineCheckDto[];
  /** Of the training servers together. */
  readonly queue: GpuQueueCheckDto;
}

/** Whether the configured engines answer. */
@Injectable()
export class EngineChecks implements OnApplicationShutdown {
  private readonly clients: ReadonlyMap<EngineSettings, TinkerClient>;

  constructor(@Inject(TRAINING_CONFIG) private readonly config: TrainingConfig) {
    this.clients = new Map(
      config.engines.flatMap((settings) =>
        settings.kind === 'tinker' ? [[settings, new TinkerClient(settings)] as const] : [],
      ),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.clients.values()].map((client) => client.close()));
  }

  /** @param isTrainerSeen whether the embedded engine trains */
  async check(timeoutMs: number, isTrainerSeen: Promise<boolean>): Promise<CheckedEngines> {
    const start = performance.now();
    const engines = await Promise.all(
      this.config.engines.map(async (settings): Promise<EngineCheckDto> => {
        const { name, kind } = settings;
        const client = this.clients.get(settings);
        const reachable = client ? await isReachable(client, timeoutMs) : await isTrainerSeen;
        return { name, kind, reachable, models: this.modelsOf(settings) };
      }),
    );
    const away = engines.filter(({ kind, reachable }) => kind === 'tinker' && !reachable);
    const configured = this.clients.size > 0;
    const duration = configured ? (performance.now() - start) / 1_000 : 0;
    const errors = away.map(({ name }) => `The engine ${name} does not answer.`);
    return { engines, queue: { success: errors.length === 0, duration, errors, configured } };
  }

  private modelsOf(settings: EngineSettings): string[] | null {
    if (settings.kind === 'embedded') return null;
    return [...settings.baseModels.keys()].filter((base) => engineFor(this.config.engines, base) === settings);
  }
}

const isReachable = (client: TinkerClient, timeoutMs: number): Promise<boolean> =>
  client.findBaseModels(AbortSignal.timeout(timeoutMs)).then(
    () => true,
    () => false,
  );
