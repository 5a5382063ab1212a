import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type RandomLlama, writeRandomLlama } from '../model/random-llama.fixture.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import { writeDurably } from '../model/weights/durable-file.js';
import { SafetensorsFile } from '../model/weights/safetensors-reader.js';
import { encodeSafetensors, type RawTensor, writeSafetensors } from '../model/weights/safetensors-writer.js';
import type { FloatTensor } from '../tensor.js';
import { importPeftAdapter } from './import-adapter.js';
import type { LoraAdapter } from './lora-adapter.js';
import { PEFT_PREFIX } from './open-adapter.js';
import { readPeftAdapter } from './peft-adapter.js';
import { randomAdapter } from './random-adapter.fixture.js';
import { readCheckpoint } from './read-checkpoint.js';
import { writeCheckpoint } from './write-checkpoint.js';

const folder = useTempFolder();
const path = (name: string): string => join(folder(), name);
const A = 'model.layers.0.self_attn.q_proj.lora_A.weight';

let base: RandomLlama;

beforeEach(async () => {
  base = await writeRandomLlama(path('base'));
  await mkdir(path('source'));
});

type Naming = (name: string) => string;
const AS_PEFT: Naming = (name) => PEFT_PREFIX + name;
const AS_STATE_DICT: Naming = (name) => PEFT_PREFIX + name.replace(/\.weight$/, '.default.weight');

async function writeSource(adapter: LoraAdapter, fields: Record<string, unknown> = {}, naming = AS_PEFT) {
  const config = {
    ...{ peft_type: 'LORA', base_model_name_or_path: 'org/llama', r: adapter.rank, lora_alpha: adapter.alpha },
    ...{ target_modules: adapter.targets, bias: 'none', ...fields },
  };
  await writeFile(path('source/adapter_config.json'), JSON.stringify(config));
  const tensors = Array.from(adapter.tensors, ([name, tensor]) => [naming(name), tensor] as const);
  await writeSafetensors(path('source/adapter_model.safetensors'), new Map(tensors), { format: 'pt' });
}

const importTo = (name: string, maxBytes?: number) =>
  importPeftAdapter(path(name), { source: path('source'), config: base.config, baseModel: 'my-base', maxBytes });

