import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { exportGguf } from '@hone/engine';

import { askedChild } from '../harness/asked-child.mjs';
import { baseModel, tempFolder } from './base-model.mjs';

const SCRIPT = fileURLToPath(new URL('llama-cpp/decode.mjs', import.meta.url));
export const LLAMA_CPP_PACKAGE = new URL('../node_modules/node-llama-cpp/package.json', import.meta.url);
export const NO_LLAMA_CPP = 'node-llama-cpp is not installed: `npm ci` in the folder bench does it';

/**
 * The base model in llama.cpp, in a process of its own.
 *
 * @param {number} threads
 * @param {string} [file] another model
 * @returns {Promise<{ decode: (prompts: number[][], newTokens: number) => Promise<{ ms: number, tokens: number }>, close: () => unknown } | null>}
 *   null: node-llama-cpp is not installed
 */
export async function openLlamaCpp(context, threads, file) {
  if (!existsSync(LLAMA_CPP_PACKAGE)) return null;
  const args = [SCRIPT, file ?? (await ggufFile(context)), String(threads)];
  const { ask, close } = askedChild(context, 'llama.cpp', process.execPath, args);
  return { decode: (prompts, newTokens) => ask({ prompts, newTokens }), close };
}

let exported;

function ggufFile(context) {
  exported ??= exportBase(context);
  return exported;
}

async function exportBase(context) {
  const model = await baseModel(context);
  const file = join(await tempFolder(context, 'gguf'), 'model.gguf');
  await exportGguf(model, await model.loadWeights(), file);
  return file;
}
