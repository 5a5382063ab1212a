import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { findJsonFields, type JsonFields, readJsonFields, shownValue } from '../config/json-fields.js';
import { BaseModelDamagedError, BaseModelTooLargeError } from '../config/model.errors.js';
import { DEFAULT_MAX_PARAMS } from '../config/read-config.js';
import { findPooling, type Pooling } from './pooling-config.js';

/** Families of encoders with BERT's tokenizer, as transformers names them (`model_type`). Their graph says the rest. */
const FAMILIES = ['bert', 'distilbert', 'electra', 'mpnet'];
/** Where exporters write the graph, in the order in which it is looked for. */
export const GRAPHS = ['onnx/model.onnx', 'model.onnx'];
/** Attention takes the square of it in memory: 200 MB with twelve heads. */
const MAX_TOKENS = 2_048;
const FLOAT_BYTES = 4;

/** A folder with an encoder that makes embeddings, in the Hugging Face layout with a graph in ONNX. */
export interface EmbeddingFolder {
  readonly directory: string;
  /** Path of the graph. */
  readonly graph: string;
  /** Bytes of the graph, without those in files beside it. */
  readonly graphBytes: number;
  readonly pooling: Pooling;
  /** Whether the folder says how to pool. Otherwise the mean is taken, as Sentence Transformers does. */
  readonly declaresPooling: boolean;
  /** Numbers of an embedding. */
  readonly dimensions: number;
  /** How many numbers an embedding may be cut to; null: the model was not trained to be cut. */
  readonly shortened: Shortened | null;
  /** Of the longest text, special tokens included. */
  readonly maxTokens: number;
  /** Token ids are below it. */
  readonly vocabSize: number;
}

/** The lengths that an embedding may be cut to. */
export type Shortened = 'any' | readonly number[];

/** Whether the folder holds an encoder rather than a model that writes text. @throws BaseModelDamagedError */
export async function isEmbeddingFolder(directory: string): Promise<boolean> {
  const config = await readJsonFields(join(directory, 'config.json'));
  return FAMILIES.includes(String(config.get('model_type')));
}

/**
 * Reads what a folder says of its encoder. The graph itself is not opened.
 *
 * @param maxParams how many parameters the graph may have, by its size
 * @throws BaseModelDamagedError a file is missing or malformed
 * @throws BaseModelUnsupportedError it pools, or goes on, in a way that the engine does not know
 * @throws BaseModelTooLargeError
 */
export async function readEmbeddingFolder(
  directory: string,
  maxParams: number = DEFAULT_MAX_PARAMS,
): Promise<EmbeddingFolder> {
  const config = await readJsonFields(join(directory, 'config.json'));
  const { path: graph, bytes: graphBytes } = await findGraph(directory);
  const parameters = Math.floor(graphBytes / FLOAT_BYTES);
  if (parameters > maxParams) throw new BaseModelTooLargeError(graph, parameters, maxParams);
  const pooling = await findPooling(directory);
  const dimensions = config.size(config.has('dim') ? 'dim' : 'hidden_size');
  return {
    directory,
    graph,
    graphBytes,
    pooling: pooling ?? 'mean',
    declaresPooling: pooling !== null,
    dimensions,
    shortened: readShortened(config, dimensions),
    maxTokens: await readMaxTokens(directory, config),
    vocabSize: config.size('vocab_size'),
  };
}

async function findGraph(directory: string): Promise<{ path: string; bytes: number }> {
  for (const name of GRAPHS) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    if (found?.isFile()) return { path, bytes: found.size };
  }
  throw missingGraph(directory);
}

/** Says how to get the graph: many models have their weights in another format alone. */
export const missingGraph = (directory: string): BaseModelDamagedError =>
  new BaseModelDamagedError(
    join(directory, GRAPHS[0] as string),
    'the file is missing: embeddings are computed from the graph in ONNX. If the hub has none of this model, make it ' +
      'with `optimum-cli export onnx --model <folder or hub id> --task feature-extraction <new folder>`',
  );

/** The two fields of `config.json` by which vLLM, too, knows models that were trained to be cut (Matryoshka). */
function readShortened(config: JsonFields, dimensions: number): Shortened | null {
  const list = config.get('matryoshka_dimensions');
  if (list === null) return config.flag('is_matryoshka', false) ? 'any' : null;
  const isSize = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= dimensions;
  if (Array.isArray(list) && list.every(isSize)) return list as number[];
  const reason = `matryoshka_dimensions is ${shownValue(list)}, expected a list of sizes up to ${dimensions}`;
  throw new BaseModelDamagedError(config.file, reason);
}

/** The shorter of what the model can read and what it was made for. */
async function readMaxTokens(directory: string, config: JsonFields): Promise<number> {
  const own = await findJsonFields(join(directory, 'sentence_bert_config.json'));
  const positions = config.size('max_position_embeddings') - paddingOffset(config);
  const wanted = own?.has('max_seq_length') ? own.size('max_seq_length') : positions;
  return Math.min(wanted, positions, MAX_TOKENS);
}

/** MPNet counts positions from behind the id of padding. */
const paddingOffset = (config: JsonFields): number =>
  config.get('model_type') === 'mpnet' ? config.count('pad_token_id', 1) + 1 : 0;
