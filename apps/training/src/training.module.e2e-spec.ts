import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeServiceBasics } from '@hone/testing';

import { DEFAULT_TRAINING_CONFIG } from './config/training.config.js';
import { TrainingModule } from './training.module.js';

const dataDir = mkdtempSync(join(tmpdir(), 'hone-training-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

describeServiceBasics(
  TrainingModule.forRoot(() => ({ ...DEFAULT_TRAINING_CONFIG, dataDir })),
  'artifacts',
);
