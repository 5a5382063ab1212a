import { text } from 'node:stream/consumers';

import { exactContext, openModel } from './open-model.mjs';

/**
 * `node predict.mjs model.gguf`: what llama.cpp makes of a model, for comparisons in a process of its own.
 * In, as JSON: `{ prompts: number[][], texts: string[], withControls?: boolean }`. Out: `{ probabilities, ids }`, per
 * prompt those of each token of the vocabulary to come next, per text its token ids; `withControls`: markers of control
 * tokens in it are these tokens.
 */
const { prompts, texts, withControls = false } = JSON.parse(await text(process.stdin));
const model = await openModel(process.argv[2], 1);
const context = await exactContext(model, 512);
const sequence = context.getSequence();
const probabilities = [];
for (const prompt of prompts) probabilities.push(await predict(prompt));
process.stdout.write(JSON.stringify({ probabilities, ids: texts.map((text) => model.tokenize(text, withControls)) }));
await model.dispose();
process.exit(0); // the native library keeps its threads

/** @returns {Promise<number[]>} one per token id */
async function predict(prompt) {
  await sequence.clearHistory();
  const last = [prompt.at(-1), { generateNext: { logits: true } }];
  const results = await sequence.controlledEvaluate([...prompt.slice(0, -1), last]);
  const logits = results.at(-1).next.logits;
  const exponentials = Array.from({ length: logits.size }, (_, id) => Math.exp(logits.get(id)));
  const total = exponentials.reduce((sum, value) => sum + value, 0);
  return exponentials.map((value) => value / total);
}
