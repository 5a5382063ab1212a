import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openBaseModel, openRemoteModel } from '../base-model.js';
import { useTempFolder } from '../temp-folder.fixture.js';
import { type DecoderShape, readDecoderShape } from './decoder-shape.js';

const HONE_TINY = join(import.meta.dirname, '../../../../../models/hone-tiny');
const folder = useTempFolder();

const writeConfig = (fields: object): Promise<void> => writeFile(join(folder(), 'config.json'), JSON.stringify(fields));

async function read(fields: object): Promise<DecoderShape> {
  await writeConfig(fields);
  return readDecoderShape(folder());
}

/** The fields of published models that matter here, and some that do not. */
const QWEN3_8B = {
  architectures: ['Qwen3ForCausalLM'],
  attention_bias: false,
  head_dim: 128,
  hidden_size: 4096,
  intermediate_size: 12288,
  max_position_embeddings: 40960,
  model_type: 'qwen3',
  num_attention_heads: 32,
  num_hidden_layers: 36,
  num_key_value_heads: 8,
  rope_scaling: null,
  sliding_window: null,
  tie_word_embeddings: false,
  vocab_size: 151936,
};
const QWEN25_7B = {
  architectures: ['Qwen2ForCausalLM'],
  hidden_size: 3584,
  intermediate_size: 18944,
  max_position_embeddings: 32768,
  model_type: 'qwen2',
  num_attention_heads: 28,
  num_hidden_layers: 28,
  num_key_value_heads: 4,
  rope_scaling: { type: 'yarn', factor: 4, original_max_position_embeddings: 32768 },
  tie_word_embeddings: false,
  vocab_size: 152064,
};
const MISTRAL_7B = {
  architectures: ['MistralForCausalLM'],
  hidden_size: 4096,
  intermediate_size: 14336,
  max_position_embeddings: 32768,
  model_type: 'mistral',
  num_attention_heads: 32,
  num_hidden_layers: 32,
  num_key_value_heads: 8,
  sliding_window: 4096,
  vocab_size: 32768,
};

describe('the shape of a decoder that another engine computes', () => {
  it('has a head size of its own in Qwen3', async () => {
    expect(await read(QWEN3_8B)).toEqual({
      vocabSize: 151936,
      hiddenSize: 4096,
      intermediateSize: 12288,
      numLayers: 36,
      numHeads: 32,
      numKvHeads: 8,
      headDim: 128,
      tiedHead: false,
      maxPositions: 40960,
    });
    const { head_dim, num_key_value_heads, ...others } = QWEN3_8B;
    expect(await read({ ...others, hidden_size: 1024, num_attention_heads: 64 })).toMatchObject({
      headDim: head_dim,
      numKvHeads: num_key_value_heads * 4,
    });
  });

  it('is read of Qwen2 and Mistral, whatever their rope and windows', async () => {
    expect(await read(QWEN25_7B)).toMatchObject({ headDim: 128, numKvHeads: 4, maxPositions: 32768 });
    expect(await read(MISTRAL_7B)).toMatchObject({ headDim: 128, numKvHeads: 8, numLayers: 32 });
    const { architectures, ...named } = QWEN25_7B;
    expect(architectures).toEqual(['Qwen2ForCausalLM']);
    expect(await read(named)).toMatchObject({ hiddenSize: 3584 });
  });

  it.each([
    ['a mixture of experts', { ...QWEN3_8B, architectures: ['Qwen3MoeForCausalLM'] }, 'Qwen3MoeForCausalLM'],
    ['an unknown model type', { ...QWEN3_8B, architectures: null, model_type: 'gpt2' }, 'gpt2'],
    ['heads that cannot be shared', { ...QWEN3_8B, num_key_value_heads: 5 }, 'cannot share 5'],
    ['an odd head size', { ...QWEN3_8B, head_dim: 127 }, 'head_dim is 127'],
    ['no width', { ...QWEN3_8B, hidden_size: null }, 'hidden_size is missing'],
  ])('is refused with %s', async (_, fields, reason) => {
    await expect(read(fields)).rejects.toThrow(reason);
  });

  it('is enough for planning, with the tokenizer and without weights', async () => {
    for (const name of ['tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json', 'chat_template.jinja']) {
      await cp(join(HONE_TINY, name), join(folder(), name)).catch(() => undefined);
    }
    await writeConfig(QWEN3_8B);
    const model = await openRemoteModel(folder());
    const known = await openBaseModel(HONE_TINY);
    const messages = [{ role: 'user' as const, content: 'Say a.' }];
    expect(model.config.vocabSize).toBe(151936);
    expect(model.chatTemplate.encodeChat(messages, {})).toEqual(known.chatTemplate.encodeChat(messages, {}));
    await writeConfig({ ...QWEN3_8B, vocab_size: 100 });
    await expect(openRemoteModel(folder())).rejects.toThrow('config.json allows 100');
  });
});
