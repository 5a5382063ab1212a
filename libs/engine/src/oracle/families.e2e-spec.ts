import { join } from 'node:path';

import { importGguf } from '../gguf/import/index.js';
import { exportGguf } from '../gguf/write/index.js';
import { openBaseModel } from '../model/index.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import type { Weights } from '../tensor.js';
import { expectedOf, FAMILIES, writeFamilyModel } from './family-model.fixture.js';
import { askLlamaCpp, HAS_LLAMA_CPP } from './llama-cpp.fixture.js';
import { decodedProbabilities } from './our-probabilities.fixture.js';

const llama3 = { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 };
/** Measured: 2e-7; of Gemma 3e-5, as llama.cpp rounds GELU to 16 bits. */
const TOLERANCE = 1e-4;
/** What llama.cpp cannot say otherwise: Gemma's scale of attention follows from the size of a head. */
const FIELDS: Readonly<Record<string, object>> = {
  llama: { rope_parameters: { ...llama3, rope_theta: 500_000, original_max_position_embeddings: 8192 } },
  gemma2: { query_pre_attn_scalar: 16 },
  gemma3: { query_pre_attn_scalar: 16 },
};

const folder = useTempFolder();
const described = HAS_LLAMA_CPP ? describe : describe.skip;

described.each(FAMILIES)('llama.cpp and a GGUF file of %s', (family) => {
  it('agree on probabilities, and the file is the same model when it is imported', async () => {
    const original = join(folder(), 'original');
    await writeFamilyModel(original, family, 'newer', { ...FIELDS[family] });
    const model = await openBaseModel(original);
    const weights = await model.loadWeights();
    const path = join(folder(), 'model.gguf');
    await exportGguf(model, weights, path);

    const { ids } = expectedOf(family);
    // llama.cpp has no windows but in Gemma: the file says that contexts are as short as the window.
    const isShort = model.config.window !== undefined && !family.startsWith('gemma');
    const prompts = (isShort ? [3, 5] : [3, 5, 6, ids.length]).map((length) => ids.slice(0, length));
    const { probabilities } = await askLlamaCpp(path, prompts, []);
    const ours = await decodedProbabilities(model.config, weights, prompts);
    const differences = probabilities.flatMap((row, at) => row.map((value, id) => Math.abs(value - ours[at]![id]!)));
    expect(Math.max(...differences)).toBeLessThan(TOLERANCE);

    await importGguf(path, join(folder(), 'imported'));
    const imported = await openBaseModel(join(folder(), 'imported'));
    // In the file numbers have the precision of float32.
    const { family: _, attention, window, ...others } = rounded(model.config);
    const kept = isShort ? others : { ...others, attention, window };
    const maxPositions = isShort ? window : model.config.maxPositions;
    expect(rounded(imported.config)).toMatchObject({ ...definedOf(kept), maxPositions });
    expect(distance(await imported.loadWeights(), weights)).toBeLessThan(1e-6);
  }, 60_000);
});

/** As JSON, with each number rounded to float32. */
function rounded(value: object): Record<string, unknown> {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? Math.fround(each) : each));
  return JSON.parse(text) as Record<string, unknown>;
}

const definedOf = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Largest difference of a number. */
function distance(found: Weights, expected: Weights): number {
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  const perTensor = Array.from(expected, ([name, { data }]) =>
    data.reduce((most, value, at) => Math.max(most, Math.abs(value - found.get(name)!.data[at]!)), 0),
  );
  return Math.max(...perTensor);
}
