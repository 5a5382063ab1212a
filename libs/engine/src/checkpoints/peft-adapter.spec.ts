import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { LlamaConfig } from '../model/config/llama-config.js';
import { writeRandomLlama } from '../model/random-llama.fixture.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import { writeDurably } from '../model/weights/durable-file.js';
import { encodeSafetensors, type RawTensor, writeSafetensors } from '../model/weights/safetensors-writer.js';
import type { Weights } from '../tensor.js';
import type { LoraAdapter } from './lora-adapter.js';
import { mergeAdapter } from './merge-adapter.js';
import { PEFT_PREFIX } from './open-adapter.js';
import { readPeftAdapter } from './peft-adapter.js';
import { randomAdapter } from './random-adapter.fixture.js';
import { cutToRank, withOneScale } from './ranked-modules.js';

const folder = useTempFolder();
const A = 'model.layers.0.self_attn.q_proj.lora_A.weight';

let config: LlamaConfig;
let base: Weights;

beforeEach(async () => {
  ({ config, weights: base } = await writeRandomLlama(join(folder(), 'base')));
});

/** Writes an adapter as PEFT does, with a configuration of many keys, of which `changes` replaces some. */
async function writeForeign(adapter: LoraAdapter, changes: Record<string, unknown> = {}): Promise<void> {
  await writeFile(
    join(folder(), 'adapter_config.json'),
    JSON.stringify({
      alora_invocation_tokens: null,
      alpha_pattern: {},
      auto_mapping: null,
      base_model_name_or_path: '/home/x/llama',
      bias: 'none',
      corda_config: null,
      eva_config: null,
      inference_mode: true,
      init_lora_weights: true,
      loftq_config: {},
      lora_alpha: adapter.alpha,
      lora_bias: false,
      lora_dropout: 0.05,
      megatron_core: 'megatron.core',
      modules_to_save: null,
      peft_type: 'LORA',
      peft_version: '0.19.1',
      qalora_group_size: 16,
      r: adapter.rank,
      rank_pattern: {},
      target_modules: [...adapter.targets].reverse(),
      task_type: 'CAUSAL_LM',
      use_dora: false,
      use_rslora: false,
      ...changes,
    }),
  );
  const named = Array.from(adapter.tensors, ([name, tensor]) => [PEFT_PREFIX + name, tensor] as const);
  await writeSafetensors(join(folder(), 'adapter_model.safetensors'), new Map(named), { format: 'pt' });
}

/** The same adapter with some of its tensors taken away, replaced or added. */
function withTensors(adapter: LoraAdapter, changes: Record<string, number[] | null>): LoraAdapter {
  const tensors = new Map(adapter.tensors);
  for (const [name, shape] of Object.entries(changes)) {
    if (shape === null) tensors.delete(name);
    else tensors.set(name, { shape, data: new Float32Array(shape.reduce((a, b) => a * b, 1)) });
  }
  return { ...adapter, tensors };
}

