import '../runtime/onnxruntime.config.js';

import { availableParallelism } from 'node:os';

import type { Task } from '@hone/threads';

import { type ErrorMessage, toErrorMessage } from '../decode/error-message.js';
import { stateOfFolder } from '../model/index.js';
import { releaseNativeMemory } from '../runtime/release-native-memory.js';
import { ModelChangedError } from './embed.errors.js';
import type { EmbeddingInfo, EmbeddingModel } from './embedding-model.js';
import { type EmbeddingFormat, writtenEmbedding } from './written-embedding.js';

/** The content of a folder at one time. */
export interface EmbeddingChoice {
  readonly directory: string;
  /** Of `stateOfFolder`. */
  readonly state: string;
  readonly maxParams?: number | undefined;
}

/** Result of a task: errors lose their code between threads. */
export type Outcome<T> = { readonly value: T } | { readonly failed: ErrorMessage };

interface EncodeInput {
  readonly model: EmbeddingChoice;
  readonly texts: readonly string[];
}

interface EmbedInput {
  readonly model: EmbeddingChoice;
  /** Token ids of each text. */
  readonly rows: readonly (readonly number[])[];
  readonly dimensions?: number | undefined;
  readonly format: EmbeddingFormat;
}

const MAX_THREADS = 8;
/** The models of this thread, by folder. */
const models = new Map<string, { readonly state: string; readonly model: Promise<EmbeddingModel> }>();

/** Opens a model, if it is not open. */
export const OPEN: Task<EmbeddingChoice, Outcome<EmbeddingInfo>> = {
  ...{ module: import.meta.url, name: 'OPEN' },
  run: (choice) => outcome(async () => (await open(choice)).info),
};

/** Token ids of texts; null: a text has more tokens than the model reads. */
export const ENCODE: Task<EncodeInput, Outcome<(number[] | null)[]>> = {
  ...{ module: import.meta.url, name: 'ENCODE' },
  run: ({ model: choice, texts }) =>
    outcome(async () => {
      const model = await open(choice);
      return texts.map((text) => model.encode(text));
    }),
};

/** The JSON of each embedding. */
export const EMBED: Task<EmbedInput, Outcome<string[]>> = {
  ...{ module: import.meta.url, name: 'EMBED' },
  run: ({ model: choice, rows, dimensions, format }) =>
    outcome(async () => {
      const model = await open(choice);
      const embeddings = await model.embed(rows, dimensions);
      return embeddings.map((embedding) => writtenEmbedding(embedding, format));
    }),
};

/** Unloads the model of a folder. */
export const UNLOAD: Task<string, Outcome<null>> = {
  ...{ module: import.meta.url, name: 'UNLOAD' },
  run: (directory) =>
    outcome(async () => {
      await unload(directory);
      return null;
    }),
};

async function outcome<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { failed: toErrorMessage(error) };
  }
}

async function open({ directory, state, maxParams }: EmbeddingChoice): Promise<EmbeddingModel> {
  const known = models.get(directory);
  if (known?.state === state) return known.model;
  // A request whose embeddings came of two models would be of no use: the files are still those that it began with.
  const found = await stateOfFolder(directory).catch(() => null);
  if (found !== state) throw new ModelChangedError(directory);
  await unload(directory);
  const model = load(directory, maxParams);
  models.set(directory, { state, model });
  model.catch(() => models.delete(directory));
  return model;
}

/** Loads the runtime, too, which only this thread needs. */
async function load(directory: string, maxParams: number | undefined): Promise<EmbeddingModel> {
  const { EmbeddingModel } = await import('./embedding-model.js');
  return EmbeddingModel.open(directory, Math.min(availableParallelism(), MAX_THREADS), maxParams);
}

async function unload(directory: string): Promise<void> {
  const known = models.get(directory);
  models.delete(directory);
  if (known === undefined) return;
  await (await known.model).close();
  await releaseNativeMemory();
}
