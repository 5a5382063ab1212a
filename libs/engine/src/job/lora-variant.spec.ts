import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { someNumbers } from '../autodiff/gradient-check.fixture.js';
import { adaptedModules, importPeftAdapter, readCheckpoint, writeCheckpoint } from '../checkpoints/index.js';
import type { LoraAdapter } from '../checkpoints/lora-adapter.js';
import { cutToRank, filledUp, withOneScale } from '../checkpoints/ranked-modules.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import { SafetensorsFile } from '../model/weights/safetensors-reader.js';
import type { FloatTensor, Weights } from '../tensor.js';
import { OPTIMISER, TINY_DECODER, tinyRow, tinyWeights } from '../train/tiny-decoder.fixture.js';
import { PROJECTIONS, trainedLayout, type TrainedPart } from '../train/trained-parameters.js';
import { freshState, Trainer } from '../train/trainer.js';
import { loraPart } from './lora-part.js';
import { startFromBase, startFromCheckpoint, toCheckpoint } from './run-state.js';
import type { TrainingSpec } from './training-spec.js';

const folder = useTempFolder();
const RATE = 0.01;
const PATTERNS = {
  rankPattern: { down_proj: 3, 'layers.1.self_attn.q_proj': 1 },
  alphaPattern: { 'layers.0.mlp.up_proj': 9, v_proj: 1 },
};
/** What the patterns say, by hand. */
const rankOf = (path: string) => (path.endsWith('down_proj') ? 3 : path === 'model.layers.1.self_attn.q_proj' ? 1 : 2);
const alphaOf = (path: string) => (path === 'model.layers.0.mlp.up_proj' ? 9 : path.endsWith('v_proj') ? 1 : 4);
const scaleOf = (path: string, useRslora: boolean) =>
  alphaOf(path) / (useRslora ? Math.sqrt(rankOf(path)) : rankOf(path));

const MODULES = adaptedModules(TINY_DECODER, PROJECTIONS);
const partOf = (useRslora: boolean) =>
  loraPart(TINY_DECODER, { rank: 2, alpha: 4, targets: PROJECTIONS, useRslora, ...PATTERNS });

function anAdapter(useRslora: boolean): LoraAdapter {
  const { lora } = partOf(useRslora);
  const tensor = (shape: [number, number], seed: number): FloatTensor => ({
    shape,
    data: Float32Array.from(someNumbers(shape[0] * shape[1], seed), (value) => value * 0.3),
  });
  const stored = MODULES.flatMap(({ path, a, b, in: columns, out }, at): [string, FloatTensor][] => [
    [a, tensor([rankOf(path), columns], 2 * at)],
    [b, tensor([out, rankOf(path)], 2 * at + 1)],
  ]);
  const adapter = { baseModel: 'tiny', ...lora };
  return { ...adapter, tensors: filledUp(adapter, new Map(stored)) };
}

/** W + scale B A, as PEFT's documentation has it. */
function mergedByFormula(adapter: LoraAdapter, useRslora: boolean): Weights {
  const [merged, stored] = [new Map(tinyWeights()), cutToRank(adapter)];
  for (const { path, weight, a, b, in: columns } of MODULES) {
    const [matrixA, matrixB] = [stored.get(a)!.data, stored.get(b)!.data];
    const { shape, data } = merged.get(weight)!;
    const product = (row: number, column: number) => {
      let sum = 0;
      for (let k = 0; k < rankOf(path); k++) sum += matrixB[row * rankOf(path) + k]! * matrixA[k * columns + column]!;
      return sum * scaleOf(path, useRslora);
    };
    const added = data.map((value, at) => value + product(Math.floor(at / columns), at % columns));
    merged.set(weight, { shape, data: added });
  }
  return merged;
}

const trainers: Trainer[] = [];
afterEach(() => Promise.all(trainers.splice(0).map((trainer) => trainer.release())));

function aTrainer(part: TrainedPart, tensors: Weights): Trainer {
  const optimiser = { ...OPTIMISER, maxGradientNorm: 1e9, weightDecay: 0 };
  const settings = { config: TINY_DECODER, part, loss: { kind: 'sft' } as const, optimiser };
  const state = freshState(trainedLayout(TINY_DECODER, part).flatten(tensors));
  const trainer = new Trainer(settings, tinyWeights(), state, 1);
  trainers.push(trainer);
  return trainer;
}

const spec = (more: Partial<TrainingSpec> = {}) =>
  ({ kind: 'sft', base_model: 'tiny', seed: 1, lora_asked: null, ...more }) as TrainingSpec;

/** Largest difference, relative to the largest number. */
function expectClose(found: Float32Array, expected: Float32Array): void {
  const largest = (values: Float32Array) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  expect(found).toHaveLength(expected.length);
  expect(largest(found.map((value, at) => value - expected[at]!))).toBeLessThan(1e-5 * largest(expected));
}

