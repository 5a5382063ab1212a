import { createInterface } from 'node:readline';

import { openModel } from './open-model.mjs';

/**
 * `node decode.mjs model.gguf <threads>`: decodes with llama.cpp as fast as node-llama-cpp lets it. In, per line as
 * JSON: `{ prompts: number[][], newTokens }`. Out, per line: `{ ms, tokens }` from the start until the last is there.
 */
/** Its threads wait for one another by spinning: where another process takes a core, two are many times slower than one. */
const LIMIT_MS = 10_000;
const CONTEXT_TOKENS = 256;

const model = await openModel(process.argv[2], Number(process.argv[3]));
let context;
let sequences = [];
for await (const line of createInterface({ input: process.stdin })) {
  const { prompts, newTokens } = JSON.parse(line);
  await provide(prompts.length);
  const begin = performance.now();
  const decoded = prompts.map((prompt, index) => decode(sequences[index], prompt, newTokens, begin + LIMIT_MS));
  const tokens = (await Promise.all(decoded)).reduce((sum, count) => sum + count, 0);
  process.stdout.write(`${JSON.stringify({ ms: performance.now() - begin, tokens })}\n`);
}
process.exit(0); // the native library keeps its threads

/** One context per number of sequences: the caches of idle ones would be read with the others. */
async function provide(count) {
  if (sequences.length !== count) {
    await context?.dispose();
    context = await model.createContext({
      sequences: count,
      contextSize: CONTEXT_TOKENS,
      threads: Number(process.argv[3]),
    });
    sequences = Array.from({ length: count }, () => context.getSequence());
  }
  for (const sequence of sequences) await sequence.clearHistory();
}

/** @returns {Promise<number>} how many tokens there were before the deadline */
async function decode(sequence, prompt, newTokens, deadline) {
  let count = 0;
  for await (const _token of sequence.evaluate(prompt, { temperature: 0, yieldEogToken: true })) {
    count += 1;
    if (count === newTokens || performance.now() > deadline) break;
  }
  return count;
}
