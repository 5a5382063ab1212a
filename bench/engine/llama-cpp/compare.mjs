import { text } from 'node:stream/consumers';

import { exactContext, openModel } from './open-model.mjs';

/**
 * `node compare.mjs model.gguf`: greedy answers and a perplexity of llama.cpp. In, as JSON:
 * `{ prompts: number[][], newTokens, text: number[] }`. Out: `{ answers: number[][], perplexity }`.
 */
/** Each token of a batch brings a number for every token of the vocabulary. */
const BATCH = 16;

const { prompts, newTokens, text: ids } = JSON.parse(await text(process.stdin));
const model = await openModel(process.argv[2], 1);
const context = await exactContext(model, 1_280);
const sequence = context.getSequence();
const answers = [];
for (const prompt of prompts) answers.push(await greedy(prompt));
const perplexity = await perplexityOf(ids);
process.stdout.write(JSON.stringify({ answers, perplexity }));
await model.dispose();
process.exit(0); // the native library keeps its threads

async function greedy(prompt) {
  await sequence.clearHistory();
  const answer = [];
  for await (const token of sequence.evaluate(prompt, { temperature: 0, yieldEogToken: true })) {
    answer.push(token);
    if (answer.length === newTokens) break;
  }
  return answer;
}

async function perplexityOf(tokens) {
  await sequence.clearHistory();
  let sum = 0;
  for (let start = 0; start < tokens.length - 1; start += BATCH) {
    const batch = tokens.slice(start, Math.min(start + BATCH, tokens.length - 1));
    const results = await sequence.controlledEvaluate(
      batch.map((token) => [token, { generateNext: { logits: true } }]),
    );
    for (const [index, { next }] of results.entries()) sum += logProbability(next.logits, tokens[start + index + 1]);
  }
  return Math.exp(-sum / (tokens.length - 1));
}

function logProbability(logits, id) {
  let highest = -Infinity;
  for (const logit of logits.values()) highest = Math.max(highest, logit);
  let total = 0;
  for (const logit of logits.values()) total += Math.exp(logit - highest);
  return logits.get(id) - highest - Math.log(total);
}
