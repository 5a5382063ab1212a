import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isBlockMatrix } from '../../blocks/index.js';
import { exportGguf } from '../../gguf/write/index.js';
import { openBaseModel } from '../base-model.js';
import { writeRandomLlama } from '../random-llama.fixture.js';
import { useTempFolder } from '../temp-folder.fixture.js';
import { EmbeddingRows, locateEmbedding } from './embedding-rows.js';
import { GGUF_FILE } from './gguf-weights.js';
import { assertWeightsFit, loadStoredWeights, loadWeights } from './weights.js';

const folder = useTempFolder();

/** A model folder whose weights are in `model.gguf`. */
async function withGguf(tiedHead: boolean) {
  const { config, weights } = await writeRandomLlama(folder(), { config: { tiedHead } });
  const model = await openBaseModel(folder());
  await exportGguf(model, weights, join(folder(), GGUF_FILE));
  await rm(join(folder(), 'model.safetensors'));
  return { config, weights };
}

describe.each([true, false])('the weights of a folder with model.gguf (tied head: %s)', (tiedHead) => {
  it('are those of the model from which it was exported', async () => {
    const { config, weights } = await withGguf(tiedHead);
    await assertWeightsFit(folder(), config);
    expect(await loadWeights(folder(), config)).toEqual(weights);
    expect([...(await loadStoredWeights(folder(), config)).values()].some(isBlockMatrix)).toBe(false);
  });

  it('must have the sizes of the configuration', async () => {
    const { config } = await withGguf(tiedHead);
    const other = { ...config, intermediateSize: 32 };
    await expect(assertWeightsFit(folder(), other)).rejects.toThrow(/blk.0.ffn_gate.weight has the shape \[64, 32\]/);
    await expect(loadStoredWeights(folder(), other)).rejects.toThrow(/blk.0.ffn_gate.weight/);
    await expect(assertWeightsFit(folder(), { ...config, numLayers: 3 })).rejects.toThrow(
      /blk.2.attn_norm.weight is missing/,
    );
  });
});

describe('rows of the embedding', () => {
  it.each(['F32', 'F16', 'BF16'] as const)('are read from safetensors of %s', async (dtype) => {
    const { config, weights } = await writeRandomLlama(folder(), { dtype, shards: 3 });
    await expectRows(config, weights.get('model.embed_tokens.weight')!.data);
  });

  it('are read from model.gguf', async () => {
    const { config, weights } = await withGguf(true);
    await expectRows(config, weights.get('model.embed_tokens.weight')!.data);
  });

  async function expectRows(config: Parameters<typeof locateEmbedding>[1], embedding: Float32Array): Promise<void> {
    const rows = await EmbeddingRows.open(await locateEmbedding(folder(), config), config, 'auto');
    const row = (id: number): number[] => [...embedding.subarray(id * 32, (id + 1) * 32)];
    expect([...rows.rows([5, 0, 287, 5])]).toEqual([5, 0, 287, 5].flatMap(row));
    expect(() => rows.rows([288])).toThrow(RangeError);
    await rows.close();
  }
});
