import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Built or not, the files are beside the source: the build copies none of them. */
const FILES = import.meta.dirname.replace(/([\\/]testing[\\/])dist([\\/])/, '$1src$2');

/** What Hugging Face's tokenizers and onnxruntime in Python give for the encoder: see make_expected.py. */
export interface ExpectedOfEncoder {
  readonly vocabSize: number;
  readonly embeddings: readonly { text: string; ids: number[]; mean: number[]; cls: number[] }[];
  readonly tokens: readonly { text: string; ids: number[] }[];
}

export const EXPECTED_FILE = join(FILES, 'expected.json');
/** Numbers of an embedding. */
export const TINY_DIMENSIONS = 24;
/** Tokens of the longest text. */
export const TINY_TOKENS = 40;

interface TinyEncoderOptions {
  /** Of `1_Pooling/config.json`. Default mean. */
  readonly pooling?: 'mean' | 'cls';
  /** More fields of `config.json`, or others. */
  readonly config?: object;
  /** Of `sentence_bert_config.json`. Absent: there is no such file. */
  readonly maxSeqLength?: number;
}

/** Writes a folder in the layout of Sentence Transformers, with a graph in ONNX: a BERT with random weights. */
export async function writeTinyEncoder(
  folder: string,
  { pooling = 'mean', config, maxSeqLength }: TinyEncoderOptions = {},
): Promise<void> {
  const write = async (name: string, content: unknown) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(content));
  };
  await write('config.json', { ...CONFIG, ...config });
  await write('modules.json', MODULES);
  await write('1_Pooling/config.json', { ...NO_POOLING, [FLAGS[pooling]]: true });
  if (maxSeqLength !== undefined) await write('sentence_bert_config.json', { max_seq_length: maxSeqLength });
  await cp(join(FILES, 'tokenizer.json'), join(folder, 'tokenizer.json'));
  await cp(join(FILES, 'model.onnx'), join(folder, 'onnx/model.onnx'));
}

const CONFIG = {
  ...{ architectures: ['BertModel'], model_type: 'bert', hidden_size: TINY_DIMENSIONS, num_hidden_layers: 2 },
  ...{ num_attention_heads: 3, intermediate_size: 48, hidden_act: 'gelu', vocab_size: 169 },
  ...{ max_position_embeddings: TINY_TOKENS, type_vocab_size: 2, layer_norm_eps: 1e-12, pad_token_id: 0 },
};
const MODULES = ['Transformer', 'Pooling', 'Normalize'].map((name, idx) => ({
  ...{ idx, name: String(idx), path: idx === 0 ? '' : `${idx}_${name}`, type: `sentence_transformers.models.${name}` },
}));
const NO_POOLING = { word_embedding_dimension: TINY_DIMENSIONS, pooling_mode_max_tokens: false };
const FLAGS = { mean: 'pooling_mode_mean_tokens', cls: 'pooling_mode_cls_token' };
