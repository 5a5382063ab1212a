import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeTrainingEngine } from '@hone/testing/engine-conformance';
import { IS_LONG } from '@hone/testing/rounds';

import type { WeightForm } from '../blocks/index.js';
import { writeRandomLlama } from '../model/random-llama.fixture.js';
import { ServingEngine } from '../serve/index.js';
import { EmbeddedTrainingEngine } from './embedded-training-engine.js';
import { sampleAnswers } from './sampling.fixture.js';

const FORMS: [string, WeightForm][] = [
  ['as its file has it', 'auto'],
  ['in 8 bits', 'int8'],
];

describe.each(IS_LONG ? FORMS : FORMS.slice(0, 1))('with a base %s', (_, weights) =>
  describeTrainingEngine('the embedded engine', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hone-engine-'));
    const base = join(folder, 'models/random');
    const { config } = await writeRandomLlama(base);
    const sources = { bundledDir: join(folder, 'none'), modelsDir: join(folder, 'models') };
    const serving = ServingEngine.start({ weights, packedThreads: 1 });
    await serving.loadBase(base);
    return {
      engine: new EmbeddedTrainingEngine({ sources, threads: 1, weights }),
      baseModel: 'random',
      vocabSize: config.vocabSize,
      // While serving, what blocks are multiplied with is rounded, which so small a model feels.
      ...(weights === 'int8' && { servedRatioErrors: { largest: 0.2, mean: 0.01 } }),
      folder,
      sample: (checkpoint, prompts, options) => sampleAnswers(serving, base, checkpoint, prompts, options),
      stop: async () => {
        await serving.close();
        await rm(folder, { recursive: true });
      },
    };
  }),
);
