import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openArtifactStore, type ArtifactStore } from '@hone/artifacts';
import { startTestApp, type TestApp, type TestClient, type TestUser } from '@hone/testing';

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

/** The whole service, on a database and a data folder of its own. */
export async function startTrainingApp(
  config: Partial<TrainingConfig> = {},
  limits: Partial<typeof TRAINING_BODY_LIMITS> = {},
): Promise<TrainingApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hone-training-'));
  const module = TrainingModule.forRoot(() => ({ ...DEFAULT_TRAINING_CONFIG, dataDir, ...config }));
  const app = await startTestApp(module, { ...TRAINING_BODY_LIMITS, ...limits });
  const by = (user: TestUser) => app.as(`Bearer ${user.key}`);
  return {
    ...app,
    by,
    caller: by(app.writer),
    store: openArtifactStore(dataDir),
    dataDir,
    close: async () => {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
