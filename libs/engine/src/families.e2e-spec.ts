import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { anRlSpec, finish, someRows } from '@hone/testing/engine-conformance';

import { mergeAdapter, readCheckpoint } from './checkpoints/index.js';
import { aRequest } from './decode/batch/generation.fixture.js';
import { toDecoderTensors } from './decode/graph/decoder-tensors.fixture.js';
import { LlamaDecoder } from './decode/llama-decoder.js';
import { EmbeddedTrainingEngine } from './job/index.js';
import { openBaseModel } from './model/index.js';
import { useTempFolder } from './model/temp-folder.fixture.js';
import { writeFamilyModel } from './oracle/family-model.fixture.js';
import { ServingEngine } from './serve/serving-engine.js';
import type { Weights } from './tensor.js';

const PROMPT = Array.from({ length: 20 }, (_, index) => (index * 37 + 3) % 260);
const ANSWER = 12;

const folder = useTempFolder();

describe.each(['gemma3', 'mistral', 'qwen2', 'qwen3', 'smollm3'])('a model of %s', (family) => {
  it('is trained in a process of its own, and answers in a batch, from the cache, and by its checkpoint', async () => {
    const directory = join(folder(), 'models', family);
    await writeFamilyModel(directory, family);
    const base = await openBaseModel(directory);
    const weights = await base.loadWeights();
    const sources = { bundledDir: join(folder(), 'none'), modelsDir: join(folder(), 'models') };
    const trainer = new EmbeddedTrainingEngine({ sources, threads: 1 });
    const sample = () => Promise.reject(new Error('Nothing is sampled here.'));
    const subject = { engine: trainer, baseModel: family, vocabSize: 288, folder: folder(), sample };
    const rows = someRows(1, 288).map((row) => ({ ...row, learningRate: 0.05 }));
    const { uri, sha256 } = await finish(subject, await anRlSpec(subject, rows));
    const { trained } = await readCheckpoint(fileURLToPath(uri), base.config, { sha256 });
    if (trained.kind !== 'lora') throw new Error('An adapter was to be trained.');

    const engine = ServingEngine.start({});
    try {
      await engine.loadBase(directory);
      const checkpoint = { id: 'one', directory: fileURLToPath(uri) };
      const ofBase = await greedy(base.config, weights);
      const ofCheckpoint = await greedy(base.config, mergeAdapter(weights, base.config, trained.adapter));
      const ask = (which: typeof checkpoint | null) => answerOf(engine, directory, which);
      const together = await Promise.all([ask(null), ask(checkpoint), ask(null)]);
      expect(together).toEqual([ofBase, ofCheckpoint, ofBase]);
      expect(await ask(null)).toEqual(ofBase);
      expect(ofCheckpoint).not.toEqual(ofBase);
    } finally {
      await engine.close();
    }
  }, 120_000);
});

async function answerOf(
  engine: ServingEngine,
  base: string,
  checkpoint: { id: string; directory: string } | null,
): Promise<number[]> {
  const request = aRequest({
    promptIds: PROMPT,
    maxTokens: ANSWER,
    ending: { ignoreEos: true },
    sampling: { temperature: 0 },
  });
  const ids: number[] = [];
  for await (const event of engine.generate({ base, checkpoint }, request)) {
    if (event.kind === 'text') ids.push(...event.ids);
  }
  return ids;
}

/** The likeliest tokens, each from a pass over all tokens before it. */
async function greedy(
  config: Awaited<ReturnType<typeof openBaseModel>>['config'],
  weights: Weights,
): Promise<number[]> {
  const decoder = await LlamaDecoder.open(config, 64, 1);
  const tensors = toDecoderTensors(config, weights);
  const ids = [...PROMPT];
  while (ids.length < PROMPT.length + ANSWER) {
    const { logProbabilities } = await decoder.readPrompt(tensors, [], ids, [ids.length - 1]);
    const last = logProbabilities.subarray(0, config.vocabSize);
    ids.push(last.indexOf(Math.max(...last)));
  }
  await decoder.close();
  return ids.slice(PROMPT.length);
}
