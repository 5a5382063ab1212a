import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { until } from '@hone/testing';
import { FakeVllm } from '@hone/testing/fakes';

import { MeteringService } from '../../metering/recording/metering.service.js';
import { toChunks } from '../../targets/embedded/embedded.fixture.js';
import { aVllm, errorOf, LOCAL_OFF, textOf, wordOf, wordsOf } from './adapters.fixture.js';
import { openStream } from './open-stream.fixture.js';
import {
  startTrainedGateway,
  type TrainedGateway,
  type WorldCheckpoint,
  type WorldModel,
} from './trained-world.fixture.js';

const NO_FAULTS = {
  words: 3,
  wordMs: 0,
  loadMs: 0,
  refusal: null,
  crashAfter: Infinity,
  isFixed: false,
  parent: null,
  isNameless: false,
};

describe('trained models on a vLLM server', () => {
  let fake: FakeVllm;
  let gateway: TrainedGateway;
  let model: WorldModel;
  let one: WorldCheckpoint;
  beforeAll(async () => {
    fake = await FakeVllm.start();
    gateway = await startTrainedGateway({ upstreams: [LOCAL_OFF, aVllm('vllm-a', fake)] });
    await gateway.app.listen(0, '127.0.0.1');
    model = await gateway.world.createModel({ name: 'agent' });
    one = await gateway.world.commit(model, 1);
  });
  afterAll(async () => {
    await gateway.close();
    await fake.kill();
  });
  afterEach(() => Object.assign(fake.faults, NO_FAULTS));

  /** A model with a checkpoint that no server has yet. */
  async function aModel(name: string): Promise<WorldModel & { word: string; checkpoint: WorldCheckpoint }> {
    const created = await gateway.world.createModel({ name });
    const checkpoint = await gateway.world.commit(created, 1, { seed: name.length + name.charCodeAt(0) });
    return { ...created, checkpoint, word: await wordOf(checkpoint) };
  }

  it('loads a checkpoint at its first request, and answers under its reference', async () => {
    const response = await gateway.ask(model.ref);
    expect(wordsOf(textOf(response))).toEqual([await wordOf(one)]);
    expect(response.json().model).toBe(`${model.ref}:step1`);
    expect(response.headers).toMatchObject({
      'hone-model': `${model.ref}:step1`,
      'hone-target': 'vllm-a/hone-tiny',
      'hone-checkpoint': one.id,
      'hone-policy-version': '1',
      'hone-attempts': '1',
    });
    expect(fake.loaded).toEqual([`${model.id}-s1`]);
    await gateway.ask(model.ref);
    expect(fake.count('load')).toBe(1);
  });

  it('streams under the reference, with usage', async () => {
    const response = await gateway.ask(model.ref, { stream: true, stream_options: { include_usage: true } });
    const models = toChunks(response.text).map((chunk) => (chunk as unknown as { model: string }).model);
    expect(new Set(models)).toEqual(new Set([`${model.ref}:step1`]));
    expect(response.text).toContain('"total_tokens":8');
    expect(response.text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(response.text).not.toContain(model.id);
  });

  it('answers for step 0 as the base model, under the reference', async () => {
    const response = await gateway.ask(`${model.ref}:step0`);
    expect(wordsOf(textOf(response))).toEqual(['base']);
    expect(response.json().model).toBe(`${model.ref}:step0`);
  });

  it('records usage under the step that answered', async () => {
    const rid = 'booked-adapter';
    await gateway.ask(model.ref, {}, { headers: { 'x-request-id': rid } });
    await gateway.app.get(MeteringService).flush();
    expect(await gateway.db.client.usageRecord.findMany({ where: { rid } })).toMatchObject([
      { modelAnswered: `${model.ref}:step1`, target: 'vllm-a/hone-tiny', checkpointId: one.id, completionTokens: 3 },
    ]);
  });

  it('loads a checkpoint again that the server has lost, unseen by the caller', async () => {
    await gateway.ask(model.ref);
    for (const stream of [false, true]) {
      fake.forget();
      const response = await gateway.ask(model.ref, { stream });
      expect(response.status).toBe(200);
      expect(response.text).toContain(await wordOf(one));
      expect(response.headers['hone-attempts']).toBe('1');
    }
  });

  it('loads once for all who wait, and goes on when one of them leaves', async () => {
    const agent = await aModel('awaited');
    fake.faults.loadMs = 300;
    const loads = fake.count('load');
    const leaving = new AbortController();
    const left = fetch(`${await gateway.app.getUrl()}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.writer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: agent.ref, messages: [{ role: 'user', content: 'x' }] }),
      signal: leaving.signal,
    }).catch(() => null);
    await until(() => fake.count('load') > loads);
    const asked = Array.from({ length: 5 }, () => gateway.ask(agent.ref));
    leaving.abort();
    await left;
    for (const response of await Promise.all(asked)) expect(wordsOf(textOf(response))).toEqual([agent.word]);
    expect(fake.count('load')).toBe(loads + 1);
  });

  it('uses an adapter that the server has already', async () => {
    const agent = await aModel('known');
    const { folder } = agent.checkpoint;
    const body = JSON.stringify({ lora_name: `${agent.id}-s1`, lora_path: folder });
    await fetch(`${fake.baseUrl}/load_lora_adapter`, { method: 'POST', body });
    expect(wordsOf(textOf(await gateway.ask(agent.ref)))).toEqual([agent.word]);
  });

  it('answers 502 with the server’s reason when it refuses an adapter, and does not ask again at once', async () => {
    const agent = await aModel('refused');
    fake.faults.refusal = 'LoRA rank 64 is greater than max_lora_rank 32.';
    for (let time = 0; time < 2; time++) {
      expect(errorOf(await gateway.ask(agent.ref))).toEqual({
        status: 502,
        code: 'adapter_not_loaded',
        message: 'LoRA rank 64 is greater than max_lora_rank 32.',
      });
    }
    expect(fake.count('load', `${agent.id}-s1`)).toBe(1);
    expect(textOf(await gateway.ask(model.ref))).not.toBe('');
  });

  it.each([
    ['has no routes for adapters', { isFixed: true }, /VLLM_ALLOW_RUNTIME_LORA_UPDATING/],
    ['loads it for another base', { parent: 'other' }, /another base/],
    ['answers under another name', { isNameless: true }, /adapter’s name/],
  ])('refuses to serve from a server that %s', async (what, faults, message) => {
    const agent = await aModel(what);
    Object.assign(fake.faults, faults);
    const error = errorOf(await gateway.ask(agent.ref));
    expect(error).toMatchObject({ status: 502, code: 'adapter_not_loaded', message: expect.stringMatching(message) });
    expect(fake.loaded).not.toContain(`${agent.id}-s1`);
  });

  it.each([
    ['a changed byte', (folder: string) => writeFile(join(folder, 'adapter_model.safetensors'), 'x')],
    ['another manifest', (folder: string) => writeFile(join(folder, 'manifest.json'), '{"files":[]}')],
    ['no folder', (folder: string) => rm(folder, { recursive: true })],
  ])('refuses a checkpoint with %s as damaged', async (what, damage) => {
    const agent = await aModel(`damaged-${what.replaceAll(' ', '-')}`);
    await damage(agent.checkpoint.folder);
    expect(errorOf(await gateway.ask(agent.ref))).toMatchObject({ status: 502, code: 'storage_corrupt' });
    expect(fake.count('load', `${agent.id}-s1`)).toBe(0);
  });

  it('ends a stream whose server crashes with an error, and answers once it is back', async () => {
    Object.assign(fake.faults, { words: 6, wordMs: 20, crashAfter: 3 });
    const broken = await gateway.ask(model.ref, { stream: true });
    expect(broken.text).toContain('"code":"stream_interrupted"');
    expect(broken.text).not.toContain('[DONE]');
    Object.assign(fake.faults, NO_FAULTS);
    await fake.kill();
    expect((await gateway.ask(model.ref)).status).toBeGreaterThanOrEqual(500);
    await fake.restart();
    const healed = await until(async () => {
      const response = await gateway.ask(model.ref);
      return response.status === 200 && response;
    });
    expect(wordsOf(textOf(healed))).toEqual([await wordOf(one)]);
  });

  it('never mixes the words of two adapters in a stream', async () => {
    const agent = await aModel('mixed');
    Object.assign(fake.faults, { words: 30, wordMs: 10 });
    const first = await openStream(gateway, agent.ref, {});
    expect(first.headers.get('hone-model')).toBe(`${agent.ref}:step1`);
    const two = await gateway.world.commit(agent, 2, { seed: 99 });
    await until(async () => (await gateway.ask(agent.ref)).headers['hone-policy-version'] === '2');
    const second = await openStream(gateway, agent.ref, {});
    fake.forget();
    const contents = async (stream: typeof first) =>
      toChunks(await stream.rest()).map(({ choices }) => choices[0]?.delta?.content ?? '');
    expect(wordsOf((await contents(first)).join(''))).toEqual([agent.word]);
    expect(wordsOf((await contents(second)).join(''))).toEqual([await wordOf(two)]);
  });

  it('loads the newest checkpoint of a model in use before it is requested', async () => {
    const agent = await aModel('eager');
    await gateway.ask(agent.ref);
    await gateway.world.commit(agent, 2);
    await until(() => fake.loaded.includes(`${agent.id}-s2`));
  });

  it('shows its adapters in the metrics', async () => {
    await gateway.ask(model.ref);
    const { text } = await gateway.as('').get('/metrics');
    expect(text).toMatch(/hone_gateway_adapters\{upstream="vllm-a",state="ready"\} [1-4]/);
    expect(text).toMatch(/hone_gateway_adapter_events_total\{upstream="vllm-a",event="loaded"\} \d/);
    expect(text).toMatch(/hone_gateway_adapter_events_total\{upstream="vllm-a",event="failed"\} \d/);
  });
});