describe('readPeftAdapter', () => {
  it('reads an adapter that another program wrote', async () => {
    const adapter = randomAdapter(config, { targets: ['q_proj', 'down_proj'] });
    await writeForeign(adapter);
    expect(await readPeftAdapter(folder(), config)).toEqual({ ...adapter, baseModel: '/home/x/llama' });
  });

  it('takes the projections from the tensors where the configuration has a pattern', async () => {
    const adapter = randomAdapter(config, { targets: ['q_proj', 'v_proj'] });
    await writeForeign(adapter, { target_modules: '.*self_attn.*(q_proj|v_proj)' });
    expect((await readPeftAdapter(folder(), config)).targets).toEqual(['q_proj', 'v_proj']);
  });

  it('reads half precision', async () => {
    const adapter = randomAdapter(config, { rank: 1, targets: ['q_proj'] });
    await writeForeign(adapter);
    const raw = Array.from(adapter.tensors, ([name, { shape, data }]): RawTensor => {
      const ones = new Uint8Array(Uint16Array.from(data, () => 0x3f80).buffer);
      return { name: PEFT_PREFIX + name, dtype: 'BF16', shape, bytes: ones };
    });
    await writeDurably(join(folder(), 'adapter_model.safetensors'), encodeSafetensors(raw));
    const { tensors } = await readPeftAdapter(folder(), config);
    expect(tensors.get(A)!.data.every((value) => value === 1)).toBe(true);
  });

  /** What PEFT computes: each module at its own rank and scale. */
  function mergedAsStored(adapter: LoraAdapter, scaleOf: (path: string, rank: number) => number): Weights {
    const merged = new Map(base);
    for (const [name, b] of adapter.tensors) {
      const path = /^(.*)\.lora_B\.weight$/.exec(name)?.[1];
      if (path === undefined) continue;
      const a = adapter.tensors.get(`${path}.lora_A.weight`)!;
      const [rank, columns] = a.shape as [number, number];
      const weight = base.get(`${path}.weight`)!;
      const data = Float32Array.from(weight.data, (value, at) => {
        const [row, column] = [Math.floor(at / columns), at % columns];
        let sum = 0;
        for (let k = 0; k < rank; k++) sum += b.data[row * rank + k]! * a.data[k * columns + column]!;
        return value + scaleOf(path, rank) * sum;
      });
      merged.set(`${path}.weight`, { shape: weight.shape, data });
    }
    return merged;
  }

  function expectSameEffect(read: LoraAdapter, expected: Weights): void {
    for (const [name, { data }] of mergeAdapter(base, config, read)) {
      const distances = data.map((value, at) => Math.abs(value - expected.get(name)!.data[at]!));
      expect([name, Math.max(...distances) < 1e-6]).toEqual([name, true]);
    }
  }

  it('takes rank-stabilised scaling', async () => {
    const adapter = randomAdapter(config);
    await writeForeign(adapter, { use_rslora: true });
    const read = await readPeftAdapter(folder(), config);
    expect(read).toMatchObject({ rank: 4, alpha: 8, variant: { useRslora: true } });
    expectSameEffect(
      read,
      mergedAsStored(adapter, (_path, rank) => adapter.alpha / Math.sqrt(rank)),
    );
  });

  it('reads modules of other ranks and scales, with the same effect at one of each', async () => {
    const [small, large] = [randomAdapter(config, { rank: 2 }), randomAdapter(config, { rank: 6, seed: 5 })];
    const tensors = new Map([...small.tensors, ...[...large.tensors].filter(([name]) => name.includes('down_proj'))]);
    const adapter = { ...small, tensors };
    const patterns = {
      rank_pattern: { down_proj: 6 },
      alpha_pattern: { 'layers.0.self_attn.q_proj': 5, '.*\\.mlp\\.(up|gate)_proj': 3 },
    };
    const alphaOf = (path: string) =>
      path.endsWith('layers.0.self_attn.q_proj') ? 5 : /(?:up|gate)_proj$/.test(path) ? 3 : small.alpha;
    for (const use_rslora of [false, true]) {
      await writeForeign(adapter, { ...patterns, use_rslora });
      const read = await readPeftAdapter(folder(), config);
      expect(read.rank).toBe(2);
      const expected = mergedAsStored(adapter, (path, rank) => alphaOf(path) / (use_rslora ? Math.sqrt(rank) : rank));
      expectSameEffect(read, expected);
      expect(cutToRank(read)).toEqual(adapter.tensors);
      const padded = read.tensors.get(A)!;
      expect(padded.shape).toEqual([6, config.hiddenSize]);
      expect(padded.data.subarray(2 * config.hiddenSize).every((value) => value === 0)).toBe(true);
      const served = withOneScale(read);
      expect([served.rank, served.variant]).toEqual([6, undefined]);
      expectSameEffect(served, expected);
    }
  });

  it('refuses ranks so far apart that filling up the smaller ones takes too much memory', async () => {
    await writeForeign(randomAdapter(config), { rank_pattern: { 'layers.0.self_attn.q_proj': 257 } });
    await expect(readPeftAdapter(folder(), config)).rejects.toMatchObject({
      code: 'engine.adapter_unsupported',
      message: expect.stringContaining('gives a module the rank 257'),
    });
  });

  it.each([
    ['rank_pattern', { rank_pattern: { q_proj: 0 } }],
    ['rank_pattern', { rank_pattern: { q_proj: 1.5 } }],
    ['alpha_pattern', { alpha_pattern: ['q_proj'] }],
  ])('refuses a %s that is not one: %j', async (field, fields) => {
    await writeForeign(randomAdapter(config), fields);
    await expect(readPeftAdapter(folder(), config)).rejects.toMatchObject({
      code: 'engine.adapter_damaged',
      message: expect.stringContaining(`${field} is `),
    });
  });

  it.each([
    ['weight decomposition', { use_dora: true }, /use_dora is true/],
    ['trained biases', { bias: 'all' }, /bias is "all"/],
    ['biases of the adapter', { lora_bias: true }, /lora_bias is true/],
    ['other modules trained as a whole', { modules_to_save: ['lm_head'] }, /modules_to_save is \["lm_head"\]/],
    ['another method', { peft_type: 'IA3' }, /peft_type is "IA3"/],
  ])('refuses by name: %s', async (_, changes, message) => {
    await writeForeign(randomAdapter(config), changes);
    const error = { code: 'engine.adapter_unsupported', message: expect.stringMatching(message) };
    await expect(readPeftAdapter(folder(), config)).rejects.toMatchObject(error);
  });

  it('refuses an adapter of something else than a projection', async () => {
    await writeForeign(withTensors(randomAdapter(config), { 'lm_head.lora_A.weight': [4, 32] }));
    await expect(readPeftAdapter(folder(), config)).rejects.toMatchObject({
      code: 'engine.adapter_unsupported',
      message: expect.stringContaining('base_model.model.lm_head.lora_A.weight does not adapt a projection'),
    });
  });

  it.each<[string, Record<string, number[] | null>, string]>([
    ['is missing', { [A]: null }, `${PEFT_PREFIX}${A} is missing, expected shape [4, 32]`],
    ['has another shape', { [A]: [4, 16] }, `${PEFT_PREFIX}${A} has the shape [4, 16], expected [4, 32]`],
    ['is of a layer too many', { [A.replace('0', '7')]: [4, 32] }, `the base model has no place for ${PEFT_PREFIX}`],
  ])('names a tensor that %s', async (_, changes, message) => {
    await writeForeign(withTensors(randomAdapter(config), changes));
    const error = { code: 'engine.adapter_damaged', message: expect.stringContaining(message) };
    await expect(readPeftAdapter(folder(), config)).rejects.toMatchObject(error);
  });

  it('misses the tensors of a listed projection', async () => {
    await writeForeign(randomAdapter(config, { targets: ['q_proj'] }), { target_modules: ['q_proj', 'k_proj'] });
    await expect(readPeftAdapter(folder(), config)).rejects.toThrow(/no tensors for k_proj/);
  });

  it.each(['adapter_config.json', 'adapter_model.safetensors'])('misses %s', async (file) => {
    await writeForeign(randomAdapter(config));
    await rm(join(folder(), file));
    await expect(readPeftAdapter(folder(), config)).rejects.toMatchObject({
      code: 'engine.adapter_damaged',
      message: expect.stringMatching(`${file}: the file is missing`),
    });
  });

  it('calls a cut file damaged', async () => {
    await writeForeign(randomAdapter(config));
    const path = join(folder(), 'adapter_model.safetensors');
    await writeFile(path, (await readFile(path)).subarray(0, -4));
    await expect(readPeftAdapter(folder(), config)).rejects.toMatchObject({ code: 'engine.adapter_damaged' });
  });

  it.each([{ r: 0 }, { r: 1.5 }, { r: null }, { lora_alpha: '16' }])('refuses %j', async (changes) => {
    await writeForeign(randomAdapter(config), changes);
    await expect(readPeftAdapter(folder(), config)).rejects.toThrow(/expected a number > 0/);
  });
});

