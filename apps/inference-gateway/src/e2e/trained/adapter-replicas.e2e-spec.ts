import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '@hone/testing';
import { FakeVllm } from '@hone/testing/fakes';

import { aVllm, errorOf, LOCAL_OFF, textOf, wordOf, wordsOf } from './adapters.fixture.js';
import { startTrainedGateway, type TrainedGateway, type WorldModel } from './trained-world.fixture.js';

describe('slots and replicas of vLLM servers', () => {
  const fakes: FakeVllm[] = [];
  let gateway: TrainedGateway;
  afterEach(async () => {
    await gateway.close();
    await Promise.all(fakes.splice(0).map((fake) => fake.kill().catch(() => undefined)));
  });

  const start = async (options: Parameters<typeof FakeVllm.start>[0] = {}) => {
    const fake = await FakeVllm.start(options);
    fakes.push(fake);
    return fake;
  };
  const models = async (count: number): Promise<(WorldModel & { word: string })[]> => {
    const made: (WorldModel & { word: string })[] = [];
    for (let index = 0; index < count; index++) {
      const model = await gateway.world.createModel({ name: `m-${index}` });
      made.push({ ...model, word: await wordOf(await gateway.world.commit(model, 1, { seed: index + 1 })) });
    }
    return made;
  };

  it('answers for 20 adapters on 4 slots, at once and in turn', async () => {
    const fake = await start();
    gateway = await startTrainedGateway({ upstreams: [LOCAL_OFF, aVllm('vllm-a', fake)] });
    fake.faults.wordMs = 5;
    const all = await models(20);
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(all.map(async ({ ref }) => textOf(await gateway.ask(ref))));
      expect(answers.map(wordsOf)).toEqual(all.map(({ word }) => [word]));
    }
    expect(fake.most).toBeLessThanOrEqual(4);
    expect(fake.count('unload')).toBeGreaterThanOrEqual(16);
  });

  it('lets waiting adapters in although those loaded are never idle', async () => {
    const fake = await start();
    gateway = await startTrainedGateway({ upstreams: [LOCAL_OFF, aVllm('vllm-a', fake, { max_loras: 1 })] });
    const [busy, late] = (await models(2)) as [WorldModel, WorldModel & { word: string }];
    Object.assign(fake.faults, { words: 10, wordMs: 30 });
    let isOver = false;
    const askOnAndOn = async () => {
      while (!isOver) textOf({ ...(await gateway.ask(busy.ref)) });
    };
    const busyCallers = [askOnAndOn(), askOnAndOn(), askOnAndOn()];
    await until(() => fake.requests.length > 3);
    const answer = await gateway.ask(late.ref);
    isOver = true;
    expect(wordsOf(textOf(answer))).toEqual([late.word]);
    await Promise.all(busyCallers);
  });

  it('makes room where the server has fewer slots than the file says', async () => {
    const fake = await start({ maxAdapters: 2 });
    gateway = await startTrainedGateway({ upstreams: [LOCAL_OFF, aVllm('vllm-a', fake)] });
    for (const { ref, word } of await models(4)) expect(wordsOf(textOf(await gateway.ask(ref)))).toEqual([word]);
  });

  it('gives the server the path as the server sees it', async () => {
    const shared = await mkdtemp(join(tmpdir(), 'hone-shared-'));
    const fake = await start({ mount: [shared, '/mnt/adapters'] });
    const lora = { folder: shared, adapter_path_map: { [shared]: '/mnt/adapters/' } };
    gateway = await startTrainedGateway({ upstreams: [LOCAL_OFF, aVllm('vllm-a', fake, lora)] });
    const [model] = (await models(1)) as [WorldModel & { word: string }];
    expect(wordsOf(textOf(await gateway.ask(model.ref)))).toEqual([model.word]);
    await rm(shared, { recursive: true });
  });

  it('says what to look at when the server does not see the folder', async () => {
    const fake = await start({ mount: ['/', '/elsewhere'] });
    gateway = await startTrainedGateway({ upstreams: [LOCAL_OFF, aVllm('vllm-a', fake)] });
    const [model] = (await models(1)) as [WorldModel & { word: string }];
    expect(errorOf(await gateway.ask(model.ref))).toMatchObject({
      status: 502,
      code: 'adapter_not_loaded',
      message: expect.stringContaining('adapter_path_map'),
    });
  });

  it('goes on with one replica while the other is down, and uses it again when it is back', async () => {
    const [a, b] = [await start(), await start()];
    gateway = await startTrainedGateway({ upstreams: [LOCAL_OFF, aVllm('vllm-a', a), aVllm('vllm-b', b)] });
    const [model] = (await models(1)) as [WorldModel & { word: string }];
    Object.assign(a.faults, { wordMs: 20 });
    Object.assign(b.faults, { wordMs: 20 });
    const ask = async () => {
      const response = await gateway.ask(model.ref, { stream: true });
      expect(response.text).toContain(model.word);
      expect(response.text).toContain('[DONE]');
      return String(response.headers['hone-target']);
    };
    const askMany = async (count: number) => new Set(await Promise.all(Array.from({ length: count }, ask)));
    // A second replica loads the adapter as soon as the first has enough to do.
    await until(async () => (await askMany(20)).size === 2);
    await a.kill();
    expect(await askMany(5)).toEqual(new Set(['vllm-b/hone-tiny']));
    await a.restart();
    await until(async () => (await askMany(20)).size === 2);
    expect(a.loaded).toEqual([`${model.id}-s1`]);
  });

  it('answers from the embedded engine under the same name when no server does', async () => {
    const fake = await start();
    gateway = await startTrainedGateway({
      upstreams: [{ name: 'local', kind: 'embedded' }, aVllm('vllm-a', fake)],
      routes: [
        {
          id: 'hone-tiny',
          targets: [
            { upstream: 'vllm-a', model: 'hone-tiny' },
            { upstream: 'local', model: 'hone-tiny', priority: 1 },
          ],
        },
      ],
    });
    const [model] = (await models(1)) as [WorldModel & { word: string }];
    expect((await gateway.ask(model.ref)).headers['hone-target']).toBe('vllm-a/hone-tiny');
    await fake.kill();
    const response = await gateway.ask(model.ref);
    expect(response.status).toBe(200);
    expect(response.headers['hone-target']).toBe('local/hone-tiny');
    expect(response.json().model).toBe(`${model.ref}:step1`);
  });

  it('keeps answers going while the file is changed', async () => {
    const fake = await start();
    gateway = await startTrainedGateway({ upstreams: [LOCAL_OFF, aVllm('vllm-a', fake)] });
    const [model] = (await models(1)) as [WorldModel & { word: string }];
    await gateway.ask(model.ref);
    await gateway.configure({ upstreams: [LOCAL_OFF, aVllm('vllm-b', fake, { max_loras: 2 })] });
    const response = await until(async () => {
      const asked = await gateway.ask(model.ref);
      return asked.headers['hone-target'] === 'vllm-b/hone-tiny' && asked;
    });
    expect(wordsOf(textOf(response))).toEqual([model.word]);
  });
});
