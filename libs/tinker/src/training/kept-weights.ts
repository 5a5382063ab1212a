import type { TinkerClient } from '../wire/tinker-client.js';

/** Kinds of weights that a server keeps of a model: with optimiser state, or an adapter alone. */
type WeightsKind = 'weights' | 'sampler_weights';

const PATH = /^tinker:\/\/([\w-]+)\/(weights|sampler_weights)\/([\w-]+)$/;

export const weightsPath = (modelId: string, kind: WeightsKind, name: string): string =>
  `tinker://${modelId}/${kind}/${name}`;

/**
 * Deletes weights that a server keeps. Those that it does not know are as good as deleted, and so is a path that is none
 * of its paths.
 *
 * @throws EngineUnreachableError, EngineFailedError
 */
export async function deleteWeights(client: TinkerClient, path: string, signal: AbortSignal): Promise<void> {
  const [, modelId, kind, name] = PATH.exec(path) ?? [];
  if (modelId === undefined || name === undefined) return;
  try {
    await client.deleteSaved(modelId, kind as WeightsKind, name, signal);
  } catch (error) {
    if ((error as { code?: string }).code !== 'engine.lost') throw error;
  }
}
