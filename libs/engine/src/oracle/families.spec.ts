import { join } from 'node:path';

import { toFloats } from '../blocks/index.js';
import { mergeAdapter } from '../checkpoints/merge-adapter.js';
import { CacheRows } from '../decode/cache/cache-rows.js';
import type { KeyValues } from '../decode/cache/key-values.js';
import { toDecoderTensors } from '../decode/graph/decoder-tensors.fixture.js';
import { LlamaDecoder } from '../decode/llama-decoder.js';
import { LlamaRunner } from '../decode/llama-runner.js';
import type { ModelRunner } from '../decode/model-runner.js';
import { packAdapter } from '../decode/packed/packed-adapter.js';
import { PackedDecoder } from '../decode/packed/packed-decoder.js';
import { writePackedFiles } from '../decode/packed/packed-files.js';
import { buildPackedGraph } from '../decode/packed/packed-graph.js';
import { rootMeanSquare, ROUNDED } from '../decode/packed/rounding.fixture.js';
import { locateEmbedding, openBaseModel, readLlamaConfig, weightsInForm } from '../model/index.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import { LayerwiseRunner } from '../train/layerwise/layerwise-runner.js';
import type { StepRunner } from '../train/step-runner.js';
import { OPTIMISER } from '../train/tiny-decoder.fixture.js';
import { freshState } from '../train/train-state.js';
import { trainedLayout, type TrainedPart } from '../train/trained-parameters.js';
import { WholeGraphRunner } from '../train/whole-graph-runner.js';
import { expectedOf, FAMILIES, type FamilyModel, writeFamilyModel } from './family-model.fixture.js';

const CONTEXT = 128;
/** Measured: 4e-6, with six digits in the files. */
const TOLERANCE = 2e-5;

const folder = useTempFolder();