describe.each([false, true])('an adapter with rank_pattern and alpha_pattern, use_rslora %s', (useRslora) => {
  it('computes what PEFT does: W + scale B A of each module', async () => {
    const adapter = anAdapter(useRslora);
    const merged = aTrainer({ kind: 'full' }, mergedByFormula(adapter, useRslora));
    const [found, expected] = [
      await aTrainer(partOf(useRslora), adapter.tensors).score(tinyRow()),
      await merged.score(tinyRow()),
    ];
    found.forEach(({ lp }, index) => expectClose(lp, expected[index]!.lp));
  });

  it('is trained at the scale of each module: the gradient of B is multiplied by it', async () => {
    const adapter = anAdapter(useRslora);
    const plain = withOneScale(adapter);
    const plainPart = { kind: 'lora', lora: plain } as const;
    const [own, one] = [aTrainer(partOf(useRslora), adapter.tensors), aTrainer(plainPart, plain.tensors)];
    await Promise.all([own.step(tinyRow(), RATE), one.step(tinyRow(), RATE)]);
    // After one step the first moment is the gradient, up to a factor.
    const gradients = ({ current }: Trainer, part: TrainedPart) =>
      trainedLayout(TINY_DECODER, part).unflatten(current.firstMoment);
    const [found, expected] = [gradients(own, partOf(useRslora)), gradients(one, plainPart)];
    for (const { path, a, b } of MODULES) {
      const factor = scaleOf(path, useRslora) / (plain.alpha / plain.rank);
      expectClose(found.get(a)!.data, expected.get(a)!.data);
      expectClose(
        found.get(b)!.data,
        expected.get(b)!.data.map((value) => value * factor),
      );
    }
  });

  it('keeps its options and ranks in the checkpoint that a job makes of an imported one, moments included', async () => {
    const state = { step: 0, optimizerSteps: 0, rng: null, config: null };
    const adapter = anAdapter(useRslora);
    const [source, imported, trained] = ['source', 'imported', 'trained'].map((name) => join(folder(), name)) as [
      string,
      string,
      string,
    ];
    await writeCheckpoint(source, { trained: { kind: 'lora', adapter }, optimizer: null, state }, folder());
    await importPeftAdapter(imported, { source, config: TINY_DECODER, baseModel: 'tiny' });
    const parts = await readCheckpoint(imported, TINY_DECODER);
    expect(parts.trained).toEqual({ kind: 'lora', adapter });

    const start = startFromCheckpoint(spec(), TINY_DECODER, parts, null);
    expect(start.part).toEqual(partOf(useRslora));
    const layout = trainedLayout(TINY_DECODER, start.part);
    const trainer = aTrainer(start.part, layout.unflatten(start.state.parameters));
    for (let step = 0; step < 3; step += 1) await trainer.step(tinyRow(), RATE);
    const after = toCheckpoint(spec(), TINY_DECODER, { part: start.part, state: trainer.current }, 3);
    await writeCheckpoint(trained, after, folder());
    // Numbers beyond a module's rank are not written: they have stayed zero.
    expect(await readCheckpoint(trained, TINY_DECODER)).toEqual(after);
    const file = await SafetensorsFile.open(join(trained, 'optimizer.safetensors'));
    const shapes = MODULES.flatMap(({ path, a, b, in: columns, out }) => [
      [`m.${a}`, [rankOf(path), columns]],
      [`v.${b}`, [out, rankOf(path)]],
    ]);
    for (const [name, shape] of shapes) expect(file.entries.get(name as string)?.shape).toEqual(shape);
    await file.close();
    const configOf = async (directory: string) =>
      JSON.parse(await readFile(`${directory}/adapter_config.json`, 'utf8'));
    expect(await configOf(trained)).toEqual(await configOf(source));
    expect(await configOf(trained)).toMatchObject({
      ...{ r: 2, lora_alpha: 4, use_rslora: useRslora },
      ...{ rank_pattern: PATTERNS.rankPattern, alpha_pattern: PATTERNS.alphaPattern },
    });
  });

  it('begins as the base when a job asks for it, with ranks of its own', () => {
    const lora = { r: 2, alpha: 4, target_modules: PROJECTIONS, use_rslora: useRslora };
    const patterns = { rank_pattern: PATTERNS.rankPattern, alpha_pattern: PATTERNS.alphaPattern };
    const start = startFromBase(spec({ lora: { ...lora, ...patterns } }), TINY_DECODER, new Map());
    expect(start.part).toEqual(partOf(useRslora));
    const tensors = trainedLayout(TINY_DECODER, start.part).unflatten(start.state.parameters);
    for (const { path, a, b, in: columns } of MODULES) {
      expect(tensors.get(a)!.data.findLastIndex((value) => value !== 0)).toBe(rankOf(path) * columns - 1);
      expect(tensors.get(b)!.data.every((value) => value === 0)).toBe(true);
    }
  });
});
