import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Environment } from '@hone/platform';
import { describeServiceBasics } from '@hone/testing';

import { readTrainerConfig } from './config/trainer.config.js';
import { TrainerModule } from './trainer.module.js';

const dataDir = mkdtempSync(join(tmpdir(), 'hone-trainer-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

describeServiceBasics(
  TrainerModule.forRoot(() => readTrainerConfig(new Environment({ HONE_DATA_DIR: dataDir }))),
  'artifacts',
);
