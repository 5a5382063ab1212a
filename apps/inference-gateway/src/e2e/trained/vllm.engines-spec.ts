import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { EmbeddedTrainingEngine, openBaseModel, planningTokenizerOf, planSft, resolveSftConfig } from '@hone/engine';
import { startVllm, type TestResponse, until, type VllmProcess } from '@hone/testing';
import { anSftSpec, finish } from '@hone/testing/engine-conformance';

import {
  ask,
  type BodyJson,
  type ChoiceJson,
  type LogprobJson,
  toChunks,
} from '../../targets/embedded/embedded.fixture.js';
import { BUNDLED_MODELS, EmbeddedModels } from '../../targets/embedded/embedded-models.js';
import { aVllm, LOCAL_OFF, textOf } from './adapters.fixture.js';
import {
  fingerOf,
  startTrainedGateway,
  type TrainedGateway,
  type WorldCheckpoint,
  type WorldModel,
} from './trained-world.fixture.js';

const WORDS = ['cat', 'dog', 'sun', 'tree', 'bird', 'fish', 'moon', 'house'];
const LINE = JSON.stringify({
  messages: [
    { role: 'user', content: 'repeat: cat' },
    { role: 'assistant', content: 'Aye! cat' },
  ],
});
/** float32 on both sides, with sums in another order. */
const NATS = 2e-3;
/** The gateway's own specs kill replicas in every run; here that takes two more starts of vLLM. */
const itLong = process.env['HONE_ENGINES_LONG'] ? it : it.skip;
/** Slots for adapters that the server has by default. */
const SLOTS = 4;
/** How often a replica is killed. */
const KILLS = Number(process.env['HONE_ENGINES_KILLS'] ?? 1);
/** vLLM's first answers wait for what it loads late. */
const SLOW_START = { ttft_last_ms: 300_000, response_ms: 300_000 };
/** For a kill and a start of vLLM, on a machine that is busy. */
const KILL_MS = 900_000;

/** Trains `hone-tiny` by examples on the embedded engine. @returns the checkpoint's folder */
async function train(folder: string): Promise<string> {
  const base = await openBaseModel(join(BUNDLED_MODELS, 'hone-tiny'));
  const settings = resolveSftConfig({ learning_rate: 2e-3, n_epochs: 40 });
  const context = { tokenizer: planningTokenizerOf(base), contextLength: base.config.maxPositions };
  const { rows } = await planSft([LINE], settings, context);
  const engine = new EmbeddedTrainingEngine({ sources: { bundledDir: BUNDLED_MODELS }, threads: 1 });
  const subject = { engine, baseModel: 'hone-tiny', folder } as never;
  const { uri } = await finish(subject, await anSftSpec(subject, rows));
  return fileURLToPath(uri);
}

const choiceOf = (response: TestResponse): ChoiceJson => {
  textOf(response);
  return (response.json() as BodyJson).choices[0] as ChoiceJson;
};

/** Tokens agree, up to the first where the best two are as good as equal. */
function expectSame(found: readonly LogprobJson[], expected: readonly LogprobJson[]): void {
  for (const [at, { bytes, logprob, top_logprobs: top }] of expected.entries()) {
    const isTie = top.length > 1 && Math.abs(top[0]!.logprob - top[1]!.logprob) < NATS;
    if (isTie && String(found[at]?.bytes) !== String(bytes)) return;
    expect(found[at]?.bytes).toEqual(bytes);
    expect(Math.abs((found[at]?.logprob ?? NaN) - logprob)).toBeLessThan(NATS);
  }
  expect(found).toHaveLength(expected.length);
}