describe('importPeftAdapter', () => {
  it('makes a checkpoint of another rank, scale and targets than ours, which a job starts from without moments', async () => {
    const adapter = randomAdapter(base.config, { rank: 3, alpha: 24, targets: ['q_proj', 'down_proj'] });
    await writeSource(adapter);
    const { sha256, ...imported } = await importTo('c');
    expect(imported).toMatchObject({ namedBase: 'org/llama', rank: 3, alpha: 24, targets: ['q_proj', 'down_proj'] });
    expect(await readCheckpoint(path('c'), base.config, { sha256 })).toEqual({
      trained: { kind: 'lora', adapter: { ...adapter, baseModel: 'my-base' } },
      optimizer: null,
      state: { step: 0, optimizerSteps: 0, rng: null, config: { kind: 'import' } },
    });
    const files = await readdir(path('c'));
    expect(files.sort()).toEqual(['adapter_config.json', 'adapter_model.safetensors', 'manifest.json', 'state.json']);
  });

  it('writes the bytes that a job writes for the same adapter', async () => {
    const adapter = { ...randomAdapter(base.config), baseModel: 'my-base' };
    await writeSource(adapter, { lora_dropout: 0.1, peft_version: '0.19.1' });
    await importTo('c');
    const state = { step: 1, optimizerSteps: 1, rng: null, config: null };
    await writeCheckpoint(path('d'), { trained: { kind: 'lora', adapter }, optimizer: null, state }, path('base'));
    for (const file of ['adapter_config.json', 'adapter_model.safetensors']) {
      expect(await readFile(path(`c/${file}`))).toEqual(await readFile(path(`d/${file}`)));
    }
  });

  it('writes the names that its regular expressions match: who reads it later has none to run', async () => {
    const targets = ['q_proj', 'v_proj'] as const;
    const patterns = { rank_pattern: { '[qv]_proj': 4 }, alpha_pattern: { 'layers.0.*v_proj': 3, q_proj: 5 } };
    await writeSource(randomAdapter(base.config, { targets }), { r: 2, ...patterns });
    const imported = await importTo('c');
    const path0 = 'model.layers.0.self_attn';
    const alphas = { [`${path0}.q_proj`]: 5, [`${path0}.v_proj`]: 3, 'model.layers.1.self_attn.q_proj': 5 };
    const written = JSON.parse(await readFile(path('c/adapter_config.json'), 'utf8'));
    expect(written.alpha_pattern).toEqual(alphas);
    expect(Object.keys(written.rank_pattern)).toEqual(
      [0, 1].flatMap((layer) => targets.map((target) => `model.layers.${layer}.self_attn.${target}`)),
    );
    expect(imported.variant).toEqual({
      useRslora: false,
      rankPattern: written.rank_pattern,
      alphaPattern: written.alpha_pattern,
    });
    const [read, source] = [
      await readPeftAdapter(path('c'), base.config),
      await readPeftAdapter(path('source'), base.config),
    ];
    expect(read.variant?.modules).toEqual(source.variant?.modules);
  });

  it('takes the names of a state dictionary, whose adapter is called default', async () => {
    const adapter = randomAdapter(base.config, { targets: ['v_proj'] });
    await writeSource(adapter, { target_modules: 'all-linear' }, AS_STATE_DICT);
    await importTo('c');
    const file = await SafetensorsFile.open(path('c/adapter_model.safetensors'));
    expect([...file.entries.keys()].sort()).toEqual([...adapter.tensors.keys()].map(AS_PEFT).sort());
    await file.close();
  });

  it('refuses a tensor that is there under two names', async () => {
    const adapter = randomAdapter(base.config, { targets: ['v_proj'] });
    const twice = new Map(
      [...adapter.tensors].flatMap(([name, tensor]) => [
        [name, tensor],
        [name.replace(/\.weight$/, '.default.weight'), tensor],
      ]) as [string, FloatTensor][],
    );
    await writeSource({ ...adapter, tensors: twice });
    await expect(importTo('c')).rejects.toMatchObject({
      code: 'engine.adapter_damaged',
      reason: expect.stringMatching(/lora_A.*weight is there under two names/),
    });
  });

  it('widens half precision', async () => {
    const adapter = randomAdapter(base.config, { rank: 1, targets: ['q_proj'] });
    await writeSource(adapter);
    const raw = Array.from(adapter.tensors, ([name, { shape, data }]): RawTensor => {
      const ones = new Uint8Array(Uint16Array.from(data, () => 0x3c00).buffer);
      return { name: AS_PEFT(name), dtype: 'F16', shape, bytes: ones };
    });
    await writeDurably(path('source/adapter_model.safetensors'), encodeSafetensors(raw));
    await importTo('c');
    const file = await SafetensorsFile.open(path('c/adapter_model.safetensors'));
    expect(file.entries.get(AS_PEFT(A))).toMatchObject({ dtype: 'F32' });
    expect((await file.read(AS_PEFT(A))).data.every((value) => value === 1)).toBe(true);
    await file.close();
  });

  const spoiled = (value: number, name = A) => {
    const adapter = randomAdapter(base.config);
    const tensor = adapter.tensors.get(name) as FloatTensor;
    return {
      ...adapter,
      tensors: new Map([...adapter.tensors, [name, { ...tensor, data: tensor.data.with(3, value) }]]),
    };
  };

  it.each([NaN, Infinity, -Infinity])('refuses %s', async (value) => {
    await writeSource(spoiled(value));
    const reason = `${AS_PEFT(A)} has a value that is not finite`;
    await expect(importTo('c')).rejects.toMatchObject({ code: 'engine.adapter_damaged', reason });
  });

  it('refuses finite values whose product no float32 can hold', async () => {
    const adapter = randomAdapter(base.config, { targets: ['q_proj'] });
    const tensors = new Map(
      Array.from(adapter.tensors, ([name, { shape, data }]) => [name, { shape, data: data.map(() => 1e18) }] as const),
    );
    await writeSource({ ...adapter, tensors }, { lora_alpha: 100 });
    const reason = expect.stringMatching(/q_proj\.lora_B\.weight has values that are too large/);
    await expect(importTo('c')).rejects.toMatchObject({ code: 'engine.adapter_damaged', reason });
  });

  it('refuses finite values that are infinite once they are multiplied by activations', async () => {
    await writeSource(spoiled(3e38), { lora_alpha: 1e-9 });
    const reason = `${AS_PEFT(A)} has values above 1e+25`;
    await expect(importTo('c')).rejects.toMatchObject({ code: 'engine.adapter_damaged', reason });
  });

  it.each([
    ['lora_alpha', { lora_alpha: 1e30 }, 'lora_alpha has 1e+30'],
    ['alpha_pattern', { alpha_pattern: { q_proj: 1, v_proj: 1_000_001 } }, 'alpha_pattern has 1000001'],
  ])('refuses a %s beyond 1,000,000', async (_field, fields, found) => {
    await writeSource(randomAdapter(base.config, { targets: ['q_proj', 'v_proj'] }), fields);
    const reason = expect.stringContaining(found);
    await expect(importTo('c')).rejects.toMatchObject({ reason });
  });

  it('refuses one large module that makes the others as large in memory, beyond what is free to take', async () => {
    const large = 'model.layers.0.self_attn.q_proj';
    const ranked = (rank: number) => {
      const [small, one] = [1, rank].map((own) => randomAdapter(base.config, { rank: own })) as [
        LoraAdapter,
        LoraAdapter,
      ];
      const own = [...one.tensors].filter(([name]) => name.startsWith(large));
      return writeSource(
        { ...small, tensors: new Map([...small.tensors, ...own]) },
        { rank_pattern: { [large]: rank } },
      );
    };
    await ranked(64);
    await expect(importTo('c')).rejects.toMatchObject({
      code: 'engine.adapter_unsupported',
      reason: expect.stringMatching(/^rank_pattern gives a module the rank 64, .* more than 8 times as much$/),
    });
    const floats = Array.from(randomAdapter(base.config, { rank: 64 }).tensors.values(), ({ data }) => data.byteLength);
    const bytes = floats.reduce((sum, size) => sum + size, 0);
    await expect(importTo('c', bytes - 1)).rejects.toThrow(`${bytes} bytes in place of`);
    await expect(importTo('d', bytes)).resolves.toMatchObject({ rank: 1 });
    await ranked(8);
    await expect(importTo('e')).resolves.toMatchObject({ rank: 1 });
  });

  it('serves an adapter whose own alpha is as good as nothing, and whose modules have other ones', async () => {
    const adapter = randomAdapter(base.config, { targets: ['q_proj', 'v_proj'] });
    await writeSource(adapter, { lora_alpha: 1e-50, alpha_pattern: { q_proj: 8, v_proj: 4 } });
    await importTo('c');
    const { trained } = await readCheckpoint(path('c'), base.config, { optimizer: false });
    const { alpha, rank, tensors } = (trained as Extract<typeof trained, { kind: 'lora' }>).adapter;
    expect(alpha / rank).toBe(2);
    for (const [name, { data }] of adapter.tensors) {
      const factor = name.endsWith('v_proj.lora_B.weight') ? 0.5 : 1;
      expect(tensors.get(name)?.data).toEqual(data.map((value) => value * factor));
    }
  });

  it('serves an adapter whose scales are all 0', async () => {
    await writeSource(randomAdapter(base.config, { targets: ['q_proj'] }), { alpha_pattern: { q_proj: 5e-324 } });
    await importTo('c');
    const { trained } = await readCheckpoint(path('c'), base.config, { optimizer: false });
    const { tensors } = (trained as Extract<typeof trained, { kind: 'lora' }>).adapter;
    const b = tensors.get('model.layers.0.self_attn.q_proj.lora_B.weight');
    expect(b?.data.every((value) => value === 0)).toBe(true);
  });

  it.each([{ lora_alpha: 1e300 }, { lora_alpha: 1e-50, alpha_pattern: { q_proj: 1e40 } }])(
    'calls a checkpoint damaged whose scale is infinite as a float32: %j',
    async (fields) => {
      await writeSource(randomAdapter(base.config, { targets: ['q_proj', 'v_proj'] }), fields);
      await expect(readPeftAdapter(path('source'), base.config)).rejects.toMatchObject({
        code: 'engine.adapter_damaged',
        reason: 'the scale of model.layers.0.self_attn.q_proj is larger than a float32 can be',
      });
    },
  );

  it.each([
    ['target_modules', { target_modules: ['q_proj'] }],
    ['target_modules', { target_modules: ['layers.0.self_attn.q_proj', 'v_proj'] }],
    ['target_modules', { target_modules: '.*\\.(k_proj|v_proj)' }],
    ['layers_to_transform', { layers_to_transform: [0] }],
    ['layers_to_transform', { layers_to_transform: 1 }],
    ['exclude_modules', { exclude_modules: ['v_proj'] }],
    ['exclude_modules', { exclude_modules: '.*v_proj' }],
  ])('refuses tensors that %s of its configuration does not name: %j', async (field, fields) => {
    await writeSource(randomAdapter(base.config, { targets: ['q_proj', 'v_proj'] }), fields);
    await expect(importTo('c')).rejects.toMatchObject({
      code: 'engine.adapter_damaged',
      reason: expect.stringMatching(new RegExp(`_proj\\.lora_A\\.weight is not named by ${field} of adapter_config`)),
    });
  });

  it.each([
    { target_modules: ['self_attn.q_proj', 'v_proj'] },
    { target_modules: '.*self_attn\\.(q|v)_proj' },
    { target_modules: null },
    { layers_to_transform: Array.from({ length: 8 }, (_, layer) => layer) },
    { exclude_modules: ['lm_head'] },
  ])('takes tensors that its configuration names: %j', async (fields) => {
    await writeSource(randomAdapter(base.config, { targets: ['q_proj', 'v_proj'] }), fields);
    expect(await importTo('c')).toMatchObject({ targets: ['q_proj', 'v_proj'] });
  });

  it.each([
    ['takes too long to be matched', '((([a-z_.0-9]+)+)+)+!'],
    ['is no regular expression', '(*'],
  ])('refuses a pattern that %s', async (reason, target_modules) => {
    await writeSource(randomAdapter(base.config), { target_modules });
    await expect(importTo('c')).rejects.toMatchObject({
      code: 'engine.adapter_unsupported',
      reason: `the pattern target_modules ${reason}`,
    });
  });

  it('refuses a file without tensors', async () => {
    await writeSource({ ...randomAdapter(base.config), targets: [], tensors: new Map() });
    await expect(importTo('c')).rejects.toMatchObject({ reason: 'it has no tensors' });
  });

  it.each([
    ['a start that changes the base', { init_lora_weights: 'pissa_niter_4' }, /init_lora_weights is "pissa_niter_4"/],
    ['tokens that switch it on', { alora_invocation_tokens: [1, 2] }, /alora_invocation_tokens is \[1,2\]/],
    ['rows of the embedding', { trainable_token_indices: { embed_tokens: [3] } }, /trainable_token_indices/],
    ['a list of any length', { modules_to_save: Array(10_000).fill('x') }, /^.{50,200}$/],
  ])('refuses %s', async (_what, fields, reason) => {
    await writeSource(randomAdapter(base.config), fields);
    const error = { code: 'engine.adapter_unsupported', reason: expect.stringMatching(reason) };
    await expect(importTo('c')).rejects.toMatchObject(error);
  });

  it.each(['[]', '{', '', '"x"'])('refuses the configuration %j', async (text) => {
    await writeSource(randomAdapter(base.config));
    await writeFile(path('source/adapter_config.json'), text);
    await expect(importTo('c')).rejects.toMatchObject({
      code: 'engine.adapter_damaged',
      reason: 'expected a JSON object',
    });
  });
});