describe('mergeAdapter', () => {
  it('adds B·A, scaled, to each adapted matrix', () => {
    const adapter = randomAdapter(config, { rank: 5, alpha: 20, targets: ['k_proj', 'down_proj'] });
    const merged = mergeAdapter(base, config, adapter);
    for (const path of ['model.layers.1.self_attn.k_proj', 'model.layers.0.mlp.down_proj']) {
      const w = base.get(`${path}.weight`)!;
      const a = adapter.tensors.get(`${path}.lora_A.weight`)!;
      const b = adapter.tensors.get(`${path}.lora_B.weight`)!;
      const columns = w.shape[1]!;
      const expected = Array.from(w.data, (value, at) => {
        const [row, column] = [Math.floor(at / columns), at % columns];
        const product = [0, 1, 2, 3, 4].reduce(
          (sum, k) => sum + b.data[row * 5 + k]! * a.data[k * columns + column]!,
          0,
        );
        return Math.fround(value + 4 * product);
      });
      const got = Array.from(merged.get(`${path}.weight`)!.data);
      expect(Math.max(...got.map((value, at) => Math.abs(value - expected[at]!)))).toBeLessThan(1e-6);
    }
  });

  it('shares the matrices that it does not change, and leaves the base model alone', () => {
    const before = base.get('model.layers.0.self_attn.q_proj.weight')!.data.slice();
    const merged = mergeAdapter(base, config, randomAdapter(config, { targets: ['q_proj'] }));
    const changed = [...base.keys()].filter((name) => merged.get(name) !== base.get(name));
    expect(changed).toEqual([0, 1].map((layer) => `model.layers.${layer}.self_attn.q_proj.weight`));
    expect(base.get('model.layers.0.self_attn.q_proj.weight')!.data).toEqual(before);
  });
});
