import { ArtifactFileError } from './data.errors.js';

const NAMES = ['train.jsonl', 'trajectories.jsonl'];

/**
 * The file of an artifact that holds the training data.
 *
 * @throws ArtifactFileError
 */
export function chooseDataFile<File extends { readonly path: string }>(files: readonly File[]): File {
  for (const name of NAMES) {
    const named = files.find(({ path }) => path === name);
    if (named) return named;
  }
  const [only, ...others] = files.filter(({ path }) => path.endsWith('.jsonl'));
  if (!only || others.length > 0) throw new ArtifactFileError(files.map(({ path }) => path));
  return only;
}
