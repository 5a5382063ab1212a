import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { exportGguf, openBaseModel } from '@hone/engine';

import { importGguf } from '../../../libs/engine/dist/gguf/import/index.js';
import { REPOSITORY } from '../../harness/paths.mjs';
import { tempFolder } from '../base-model.mjs';

const PROSE = ['docs/concepts/training-jobs.md', 'CONTRIBUTING.md'];
const MAX_PROSE_TOKENS = 1_000;

let opened;

/**
 * The model of `--model`, a GGUF file or a folder in the Hugging Face layout.
 *
 * @returns {Promise<{ base: object, directory: string, file: string }>} `file` is a GGUF of it, the same one where it came as one
 */
export function ownModel(context) {
  opened ??= open(context);
  return opened;
}

async function open(context) {
  const path = resolve(context.options.model);
  if (path.endsWith('.gguf')) {
    const directory = join(await tempFolder(context, 'own-model'), 'model');
    await importGguf(path, directory);
    return { base: await openBaseModel(directory), directory, file: path };
  }
  const base = await openBaseModel(path);
  const inFolder = join(path, 'model.gguf');
  if (existsSync(inFolder)) return { base, directory: path, file: inFolder };
  const file = join(await tempFolder(context, 'own-model'), 'model.gguf');
  await exportGguf(base, await base.loadWeights(), file);
  return { base, directory: path, file };
}

/** Questions that a chat model knows something about. */
export const QUESTIONS = `What is the capital of France?
Name three colours of the rainbow.
Write one sentence about the sea.
What is 12 plus 30?
Who wrote Hamlet?
How do I boil an egg?
Translate "good morning" into Spanish.
Why is the sky blue?
Give me a name for a black cat.
What do bees make?
List four fruits.
What is a prime number?
Tell me a short joke.
How many minutes are in two hours?
What is the opposite of cold?
Describe a forest in autumn.
What is the largest animal on earth?
Which language is spoken in Brazil?
Explain what a mirror does.
When do birds sing?`.split('\n');

/** Token ids of each question as a chat. */
export const questionIds = ({ chatTemplate }) =>
  QUESTIONS.map((content) => chatTemplate.encodeChat([{ role: 'user', content }], { addGenerationPrompt: true }));

/** Prose of this repository, long enough that rounding evens out. */
export async function proseIds({ tokenizer }) {
  const texts = await Promise.all(PROSE.map((page) => readFile(new URL(page, REPOSITORY), 'utf8')));
  return tokenizer.encode(texts.join('\n')).slice(0, MAX_PROSE_TOKENS);
}
