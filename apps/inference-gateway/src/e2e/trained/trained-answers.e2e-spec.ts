import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MeteringService } from '../../metering/recording/metering.service.js';
import type { BodyJson, ChunkJson } from '../../targets/embedded/embedded.fixture.js';
import { toChunks } from '../../targets/embedded/embedded.fixture.js';
import { fingerOf, startTrainedGateway, type TrainedGateway, type WorldModel } from './trained-world.fixture.js';

describe('a chat with a trained model', () => {
  let gateway: TrainedGateway;
  let model: WorldModel;
  let base: number[];
  beforeAll(async () => {
    gateway = await startTrainedGateway();
    model = await gateway.world.createModel({ name: 'agent' });
    base = fingerOf(await gateway.ask('hone-tiny'));
  });
  afterAll(() => gateway.close());

  it('answers as step 0, the base, before the first checkpoint', async () => {
    for (const suffix of ['', ':latest', ':step0']) {
      const response = await gateway.ask(model.ref + suffix);
      expect(fingerOf(response)).toEqual(base);
      expect(response.json().model).toBe(`${model.ref}:step0`);
      expect(response.headers).toMatchObject({ 'hone-policy-version': '0', 'hone-model': `${model.ref}:step0` });
      expect(response.headers).not.toHaveProperty('hone-checkpoint');
    }
  });

  it('answers with the newest checkpoint, a named one, and the base model as step 0', async () => {
    const agent = await gateway.world.createModel({ name: 'two-steps' });
    const [one, two] = [await gateway.world.commit(agent, 1), await gateway.world.commit(agent, 4)];
    const latest = await gateway.ask(agent.ref);
    expect(latest.headers).toMatchObject({
      'hone-checkpoint': two.id,
      'hone-policy-version': '4',
      'hone-model': `${agent.ref}:step4`,
      'hone-target': 'local/hone-tiny',
      'hone-attempts': '1',
    });
    expect(latest.json().model).toBe(`${agent.ref}:step4`);
    const first = await gateway.ask(`${agent.ref}:step1`);
    expect(first.headers).toMatchObject({ 'hone-checkpoint': one.id, 'hone-policy-version': '1' });
    const fingers = [base, fingerOf(first), fingerOf(latest)].map((finger) => JSON.stringify(finger));
    expect(new Set(fingers).size).toBe(3);
    expect(fingerOf(await gateway.ask(`${agent.ref}:latest`))).toEqual(fingerOf(latest));
    expect(fingerOf(await gateway.ask(`${agent.ref}:step0`))).toEqual(base);
    const prints = [first, latest, await gateway.ask('hone-tiny')].map(({ json }) => json().system_fingerprint);
    expect(new Set(prints).size).toBe(3);
  });

  it('reads any scheme of references, and writes its own', async () => {
    for (const ref of ['w-b+x-artifact:///acme/demo/agent', 'hone-artifact://acme/demo/agent:latest']) {
      expect((await gateway.ask(ref)).json().model).toBe(`${model.ref}:step0`);
    }
  });

  it.each([
    'hone-artifact:///acme/demo/nobody',
    'hone-artifact:///acme/other/agent',
    'hone-artifact:///acme/demo/agent:step1',
    'hone-artifact:///acme/demo/agent:step01',
    'hone-artifact:///acme/demo/agent:stepX',
    'hone-artifact:///acme/demo/agent:step-1',
    'hone-artifact:///acme/demo/agent:v1',
    'hone-artifact:///acme/demo/agent:step9999999999',
    'hone-artifact:///acme/demo/Agent',
    'hone-artifact:///acme/demo/%61gent',
    'hone-artifact:///acme%2fdemo/x/agent',
    'hone-artifact:///acme/../agent',
    'hone-artifact:///../demo/agent',
    `hone-artifact:///acme/demo/age'nt"; DROP TABLE trainable_models --`,
    'hone-artifact:///acme/demo/a\u0000gent',
    'hone-artifact:///acme/demo/agent\ud800',
    'hone-artifact:///acme/de\ud800mo/agent',
  ])('knows no %j', async (ref) => {
    const { status, json } = await gateway.ask(ref);
    expect({ status, code: json().error.code }).toEqual({ status: 404, code: 'model_not_found' });
  });

  it('refuses a name of 10 kB as too long', async () => {
    expect((await gateway.ask(`hone-artifact:///acme/demo/${'x'.repeat(10_000)}`)).status).toBe(422);
  });

  it('answers outsiders as if the model did not exist', async () => {
    const outsider = await gateway.user('olga');
    const bound = await gateway.user('berta', { roles: { acme: 'owner' }, onlyProject: 'acme/other' });
    for (const who of [outsider, bound]) {
      const post = async (name: string) => {
        const body = { model: `hone-artifact:///acme/demo/${name}`, messages: [{ role: 'user', content: 'x' }] };
        const { status, text } = await gateway.as(`Bearer ${who.key}`).post('/v1/chat/completions', body);
        return { status, text: text.replaceAll(name, '<name>') };
      };
      expect(await post('agent')).toEqual({ ...(await post('nobody')), status: 404 });
    }
  });

  it('answers readers, also new ones', async () => {
    const late = await gateway.user('lena');
    const ask = () =>
      gateway.as(`Bearer ${late.key}`).post('/v1/chat/completions', {
        model: model.ref,
        messages: [{ role: 'user', content: 'x' }],
        max_tokens: 1,
      });
    expect((await ask()).status).toBe(404);
    const [acme] = await gateway.sql<{ id: string }>(`SELECT id FROM entities WHERE name = 'acme'`);
    await gateway.db.client.membership.create({ data: { entityId: acme!.id, userId: late.id, role: 'reader' } });
    expect((await ask()).status).toBe(200);
  });

  it('answers 503 for a base model that no upstream serves', async () => {
    const { ref } = await gateway.world.createModel({ name: 'baseless', baseModel: 'huge/model' });
    const { status, headers, json } = await gateway.ask(ref);
    expect({ status, code: json().error.code, retry: headers['x-should-retry'] }).toEqual({
      status: 503,
      code: 'base_model_not_served',
      retry: 'false',
    });
  });

  it('returns the training data of a rollout with each choice, streamed or not', async () => {
    const agent = await gateway.world.createModel({ name: 'rollouts' });
    await gateway.world.commit(agent, 1);
    const fields = { n: 2, temperature: 1, seed: 7, max_tokens: 6 };
    const body = (await gateway.ask(agent.ref, fields)).json() as Rollout;
    expect(body.prompt_token_ids?.length).toBeGreaterThan(0);
    for (const choice of body.choices) {
      expect(choice.prompt_token_ids).toEqual(body.prompt_token_ids);
      expect(choice.token_ids).toHaveLength(choice.logprobs!.content.length);
    }
    const chunks = toChunks((await gateway.ask(agent.ref, { ...fields, stream: true })).text) as RolloutChunk[];
    for (const { index, token_ids: ids } of body.choices) {
      const parts = chunks.flatMap(({ choices }) => choices).filter((choice) => choice.index === index);
      expect(parts.flatMap(({ prompt_token_ids: prompt }) => prompt ?? [])).toEqual(body.prompt_token_ids);
      expect(parts.flatMap((part) => part.token_ids ?? [])).toEqual(ids);
    }
    const plain = (await gateway.ask(agent.ref, { logprobs: false })).json() as Rollout;
    expect(plain.choices[0]).not.toHaveProperty('token_ids');
    const ofBase = (await gateway.ask('hone-tiny', { return_token_ids: true })).json() as Rollout;
    expect(ofBase.choices[0]).not.toHaveProperty('prompt_token_ids');
  });

  it('records usage under the step that answered', async () => {
    const agent = await gateway.world.createModel({ name: 'booked' });
    const { id } = await gateway.world.commit(agent, 3);
    const rid = 'booked-answer';
    await gateway.ask(agent.ref, {}, { headers: { 'x-request-id': rid } });
    await gateway.app.get(MeteringService).flush();
    expect(await gateway.db.client.usageRecord.findMany({ where: { rid } })).toMatchObject([
      {
        modelAsked: agent.ref,
        modelAnswered: `${agent.ref}:step3`,
        target: 'local/hone-tiny',
        checkpointId: id,
        status: 'ok',
      },
    ]);
  });

  it.each([
    ['a changed byte', (folder: string) => writeFile(join(folder, 'adapter_model.safetensors'), 'x')],
    ['another manifest', (folder: string) => writeFile(join(folder, 'manifest.json'), '{"files":[]}')],
    ['no folder', (folder: string) => rm(folder, { recursive: true })],
  ])('says that a checkpoint is damaged, and never answers with other weights: %s', async (name, damage) => {
    const agent = await gateway.world.createModel({ name: `damaged by ${name}` });
    const { folder } = await gateway.world.commit(agent, 1, { isSilent: true });
    await damage(folder);
    for (const fields of [{}, { stream: true }]) {
      const { status, json, headers } = await gateway.ask(agent.ref, fields);
      expect({ status, code: json().error.code }).toEqual({ status: 502, code: 'storage_corrupt' });
      expect(headers['x-should-retry']).toBe('false');
      expect(json().detail).toContain(`${agent.ref}:step1`);
    }
    expect(fingerOf(await gateway.ask(`${agent.ref}:step0`))).toEqual(base);
  });
});

type Rollout = BodyJson & { choices: (BodyJson['choices'][number] & { prompt_token_ids?: number[] })[] };
type RolloutChunk = ChunkJson & { choices: (ChunkJson['choices'][number] & { prompt_token_ids?: number[] })[] };
