import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openBaseModel } from '../../model/base-model.js';
import { type RandomLlama, type RandomLlamaOptions, writeRandomLlama } from '../../model/random-llama.fixture.js';
import { useTempFolder } from '../../model/temp-folder.fixture.js';
import { byteLevelTokenizer, FIXTURE_CHAT_TEMPLATE } from '../../model/tokenizer/byte-level-tokenizer.fixture.js';
import { sentencePieceTokenizer } from '../../model/tokenizer/sentencepiece-tokenizer.fixture.js';
import { exportGguf } from './export-gguf.js';
import { type ReadGguf, readGguf } from './gguf-reader.fixture.js';

const folder = useTempFolder();
const path = (name: string): string => join(folder(), name);

/** A random model, and what an independent reader finds in its export. */
async function exported(
  options: RandomLlamaOptions = {},
  tokenizer: object = byteLevelTokenizer(),
): Promise<RandomLlama & { gguf: ReadGguf }> {
  const random = await writeRandomLlama(path('model'), options);
  await writeFile(path('model/tokenizer.json'), JSON.stringify(tokenizer));
  const model = await openBaseModel(path('model'));
  await exportGguf(model, await model.loadWeights(), path('model.gguf'));
  return { ...random, gguf: readGguf(await readFile(path('model.gguf'))) };
}

describe('the tensors of an exported model', () => {
  it('are all there, under their names in GGML, innermost dimension first, and aligned', async () => {
    const { gguf } = await exported({ config: { tiedHead: false, numLayers: 1, vocabSize: 300 } });
    expect(gguf.version).toBe(3);
    const dimensions = Object.fromEntries([...gguf.tensors].map(([name, tensor]) => [name, tensor.dimensions]));
    expect(dimensions).toEqual({
      'token_embd.weight': [32, 300],
      'blk.0.attn_norm.weight': [32],
      'blk.0.attn_q.weight': [32, 32],
      'blk.0.attn_k.weight': [32, 16],
      'blk.0.attn_v.weight': [32, 16],
      'blk.0.attn_output.weight': [32, 32],
      'blk.0.ffn_norm.weight': [32],
      'blk.0.ffn_gate.weight': [32, 64],
      'blk.0.ffn_up.weight': [32, 64],
      'blk.0.ffn_down.weight': [64, 32],
      'output_norm.weight': [32],
      'output.weight': [32, 300],
    });
    for (const { type, offset } of gguf.tensors.values()) expect([type, offset % 32]).toEqual([0, 0]);
  });

  it('have no head where the embedding is the head', async () => {
    expect((await exported()).gguf.tensors.has('output.weight')).toBe(false);
  });

  it.each([
    ['token_embd.weight', 'model.embed_tokens.weight'],
    ['output_norm.weight', 'model.norm.weight'],
    ['blk.1.attn_norm.weight', 'model.layers.1.input_layernorm.weight'],
    ['blk.1.ffn_norm.weight', 'model.layers.1.post_attention_layernorm.weight'],
    ['blk.1.attn_v.weight', 'model.layers.1.self_attn.v_proj.weight'],
    ['blk.1.attn_output.weight', 'model.layers.1.self_attn.o_proj.weight'],
    ['blk.1.ffn_gate.weight', 'model.layers.1.mlp.gate_proj.weight'],
    ['blk.1.ffn_up.weight', 'model.layers.1.mlp.up_proj.weight'],
    ['blk.1.ffn_down.weight', 'model.layers.1.mlp.down_proj.weight'],
  ])('are those of the model: %s', async (name, original) => {
    const { gguf, weights } = await exported();
    expect(gguf.tensors.get(name)!.data).toEqual(weights.get(original)!.data);
  });

  it('of queries and keys give the same attention where neighbours are turned together', async () => {
    const { gguf, weights, config } = await exported();
    const attention = (q: Float32Array, k: Float32Array, turn: Turn): number => {
      // Query head 3 uses key head 1: 4 heads over 2. Positions 7 and 2.
      const head = (w: Float32Array, index: number): number[] => {
        return Array.from({ length: 8 }, (_, row) => dot(w.subarray((index * 8 + row) * 32), INPUT));
      };
      return dot(turn(head(q, 3), 7, config.ropeTheta), turn(head(k, 1), 2, config.ropeTheta));
    };
    const layer = 'model.layers.1.self_attn';
    const [q, k] = ['q', 'k'].map((which) => weights.get(`${layer}.${which}_proj.weight`)!.data) as Pair;
    const [q2, k2] = ['q', 'k'].map((which) => gguf.tensors.get(`blk.1.attn_${which}.weight`)!.data) as Pair;
    expect(attention(q2, k2, turnNeighbours)).toBeCloseTo(attention(q, k, turnHalves), 4);
  });

  it('hold what llama 3 divides its rotary frequencies by', async () => {
    const ropeScaling = {
      type: 'llama3' as const,
      factor: 8,
      lowFreqFactor: 1,
      highFreqFactor: 4,
      originalMaxPositions: 64,
    };
    const { gguf } = await exported({ config: { ropeScaling } });
    // Wavelengths of a head of 8 with base 10,000: 6.3, 62.8, 628, 6283. 64 / 4 = 16 and 64 / 1 = 64 are the bounds.
    const smooth = (64 / (2 * Math.PI * 10) - 1) / 3;
    const expected = [1, 1 / ((1 - smooth) / 8 + smooth), 8, 8];
    const { data } = gguf.tensors.get('rope_freqs.weight')!;
    expected.forEach((divisor, index) => expect(data[index]).toBeCloseTo(divisor, 6));
    expect(data.length).toBe(4);
  });
});

