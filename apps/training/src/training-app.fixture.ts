import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ArtifactStore, openArtifactStore } from '@hone/artifacts';
import { startTestApp, type TestApp, type TestAppOptions, type TestClient, type TestUser } from '@hone/testing';
import type { DynamicModule } from '@nestjs/common';

import { DEFAULT_TRAINING_CONFIG, TRAINING_BODY_LIMITS, type TrainingConfig } from './config/training.config.js';
import { TrainingModule } from './training.module.js';

export interface TrainingApp extends TestApp {
  /** A writer on the entity `acme`. */
  caller: TestClient;
  /** Acts as a user, with Bearer credentials. */
  by: (user: TestUser) => TestClient;
  store: ArtifactStore;
  dataDir: string;
}

/** A module and its data folder. One object is one configuration, so that its booted service is used again. */
interface Configured {
  module: DynamicModule;
  dataDir: string;
  /** Paths that the boot left in the folder. */
  paths?: ReadonlySet<string>;
}

/** In the default configuration, and in no use. */
const idle: Configured[] = [];

/** The whole service, on a database and a data folder that no other test uses meanwhile. */
export async function startTrainingApp(
  config: Partial<TrainingConfig> = {},
  limits: Partial<typeof TRAINING_BODY_LIMITS> = {},
  { isOwn = false, runsJobs = false }: Pick<TestAppOptions, 'isOwn' | 'runsJobs'> = {},
): Promise<TrainingApp> {
  const isDefault = !isOwn && !runsJobs && Object.keys(config).length === 0 && Object.keys(limits).length === 0;
  const used = (isDefault ? idle.pop() : undefined) ?? (await configure(config));
  const { module, dataDir } = used;
  const app = await startTestApp(
    module,
    { ...TRAINING_BODY_LIMITS, ...limits },
    isDefault ? {} : { isOwn: true, runsJobs },
  );
  used.paths ??= new Set(await readdir(dataDir, { recursive: true }));
  const by = (user: TestUser) => app.as(`Bearer ${user.key}`);
  return {
    ...app,
    by,
    caller: by(app.writer),
    store: openArtifactStore(dataDir),
    dataDir,
    close: async () => {
      await app.close();
      if (!isDefault) return rm(dataDir, { recursive: true, force: true });
      await deleteOthers(dataDir, used.paths);
      idle.push(used);
    },
  };
}

async function configure(config: Partial<TrainingConfig>): Promise<Configured> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hone-training-'));
  return { module: TrainingModule.forRoot(() => ({ ...DEFAULT_TRAINING_CONFIG, dataDir, ...config })), dataDir };
}

async function deleteOthers(folder: string, kept: ReadonlySet<string> = new Set()): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) {
    if (!kept.has(path)) await rm(join(folder, path), { recursive: true, force: true });
  }
}
