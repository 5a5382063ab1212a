import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openBaseModel } from '../model/base-model.js';
import { type RandomLlama, writeRandomLlama } from '../model/random-llama.fixture.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import type { Weights } from '../tensor.js';
import type { CheckpointParts } from './checkpoint.js';
import { encodeManifest } from './manifest.js';
import { randomAdapter } from './random-adapter.fixture.js';
import { readCheckpoint } from './read-checkpoint.js';
import { writeCheckpoint } from './write-checkpoint.js';

const folder = useTempFolder();
const path = (name: string): string => join(folder(), name);

let base: RandomLlama;

beforeEach(async () => {
  base = await writeRandomLlama(path('base'));
});

function loraParts(): CheckpointParts {
  const adapter = randomAdapter(base.config);
  const moments = {
    m: randomAdapter(base.config, { seed: 2 }).tensors,
    v: randomAdapter(base.config, { seed: 3 }).tensors,
  };
  const state = {
    step: 7,
    optimizerSteps: 12,
    rng: { words: ['18446744073709551615'] },
    config: { kind: 'rl', lr: 5e-6 },
  };
  return { trained: { kind: 'lora', adapter }, optimizer: moments, state };
}

function fullParts(): CheckpointParts {
  return { ...loraParts(), trained: { kind: 'full', weights: base.weights }, optimizer: null };
}

const write = (name: string, parts: CheckpointParts) => writeCheckpoint(path(name), parts, path('base'));