describe('the metadata of an exported model', () => {
  it('describe the model', async () => {
    const { gguf } = await exported({ config: { ropeScaling: { type: 'linear', factor: 4 } } });
    const architecture = [...gguf.metadata].filter(([key]) => !key.startsWith('tokenizer.'));
    expect(Object.fromEntries(architecture)).toEqual({
      'general.architecture': 'llama',
      'general.name': 'model',
      'general.file_type': 0,
      'llama.context_length': 256,
      'llama.embedding_length': 32,
      'llama.block_count': 2,
      'llama.feed_forward_length': 64,
      'llama.attention.head_count': 4,
      'llama.attention.head_count_kv': 2,
      'llama.attention.key_length': 8,
      'llama.attention.value_length': 8,
      'llama.attention.layer_norm_rms_epsilon': Math.fround(1e-5),
      'llama.rope.dimension_count': 8,
      'llama.rope.freq_base': 10_000,
      'llama.vocab_size': 288,
      'llama.rope.scaling.type': 'linear',
      'llama.rope.scaling.factor': 4,
    });
  });

  it('hold the tokenizer and the chat template', async () => {
    const { gguf } = await exported();
    const { tokens, token_type, merges, ...rest } = Object.fromEntries(
      [...gguf.metadata]
        .filter(([key]) => key.startsWith('tokenizer.ggml.'))
        .map(([key, value]) => [key.slice(15), value]),
    ) as { tokens: string[]; token_type: number[]; merges: string[] };
    expect(rest).toEqual({ model: 'gpt2', pre: 'gpt-2', bos_token_id: 264, eos_token_id: 265, add_bos_token: false });
    expect([tokens[97], tokens[32], tokens[259], tokens[265], tokens[287]]).toEqual([
      'a',
      'Ġ',
      'hello',
      '<|end|>',
      '[PAD287]',
    ]);
    expect([token_type[97], token_type[265], token_type[287]]).toEqual([1, 3, 5]);
    expect([tokens.length, token_type.length]).toEqual([288, 288]);
    expect(merges.slice(0, 3)).toEqual(['h e', 'l l', 'he ll']);
    expect(gguf.metadata.get('tokenizer.chat_template')).toBe(FIXTURE_CHAT_TEMPLATE);
  });

  const split = (Regex: string): object => {
    const bytes = { type: 'ByteLevel', add_prefix_space: false, use_regex: false };
    return { type: 'Sequence', pretokenizers: [{ type: 'Split', pattern: { Regex }, behavior: 'Isolated' }, bytes] };
  };
  const words = (digits: string): string => {
    return `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;
  };
  const digitsFirst = {
    type: 'Sequence',
    pretokenizers: [
      { type: 'Digits', individual_digits: true },
      { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
    ],
  };

  it.each([
    ['smollm', digitsFirst],
    ['llama-bpe', split(words('\\p{N}{1,3}'))],
    ['qwen2', split(words('\\p{N}'))],
  ])('name the way of splitting words: %s', async (name, pre_tokenizer) => {
    const { gguf } = await exported({}, { ...byteLevelTokenizer(), pre_tokenizer });
    expect(gguf.metadata.get('tokenizer.ggml.pre')).toBe(name);
  });
});

describe('a model that GGUF cannot say', () => {
  const unsupported = (message: RegExp) => ({
    code: 'engine.gguf_unsupported',
    message: expect.stringMatching(message),
  });

  it('is refused for its way of splitting words', async () => {
    const pre_tokenizer = { type: 'ByteLevel', add_prefix_space: true, use_regex: true };
    const refused = exported({}, { ...byteLevelTokenizer(), pre_tokenizer });
    await expect(refused).rejects.toMatchObject(unsupported(/no name for its pre-tokenizer/));
  });

  it('is refused for a SentencePiece tokenizer', async () => {
    const refused = exported({ config: { vocabSize: 300 } }, sentencePieceTokenizer());
    await expect(refused).rejects.toMatchObject(unsupported(/its tokenizer is SentencePiece/));
  });
});

type Pair = [Float32Array, Float32Array];
type Turn = (head: number[], position: number, theta: number) => number[];

const INPUT = Array.from({ length: 32 }, (_, i) => Math.sin(i));

/** As transformers turns a head: row i with row i + half. */
const turnHalves: Turn = (head, position, theta) => {
  const half = head.length / 2;
  return head.map((value, row) => {
    const angle = position * theta ** (-(row % half) / half);
    const other = row < half ? -head[row + half]! : head[row - half]!;
    return value * Math.cos(angle) + other * Math.sin(angle);
  });
};

/** As llama.cpp turns a head of the llama architecture: row 2 i with row 2 i + 1. */
const turnNeighbours: Turn = (head, position, theta) => {
  return head.map((value, row) => {
    const angle = position * theta ** ((-2 * Math.floor(row / 2)) / head.length);
    const other = row % 2 === 0 ? -head[row + 1]! : head[row - 1]!;
    return value * Math.cos(angle) + other * Math.sin(angle);
  });
};

function dot(a: ArrayLike<number>, b: readonly number[]): number {
  return b.reduce((sum, value, i) => sum + value * a[i]!, 0);
}
