import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { TrainState } from '../../train/trainer.js';

/** Progress of a run: the state of its optimiser and its inputs. */
interface SavedRun {
  /** Everything that decides the result; another text cannot go on from this state. */
  readonly recipe: string;
  readonly step: number;
  readonly state: TrainState;
}

/** Writes the run to `file` in one move: a killed process leaves the state before or the state after. */
export async function saveRun(file: string, { recipe, step, state }: SavedRun): Promise<void> {
  const head = Buffer.from(`${JSON.stringify({ recipe, step, updates: state.updates })}\n`);
  const vectors = [state.parameters, state.firstMoment, state.secondMoment];
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    `${file}.new`,
    Buffer.concat([head, ...vectors.map((data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength))]),
  );
  await rename(`${file}.new`, file);
}

/** The run saved in `file`, or null when there is none or it followed another recipe. */
export async function findRun(file: string, recipe: string): Promise<SavedRun | null> {
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null) return null;
  const headEnd = bytes.indexOf('\n');
  const head = JSON.parse(bytes.toString('utf8', 0, headEnd)) as { recipe: string; step: number; updates: number };
  if (head.recipe !== recipe) return null;
  // A copy: the vectors must start at a multiple of four bytes.
  const floats = new Float32Array(Uint8Array.from(bytes.subarray(headEnd + 1)).buffer);
  const size = floats.length / 3;
  const [parameters, firstMoment, secondMoment] = [0, 1, 2].map((at) => floats.slice(at * size, (at + 1) * size)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  return { recipe, step: head.step, state: { parameters, firstMoment, secondMoment, updates: head.updates } };
}

export const forgetRun = (file: string) => rm(file, { force: true });