/** Changes one file of a checkpoint and updates the manifest's hash. */
async function forge(name: string, file: string, content: string | null): Promise<void> {
  const manifest = JSON.parse(await readFile(path(`${name}/manifest.json`), 'utf8'));
  const files = manifest.files.filter((entry: { path: string }) => entry.path !== file);
  if (content !== null) {
    await writeFile(path(`${name}/${file}`), content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    files.push({ path: file, bytes: Buffer.byteLength(content), sha256 });
  }
  await writeFile(path(`${name}/manifest.json`), encodeManifest(files));
}

describe('a checkpoint', () => {
  it('of an adapter comes back as it was written', async () => {
    await write('c', loraParts());
    expect(await readCheckpoint(path('c'), base.config)).toEqual(loraParts());
  });

  it('of all weights comes back as it was written', async () => {
    await write('c', fullParts());
    expect(await readCheckpoint(path('c'), base.config)).toEqual(fullParts());
  });

  it('of all weights is a model that can be opened by itself', async () => {
    await write('c', fullParts());
    const model = await openBaseModel(path('c'));
    expect(model.config).toEqual(base.config);
    expect(new Map(await model.loadWeights())).toEqual(base.weights);
  });

  it('of an adapter has the files of the PEFT layout, and those that a run goes on with', async () => {
    await write('c', loraParts());
    expect((await readdir(path('c'))).sort()).toEqual([
      'adapter_config.json',
      'adapter_model.safetensors',
      'manifest.json',
      'optimizer.safetensors',
      'state.json',
    ]);
    const config = JSON.parse(await readFile(path('c/adapter_config.json'), 'utf8'));
    expect(config).toMatchObject({
      peft_type: 'LORA',
      task_type: 'CAUSAL_LM',
      base_model_name_or_path: 'hone-tiny',
      r: 4,
      lora_alpha: 8,
      target_modules: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
    });
  });

  it('has the same bytes when it is written again', async () => {
    const first = await write('a', loraParts());
    const { trained, ...parts } = loraParts();
    if (trained.kind !== 'lora') throw new Error('An adapter was expected.');
    const reversed = new Map([...trained.adapter.tensors].reverse());
    const second = await write('b', {
      ...parts,
      trained: { kind: 'lora', adapter: { ...trained.adapter, tensors: reversed } },
    });
    expect(second).toEqual(first);
    for (const file of await readdir(path('a'))) {
      expect(await readFile(path(`b/${file}`))).toEqual(await readFile(path(`a/${file}`)));
    }
  });

  it('reports its size and the hash of its manifest', async () => {
    const { sha256, bytes } = await write('c', loraParts());
    const files = await Promise.all((await readdir(path('c'))).map((file) => readFile(path(`c/${file}`))));
    expect(bytes).toBe(files.reduce((sum, { length }) => sum + length, 0));
    const manifest = await readFile(path('c/manifest.json'));
    expect(createHash('sha256').update(manifest).digest('hex')).toBe(sha256);
  });

  it('is read without its moments for serving', async () => {
    await write('c', loraParts());
    const read = () => readCheckpoint(path('c'), base.config, { optimizer: false });
    expect((await read()).optimizer).toBeNull();
    await rm(path('c/optimizer.safetensors'));
    expect((await read()).trained.kind).toBe('lora');
    await writeFile(path('c/state.json'), '{}');
    await expect(read()).rejects.toMatchObject({ code: 'storage.corrupt', file: path('c/state.json') });
  });
});

describe('a corrupt checkpoint', () => {
  const corrupt = (file: string) => ({ code: 'storage.corrupt', file: path(`c/${file}`) });

  it.each(['adapter_config.json', 'adapter_model.safetensors', 'optimizer.safetensors', 'state.json'])(
    'is noticed by one byte of %s, or by its absence',
    async (file) => {
      await write('c', loraParts());
      const bytes = await readFile(path(`c/${file}`));
      bytes[Math.floor(bytes.length / 2)]! ^= 1;
      await writeFile(path(`c/${file}`), bytes);
      await expect(readCheckpoint(path('c'), base.config)).rejects.toMatchObject(corrupt(file));
      await rm(path(`c/${file}`));
      await expect(readCheckpoint(path('c'), base.config)).rejects.toMatchObject(corrupt(file));
    },
  );

  it.each([NaN, Infinity])('is one whose adapter or moments hold %s', async (bad) => {
    const spoil = (tensors: Weights): Weights => {
      const [name, tensor] = [...tensors].at(-1)!;
      return new Map([...tensors, [name, { ...tensor, data: tensor.data.with(-1, bad) }]]);
    };
    const { trained, optimizer, state } = loraParts();
    const { adapter } = trained as Extract<CheckpointParts['trained'], { kind: 'lora' }>;
    const finite = { kind: 'lora', adapter } as const;
    const reason = { code: 'storage.corrupt', message: expect.stringContaining('not finite') };
    await write('weights', {
      trained: { kind: 'lora', adapter: { ...adapter, tensors: spoil(adapter.tensors) } },
      optimizer,
      state,
    });
    await expect(readCheckpoint(path('weights'), base.config)).rejects.toMatchObject(reason);
    for (const which of ['m', 'v'] as const) {
      await write(which, { trained: finite, optimizer: { ...optimizer!, [which]: spoil(optimizer![which]) }, state });
      await expect(readCheckpoint(path(which), base.config)).rejects.toMatchObject(reason);
    }
    await write('full', { ...fullParts(), trained: { kind: 'full', weights: spoil(base.weights) } });
    await expect(readCheckpoint(path('full'), base.config)).rejects.toMatchObject(reason);
  });

  it('is one without a manifest', async () => {
    await write('c', loraParts());
    await rm(path('c/manifest.json'));
    await expect(readCheckpoint(path('c'), base.config)).rejects.toMatchObject(corrupt('manifest.json'));
  });

  it('is one with another manifest than was recorded', async () => {
    const { sha256 } = await write('c', loraParts());
    await expect(readCheckpoint(path('c'), base.config, { sha256 })).resolves.toBeDefined();
    await forge('c', 'extra.txt', 'x');
    await expect(readCheckpoint(path('c'), base.config, { sha256 })).rejects.toMatchObject(corrupt('manifest.json'));
  });

  it.each(['../base/config.json', '/etc/passwd', 'a/b', '.'])('does not lead to %s', async (file) => {
    await write('c', loraParts());
    await writeFile(path('c/manifest.json'), encodeManifest([{ path: file, bytes: 1, sha256: '0'.repeat(64) }]));
    await expect(readCheckpoint(path('c'), base.config)).rejects.toMatchObject(corrupt('manifest.json'));
  });

  it.each(['state.json', 'adapter_model.safetensors', 'adapter_config.json'])(
    'is one whose manifest does not list %s',
    async (file) => {
      await write('c', loraParts());
      await forge('c', file, null);
      await expect(readCheckpoint(path('c'), base.config)).rejects.toMatchObject(corrupt(file));
    },
  );

  it.each(['{}', '{"kind":"lora","step":-1,"optimizer_steps":0}', '{"kind":"x","step":1,"optimizer_steps":0}'])(
    'is one whose state is %s',
    async (content) => {
      await write('c', loraParts());
      await forge('c', 'state.json', content);
      await expect(readCheckpoint(path('c'), base.config)).rejects.toMatchObject(corrupt('state.json'));
    },
  );

  it('is one of another base model', async () => {
    await write('c', loraParts());
    await expect(readCheckpoint(path('c'), { ...base.config, numLayers: 3 })).rejects.toMatchObject({
      code: 'storage.corrupt',
      message: expect.stringMatching(/model\.layers\.2\..* is missing, expected shape/),
    });
  });
});