describe.each(FAMILIES)('%s and transformers', (family) => {
  const { ids, positions, plain, adapted } = expectedOf(family);
  let model: FamilyModel;
  let close: () => Promise<void>;
  beforeEach(async () => {
    model = await writeFamilyModel(folder(), family);
  });

  async function open(kind: 'inputs' | 'packed', isAdapted: boolean): Promise<ModelRunner> {
    const { config, weights, adapter } = model;
    if (kind === 'inputs') {
      const decoder = await LlamaDecoder.open(config, CONTEXT, 1);
      close = () => decoder.close();
      return new LlamaRunner(
        decoder,
        toDecoderTensors(config, isAdapted ? mergeAdapter(weights, config, adapter) : weights),
      );
    }
    const { folder: files } = await writePackedFiles((onConstant) => buildPackedGraph(config, weights, onConstant));
    const embedding = await locateEmbedding(folder(), config);
    const options = { contextLength: CONTEXT, form: 'auto' as const, threads: 1 };
    const decoder = await PackedDecoder.open(config, { folder: files, embedding }, options);
    close = () => decoder.close();
    return decoder.runner(isAdapted ? packAdapter(config, structuredClone(adapter)) : null);
  }

  describe.each(['inputs', 'packed'] as const)('agree on decoding with weights that are %s', (kind) => {
    afterEach(() => close());

    it.each([false, true])('of a whole prompt, adapter %s', async (isAdapted) => {
      const runner = await open(kind, isAdapted);
      const { logProbabilities } = await runner.readPrompt([], ids, positions);
      expectClose(logProbabilities, (isAdapted ? adapted : plain).flat());
    });

    it('of a prompt in pieces, and of steps', async () => {
      const runner = await open(kind, false);
      const first = await runner.readPrompt([], ids.slice(0, 7), [4, 5]);
      expectClose(first.logProbabilities, plain.slice(1, 3).flat());
      const second = await runner.readPrompt([first.keyValues], ids.slice(7, 12), [4]);
      expectClose(second.logProbabilities, plain[3]!);
      expectClose(await step(runner, [first.keyValues, second.keyValues]), plain[4]!);
    });

    /** Reads all tokens after the pieces one by one, beside a shorter sequence; gives what follows the last one. */
    async function step(runner: ModelRunner, pieces: readonly KeyValues[]): Promise<Float32Array> {
      const cache = new CacheRows(model.config, 64);
      cache.minRows = runner.minRows;
      cache.add(pieces.slice(0, 1), 7);
      let row = cache.add(pieces, 12);
      let found = new Float32Array();
      for (let position = 12; position < ids.length; position += 1) {
        const short = position - 5;
        const rows = cache.count;
        const places = rows === 2 ? [short, position] : [position];
        const runners = places.map(() => runner);
        const step = await runner.step(
          runners,
          cache,
          places.map((at) => ids[at]!),
          places,
        );
        places.forEach((at, index) => cache.append(index, at, step.newRows));
        const { vocabSize } = model.config;
        found = step.logProbabilities.slice(row * vocabSize, (row + 1) * vocabSize);
        if (position === 18) {
          cache.remove(0);
          row = 0;
        }
      }
      return found;
    }
  });

  it.each(['int8', 'int4'] as const)('computes in %s what it computes with those numbers in float32', async (form) => {
    const { config } = model;
    const stored = weightsInForm(config, model.weights, form);
    const floats = new Map([...stored].map(([name, tensor]) => [name, toFloats(tensor)]));
    const plainDecoder = await LlamaDecoder.open(config, CONTEXT, 1);
    const expected = await plainDecoder.readPrompt(toDecoderTensors(config, floats), [], ids, positions);
    await plainDecoder.close();
    const { folder: files } = await writePackedFiles((onConstant) => buildPackedGraph(config, stored, onConstant));
    const embedding = await locateEmbedding(folder(), config);
    const options = { contextLength: CONTEXT, form, threads: 1 };
    const decoder = await PackedDecoder.open(config, { folder: files, embedding }, options);
    const { logProbabilities } = await decoder.runner(null).readPrompt([], ids, positions);
    await decoder.close();
    expect(rootMeanSquare(logProbabilities, expected.logProbabilities)).toBeLessThan(ROUNDED);
    // The numbers of the weights were rounded at all.
    expect(rootMeanSquare(logProbabilities, plain.flat())).toBeGreaterThan(1e-3);
  });

  it('agree on the passes of training', async () => {
    const { config, weights, adapter } = model;
    const settings = { config, loss: { kind: 'sft' }, optimiser: OPTIMISER } as const;
    const lora: TrainedPart = { kind: 'lora', lora: adapter };
    const plan = { maxTokens: 64, predictions: 4, vocabulary: 7, savedLayers: 1 };
    const flat = trainedLayout(config, lora).flatten(adapter.tensors);
    await expectScores(new WholeGraphRunner({ ...settings, part: lora }, weights, 1), flat, adapted);
    await expectScores(new LayerwiseRunner({ ...settings, part: lora }, weights, 1, plan), flat, adapted);
    const full: TrainedPart = { kind: 'full' };
    const all = trainedLayout(config, full).flatten(weights);
    await expectScores(new WholeGraphRunner({ ...settings, part: full }, weights, 1), all, plain);
  });

  async function expectScores(
    runner: StepRunner,
    parameters: Float32Array,
    expected: readonly (readonly number[])[],
  ): Promise<void> {
    const targets = Array.from({ length: 12 }, (_, index) => index * 23);
    const row = positions.flatMap((position) =>
      targets.map((id) => ({ ids: [...ids.slice(0, position + 1), id], trained: [position + 1], weight: [1] })),
    );
    const scores = await runner.score(parameters, row);
    await runner.release();
    const found = Float32Array.from(scores, ({ lp }) => lp[0]!);
    expectClose(
      found,
      expected.flatMap((likelihoods) => targets.map((id) => likelihoods[id]!)),
    );
  }

  it('give the same gradient layer by layer as in one graph', async () => {
    const { config, weights, adapter } = model;
    const part: TrainedPart = { kind: 'lora', lora: adapter };
    const settings = { config, part, loss: { kind: 'sft' }, optimiser: OPTIMISER } as const;
    const row = [
      { ids, trained: [3, 9, 22, 23], weight: [1, 0.5, 1, 2] },
      { ids: ids.slice(4, 16), trained: [11], weight: [1] },
    ];
    const state = freshState(trainedLayout(config, part).flatten(adapter.tensors));
    const plan = { maxTokens: 64, predictions: 4, vocabulary: 7, savedLayers: 1 };
    const runners = [new WholeGraphRunner(settings, weights, 1), new LayerwiseRunner(settings, weights, 1, plan)];
    const [whole, layerwise] = await Promise.all(runners.map((runner) => runner.step(state, row, 0.01)));
    await Promise.all(runners.map((runner) => runner.release()));
    // After one step the first moment is the gradient, up to a factor.
    const [one, other] = [whole!.state.firstMoment, layerwise!.state.firstMoment];
    expect(largest(one.map((value, at) => value - other[at]!))).toBeLessThan(1e-4 * largest(one));
    expect(largest(one)).toBeGreaterThan(0);
  });

  it('read the same model in the layouts of transformers 4 and 5', async () => {
    const older = await openBaseModel(folder());
    await writeFamilyModel(join(folder(), 'newer'), family, 'newer');
    const newer = await openBaseModel(join(folder(), 'newer'));
    expect(newer.config).toEqual(older.config);
    const chat = [{ role: 'user', content: 'hello' }];
    expect(newer.chatTemplate.encodeChat(chat)).toEqual(older.chatTemplate.encodeChat(chat));
    expect([...(await newer.loadWeights()).keys()].sort()).toEqual(expectedOf(family).tensors);
    expect(await readLlamaConfig(folder(), Infinity)).toEqual(older.config);
  });
});

function expectClose(found: Float32Array, expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  expect(largest(found.map((value, at) => value - expected[at]!))).toBeLessThan(TOLERANCE);
}

const largest = (numbers: Float32Array) => numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