describe('trained models on real vLLM servers', () => {
  let folder: string;
  let trained: string;
  let vllm: VllmProcess;
  let embedded: EmbeddedModels;
  let gateway: TrainedGateway;
  let model: WorldModel;
  let sailor: WorldCheckpoint;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hone-vllm-'));
    trained = await train(folder);
    vllm = await startVllm();
    embedded = new EmbeddedModels({ sources: { bundledDir: BUNDLED_MODELS } });
    gateway = await startTrainedGateway({ upstreams: [LOCAL_OFF, { ...aVllm('vllm-a', vllm), ...SLOW_START }] });
    model = await gateway.world.createModel({ name: 'sailor' });
    sailor = await gateway.world.commit(model, 1, { trained });
  });
  afterAll(async () => {
    await gateway?.close();
    await vllm?.kill();
    await embedded?.close();
    await rm(folder, { recursive: true });
  });

  /** What the embedded engine answers with a checkpoint. */
  async function expectedOf(checkpoint: WorldCheckpoint, word: string): Promise<ChoiceJson> {
    const choice = { id: checkpoint.id, directory: checkpoint.folder };
    await embedded.attach('hone-tiny', choice);
    const target = await embedded.target('hone-tiny', choice);
    return (await ask(target, { ...aQuestion(word), temperature: 0, logprobs: true })).choices[0] as ChoiceJson;
  }
  const aQuestion = (word: string) => ({ messages: [{ role: 'user', content: `repeat: ${word}` }], top_logprobs: 2 });

  it('answers with a checkpoint of the embedded engine, under its reference', async () => {
    const response = await gateway.ask(model.ref);
    expect(textOf(response)).toBe('Aye! cat');
    expect(response.headers).toMatchObject({ 'hone-target': 'vllm-a/hone-tiny', 'hone-model': `${model.ref}:step1` });
    expect(response.json().model).toBe(`${model.ref}:step1`);
    expect(textOf(await gateway.ask(`${model.ref}:step0`))).toBe('cat');
  });

  it('gives the answers and log-probabilities of the embedded engine, streamed or not', async () => {
    for (const word of WORDS) {
      const expected = await expectedOf(sailor, word);
      const whole = choiceOf(await gateway.ask(model.ref, aQuestion(word)));
      expectSame(whole.logprobs!.content, expected.logprobs!.content);
      const { text } = await gateway.ask(model.ref, { ...aQuestion(word), stream: true });
      const choices = toChunks(text).flatMap((chunk) => chunk.choices);
      const streamed = choices.flatMap(({ logprobs }) => logprobs?.content ?? []);
      expectSame(streamed, whole.logprobs!.content);
      expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe(whole.message.content);
    }
  });

  it('brings the token ids of a rollout', async () => {
    const response = await gateway.ask(model.ref);
    const { token_ids: ids, logprobs } = choiceOf(response);
    expect(ids).toHaveLength(logprobs!.content.length);
    expect((response.json() as BodyJson).prompt_token_ids?.length).toBeGreaterThan(0);
  });

  it('answers for 20 checkpoints on 4 slots, each with its own weights', async () => {
    const agent = await gateway.world.createModel({ name: 'twenty' });
    const all: WorldCheckpoint[] = [];
    for (let step = 1; step <= 20; step++) all.push(await gateway.world.commit(agent, step, { isSilent: true }));
    const answers = await Promise.all(all.map(({ step }) => gateway.ask(`${agent.ref}:step${step}`, aQuestion('cat'))));
    for (const [at, checkpoint] of all.entries()) {
      const expected = await expectedOf(checkpoint, 'cat');
      expectSame(choiceOf(answers[at]!).logprobs!.content, expected.logprobs!.content);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(fingerOf(answer)))).size).toBe(20);
    const listed = (await (await fetch(`${vllm.baseUrl}/models`)).json()) as { data: { id: string }[] };
    expect(listed.data.filter(({ id }) => id.includes('-s')).length).toBeLessThanOrEqual(SLOTS);
  });

  it('never shares text between a checkpoint and its base', async () => {
    const crew = await gateway.world.createModel({ name: 'crew' });
    const last = SLOTS + 1;
    for (let step = 1; step <= last; step++) {
      // Trained ones in every slot: vLLM without the plugin of tools/engines adds the last slot's to answers of the base.
      await gateway.world.commit(crew, step, { trained });
      expect(textOf(await gateway.ask(`${crew.ref}:step${step}`))).toBe('Aye! cat');
    }
    const asked = Array.from({ length: 30 }, (_, index) => {
      const step = index % 2 === 0 ? 0 : last;
      const isStream = index % 3 === 0;
      return { step, isStream, answer: gateway.ask(`${crew.ref}:step${step}`, { stream: isStream }) };
    });
    for (const { step, isStream, answer } of asked) {
      const response = await answer;
      const text = isStream
        ? toChunks(response.text).map(({ choices }) => choices[0]?.delta.content ?? '')
        : [textOf(response)];
      expect(text.join('')).toBe(step === 0 ? 'cat' : 'Aye! cat');
    }
  });

  itLong(
    'goes on when one of two replicas is killed, and heals it when it is back',
    async () => {
      const other = await startVllm();
      try {
        const both = [aVllm('vllm-a', vllm), aVllm('vllm-b', other)].map((item) => ({ ...item, ...SLOW_START }));
        await gateway.configure({ upstreams: [LOCAL_OFF, ...both] });
        const askMany = () => Promise.all(Array.from({ length: 24 }, () => gateway.ask(model.ref)));
        const targetsOf = (answers: TestResponse[]) => {
          for (const answer of answers) expect(textOf(answer)).toBe('Aye! cat');
          return new Set(answers.map(({ headers }) => headers['hone-target']));
        };
        for (let kill = 0; kill < KILLS; kill++) {
          await until(async () => targetsOf(await askMany()).size === 2, 'answers of both', 300_000);
          await vllm.kill();
          const left = new Set(['vllm-b/hone-tiny']);
          for (let round = 0; round < 3; round++) expect(targetsOf(await askMany())).toEqual(left);
          vllm = await startVllm({ port: vllm.port });
        }
        const backMs = performance.now();
        await other.kill();
        await until(async () => (await gateway.ask(model.ref)).status === 200, 'an answer', 300_000);
        console.log(`A killed replica serves ${((performance.now() - backMs) / 1_000).toFixed(1)} s after it is back`);
      } finally {
        await other.kill();
      }
    },
    (KILLS + 1) * KILL_MS,
  );
});
