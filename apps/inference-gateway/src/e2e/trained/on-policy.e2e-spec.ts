import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { EmbeddedTrainingEngine, planRl, resolveRlConfig, type StoredPart, type TrajectoryInput } from '@hone/engine';
import { anRlSpec, type EngineUnderTest, finish, RecordingSink } from '@hone/testing/engine-conformance';

import type { BodyJson } from '../../targets/embedded/embedded.fixture.js';
import { BUNDLED_MODELS } from '../../targets/embedded/embedded-models.js';
import { startTrainedGateway, type TrainedGateway, type WorldModel } from './trained-world.fixture.js';

/** Sampling settings that must not affect the log-probabilities. */
const SAMPLING = { temperature: 1.3, top_p: 0.95, frequency_penalty: 0.5, max_tokens: 12, n: 3 };

/** Nothing has to be guessed from texts. */
const NO_TEMPLATE = {
  vocabSize: 512,
  encodeChat: () => {
    throw new Error('A Choice brought no token ids of its prompt.');
  },
};

describe('rollouts of a trained model', () => {
  let gateway: TrainedGateway;
  let folder: string;
  let subject: EngineUnderTest;
  beforeAll(async () => {
    gateway = await startTrainedGateway();
    folder = await mkdtemp(join(tmpdir(), 'hone-on-policy-'));
    const engine = new EmbeddedTrainingEngine({ sources: { bundledDir: BUNDLED_MODELS }, threads: 1 });
    const never = () => Promise.reject(new Error('Answers come from the gateway.'));
    subject = { engine, baseModel: 'hone-tiny', vocabSize: NO_TEMPLATE.vocabSize, folder, sample: never };
  });
  afterAll(async () => {
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  /** Conversations of two turns as a client pushes them: its own messages, and Choices as they came. */
  async function rollOut({ ref }: WorldModel): Promise<TrajectoryInput[]> {
    const question = { role: 'user', content: 'hello there' };
    const more = { role: 'user', content: 'and?' };
    const ask = async (messages: object[], seed: number) =>
      ((await gateway.ask(ref, { ...SAMPLING, messages, seed })).json() as BodyJson).choices;
    const firsts = await ask([question], 1);
    return Promise.all(
      firsts.map(async (first, index) => {
        const [second] = await ask([question, first.message, more], 10 * index);
        return { messages_and_choices: [question, first, more, second as object], reward: index };
      }),
    );
  }

  it.each([0, 1])('are on-policy: step %i', async (step) => {
    const model = await gateway.world.createModel({ name: `rolled-out-${step}` });
    const parent = step === 0 ? null : await storedPart((await gateway.world.commit(model, step)).folder);
    const trajectories = await rollOut(model);
    const config = resolveRlConfig({ learning_rate: 1e-4 });
    const context = { tokenizer: NO_TEMPLATE, contextLength: 1_024, parentStep: step };
    const { rows } = planRl([{ trajectories }], config, context);
    const sink = new RecordingSink();
    await finish(subject, await anRlSpec(subject, rows, {}, { parent }), sink);
    const metrics = sink.steps.get(1);
    expect(Math.abs((metrics?.['offpolicy/ratio_max'] ?? NaN) - 1)).toBeLessThan(1e-5);
    expect(metrics?.['offpolicy/clip_fraction']).toBe(0);
  });
});

async function storedPart(checkpoint: string): Promise<StoredPart> {
  const manifest = await readFile(join(checkpoint, 'manifest.json'));
  return { uri: pathToFileURL(checkpoint).href, sha256: createHash('sha256').update(manifest).digest('hex') };
}
