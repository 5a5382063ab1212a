import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BENCH = new URL('../../../../bench/', import.meta.url);
const SCRIPT = fileURLToPath(new URL('engine/llama-cpp/predict.mjs', BENCH));

/** Whether node-llama-cpp is there: `npm ci` in the folder `bench` installs it. */
export const HAS_LLAMA_CPP = existsSync(new URL('node_modules/node-llama-cpp/package.json', BENCH));

export interface LlamaCppAnswer {
  /** Per prompt: the probability of each token of the vocabulary to come next. */
  readonly probabilities: readonly (readonly number[])[];
  /** Per text: its token ids. */
  readonly ids: readonly (readonly number[])[];
}

/**
 * Asks llama.cpp, in a process of its own: its native code does not load inside of Jest.
 *
 * @param withControls markers of control tokens in the texts are these tokens
 */
export function askLlamaCpp(
  ggufFile: string,
  prompts: readonly (readonly number[])[],
  texts: readonly string[],
  withControls = false,
): Promise<LlamaCppAnswer> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [SCRIPT, ggufFile], { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(JSON.parse(stdout) as LlamaCppAnswer);
    });
    child.stdin?.end(JSON.stringify({ prompts, texts, withControls }));
  });
}
