import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeTrainingEngine } from '@hone/testing';

import { openBaseModel } from '../model/base-model.js';
import { writeRandomLlama } from '../model/random-llama.fixture.js';
import { EmbeddedTrainingEngine } from './embedded-training-engine.js';
import { sampleAnswers } from './sampling.fixture.js';

describeTrainingEngine('the embedded engine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hone-engine-'));
  const { config } = await writeRandomLlama(join(folder, 'models/random'));
  const base = await openBaseModel(join(folder, 'models/random'));
  const places = { bundledDir: join(folder, 'none'), modelsDir: join(folder, 'models') };
  return {
    engine: new EmbeddedTrainingEngine({ places, threads: 1 }),
    baseModel: 'random',
    vocabSize: config.vocabSize,
    folder,
    sample: (checkpoint, prompts, options) => sampleAnswers(base, checkpoint, prompts, options),
    stop: () => rm(folder, { recursive: true }),
  };
});
