import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { useTempFolder } from '../temp-folder.fixture.js';
import type { LlamaConfig } from './llama-config.js';
import { readLlamaConfig } from './read-config.js';
import { countParameters } from './tensor-shapes.js';

const folder = useTempFolder();

const PLAIN = {
  architectures: ['LlamaForCausalLM'],
  vocab_size: 512,
  hidden_size: 64,
  intermediate_size: 128,
  num_hidden_layers: 3,
  num_attention_heads: 4,
};

const QWEN3 = { architectures: ['Qwen3ForCausalLM'], head_dim: 16, num_key_value_heads: 4, eos_token_id: 2 };
const GEMMA3 = { architectures: ['Gemma3ForCausalLM'], max_position_embeddings: 1024, sliding_window: 512 };
const STRETCHED = { full_attention: { rope_theta: 7 }, sliding_attention: { rope_type: 'yarn' } };

async function read(fields: Record<string, unknown>, generation?: unknown, maxParams?: number): Promise<LlamaConfig> {
  await writeFile(join(folder(), 'config.json'), JSON.stringify({ ...PLAIN, ...fields }));
  if (generation) await writeFile(join(folder(), 'generation_config.json'), JSON.stringify(generation));
  return readLlamaConfig(folder(), maxParams);
}

describe('readLlamaConfig', () => {
  it("fills in transformers' defaults", async () => {
    expect(await read({})).toEqual({
      vocabSize: 512,
      hiddenSize: 64,
      intermediateSize: 128,
      numLayers: 3,
      numHeads: 4,
      numKvHeads: 4,
      headDim: 16,
      ropeTheta: 10_000,
      ropeScaling: null,
      rmsNormEps: 1e-6,
      tiedHead: false,
      maxPositions: 2048,
      bosTokenId: 1,
      eosTokenIds: [2],
    });
  });

  it('reads what differs from them', async () => {
    const fields = {
      num_key_value_heads: 2,
      head_dim: 32,
      rope_theta: 500_000,
      rms_norm_eps: 1e-5,
      tie_word_embeddings: true,
      max_position_embeddings: 4096,
      bos_token_id: null,
      eos_token_id: [3, 4],
    };
    expect(await read(fields)).toMatchObject({
      numKvHeads: 2,
      headDim: 32,
      ropeTheta: 500_000,
      rmsNormEps: 1e-5,
      tiedHead: true,
      maxPositions: 4096,
      bosTokenId: null,
      eosTokenIds: [3, 4],
    });
  });

  it('accepts model_type llama where no architecture is named', async () => {
    await expect(read({ architectures: undefined, model_type: 'llama' })).resolves.toBeDefined();
  });

  it('lets generation_config.json say what ends an answer', async () => {
    expect(await read({ eos_token_id: 2 }, { eos_token_id: [7, 2] })).toMatchObject({ eosTokenIds: [7, 2] });
  });

  it('keeps the eos token when generation_config.json has none', async () => {
    expect(await read({ eos_token_id: 5 }, { temperature: 0.6 })).toMatchObject({ eosTokenIds: [5] });
  });
});

describe('the rotary embedding', () => {
  const llama3 = {
    rope_type: 'llama3',
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 8192,
  };
  const ropeScaling = {
    type: 'llama3',
    factor: 8,
    lowFreqFactor: 1,
    highFreqFactor: 4,
    originalMaxPositions: 8192,
  };

  it.each([
    ['none', { rope_scaling: null }, null],
    ['default', { rope_scaling: { rope_type: 'default' } }, null],
    ['linear, with the old key', { rope_scaling: { type: 'linear', factor: 2 } }, { type: 'linear', factor: 2 }],
    ['llama3', { rope_scaling: llama3 }, ropeScaling],
    ['llama3 in rope_parameters', { rope_parameters: { rope_theta: 10_000, ...llama3 } }, ropeScaling],
  ])('is read with scaling %s', async (_, fields, expected) => {
    expect((await read(fields)).ropeScaling).toEqual(expected);
  });

  it('has its base in rope_parameters, if they are there', async () => {
    expect((await read({ rope_parameters: { rope_type: 'default', rope_theta: 7 } })).ropeTheta).toBe(7);
  });

  it('of another scaling is refused by name', async () => {
    await expect(read({ rope_scaling: { rope_type: 'yarn', factor: 4 } })).rejects.toThrow(/"yarn" is not supported/);
  });
});

describe('layers that see a window', () => {
  const windows = async (fields: Record<string, unknown>) => {
    const { attention, window } = await read({ num_key_value_heads: 4, eos_token_id: 2, ...fields });
    return [window, attention?.map(({ isWindowed }) => isWindowed)];
  };
  const mistral = { architectures: ['MistralForCausalLM'], max_position_embeddings: 8192 };
  const qwen2 = { architectures: ['Qwen2ForCausalLM'], use_sliding_window: true, sliding_window: 8 };

  it.each<[string, Record<string, unknown>, unknown]>([
    ['are those of Mistral, by default of 4096', mistral, [4096, [true, true, true]]],
    ['are none where the window is null', { ...mistral, sliding_window: null }, [undefined, undefined]],
    ['are none where it holds the context', { ...mistral, sliding_window: 8192 }, [undefined, undefined]],
    ['are the last ones of Qwen2', { ...qwen2, max_window_layers: 2 }, [8, [false, false, true]]],
    ['may be none of Qwen2', { ...qwen2, use_sliding_window: false }, [undefined, undefined]],
    [
      'may be listed',
      { ...qwen2, layer_types: ['sliding_attention', ...Array(2).fill('full_attention')] },
      [8, [true, false, false]],
    ],
    ['are five of six in Gemma 3', { ...GEMMA3, num_hidden_layers: 6 }, [512, [true, true, true, true, true, false]]],
    // They rotate in another way, so that they stay apart.
    ['stay in Gemma 3, however wide', { ...GEMMA3, sliding_window: 4096 }, [1024, [true, true, true]]],
    [
      'are every second one of Gemma 2',
      { architectures: ['Gemma2ForCausalLM'], sliding_window: 4 },
      [4, [true, false, true]],
    ],
  ])('%s', async (_, fields, expected) => {
    expect(await windows(fields)).toEqual(expected);
  });
});

describe('a configuration that is not supported', () => {
  it.each([
    [
      'another architecture',
      { architectures: ['GPT2LMHeadModel'] },
      /GPT2LMHeadModel.*expected one of LlamaForCausalLM/,
    ],
    ['a mixture of experts', { architectures: ['Qwen3MoeForCausalLM'] }, /Qwen3MoeForCausalLM.*Qwen3ForCausalLM/],
    ['a model that sees', { architectures: ['Gemma3ForConditionalGeneration'] }, /Gemma3ForConditionalGeneration/],
    ['another model type', { architectures: undefined, model_type: 'gpt2' }, /"gpt2"/],
    ['biases where the family has none', { ...QWEN3, mlp_bias: true }, /mlp_bias is true/],
    ['another activation of Gemma', { ...GEMMA3, hidden_activation: 'silu' }, /hidden_activation is "silu"/],
    ['a kind of layer', { ...GEMMA3, layer_types: Array(3).fill('mamba') }, /layer_types has "mamba"/],
    ['a stretched window', { ...GEMMA3, rope_parameters: STRETCHED }, /rope_type is "yarn"/],
    ['another activation', { hidden_act: 'gelu' }, /hidden_act is "gelu"/],
    ['quantized weights', { quantization_config: { bits: 4 } }, /quantization_config/],
    ['a rotary embedding of a part of the head', { partial_rotary_factor: 0.5 }, /partial_rotary_factor/],
    ['no end token', { eos_token_id: null }, /eos_token_id/],
  ])('is refused: %s', async (_, fields, message) => {
    const error = { code: 'engine.base_model_unsupported', message: expect.stringMatching(message) };
    await expect(read(fields)).rejects.toMatchObject(error);
  });
});

describe('a damaged configuration', () => {
  it.each([
    ['a missing field', { hidden_size: undefined }, /hidden_size is missing/],
    ['a size of zero', { vocab_size: 0 }, /vocab_size is 0/],
    ['a number as text', { hidden_size: '64' }, /hidden_size is "64"/],
    ['heads that do not divide the width', { num_attention_heads: 5 }, /head_dim is 12.8/],
    ['an odd head', { head_dim: 3 }, /head_dim is 3/],
    ['key/value heads that do not divide the heads', { num_key_value_heads: 3 }, /4 attention heads cannot share 3/],
    ['an end token outside of the vocabulary', { eos_token_id: 512 }, /token 512 is outside/],
    ['an end token that is no id', { eos_token_id: ['</s>'] }, /eos_token_id/],
    ['a scaling without its factor', { rope_scaling: { type: 'linear' } }, /factor is missing/],
    ['too few kinds of layers', { ...GEMMA3, layer_types: ['full_attention'] }, /layer_types is no list of 3 kinds/],
    [
      'positions that are neither',
      { architectures: ['SmolLM3ForCausalLM'], bos_token_id: 1, eos_token_id: 2, no_rope_layers: [1, 2, 1] },
      /no_rope_layers is no list of 3 numbers/,
    ],
  ])('names its file and field: %s', async (_, fields, message) => {
    const error = { code: 'engine.base_model_damaged', message: expect.stringMatching(message) };
    await expect(read(fields)).rejects.toMatchObject(error);
  });

  it('is named when it is missing', async () => {
    await expect(readLlamaConfig(folder())).rejects.toThrow(/config\.json: the file is missing/);
  });

  it('is named when it is no JSON', async () => {
    await writeFile(join(folder(), 'config.json'), '{');
    await expect(readLlamaConfig(folder())).rejects.toThrow(/config\.json: it is not valid JSON/);
  });
});

describe('the size of a model', () => {
  it('is counted from the configuration', async () => {
    // Embedding and head, 3 x (4 attention matrices, 3 feed-forward matrices, 2 norms), last norm.
    const expected = 2 * 512 * 64 + 3 * (4 * 64 * 64 + 3 * 64 * 128 + 2 * 64) + 64;
    expect(countParameters(await read({}))).toBe(expected);
  });

  it('may be as large as allowed', async () => {
    await expect(read({}, undefined, 188_864)).resolves.toBeDefined();
  });

  it('is refused when it is larger', async () => {
    await expect(read({}, undefined, 188_863)).rejects.toMatchObject({
      code: 'engine.base_model_too_large',
      message: expect.stringMatching(/188864 parameters, allowed are 188863/),
    });
  });
});
