import { text } from 'node:stream/consumers';

import { exactContext, openModel } from './open-model.mjs';

/** Each token of a batch brings a number for every token of the vocabulary. */
const BATCH = 16;
const WHOLE = Infinity;

/**
 * `node compare.mjs model.gguf`: greedy answers and a perplexity of llama.cpp. In, as JSON:
 * `{ prompts: number[][], newTokens, text: number[] }`. Out: `{ answers, perplexity, otherAnswers }`, answers per prompt
 * `{ id, gap }[]`: a token, and how many nats it is likelier than the next one. The others are llama.cpp's, too: `name`
 * says what it did otherwise, `answers` is what it then answered.
 */
const { prompts, newTokens, text: ids } = JSON.parse(await text(process.stdin));
const model = await openModel(process.argv[2], 1);
const found = await inContext(exactContext(model, 1_280), async (sequence) => ({
  answers: await answersOf(sequence, WHOLE),
  perplexity: await perplexityOf(sequence, ids),
  otherAnswers: [{ name: 'prompts read token by token', answers: await answersOf(sequence, 1) }],
}));
await inContext(model.createContext({ contextSize: 1_280 }), async (sequence) => {
  found.otherAnswers.push({
    name: 'keys and values in 16 bits, its default',
    answers: await answersOf(sequence, WHOLE),
  });
});
process.stdout.write(JSON.stringify(found));
await model.dispose();
process.exit(0); // the native library keeps its threads

async function inContext(opening, work) {
  const context = await opening;
  const result = await work(context.getSequence());
  await context.dispose();
  return result;
}

/** @param atOnce how many tokens of a prompt are read together */
async function answersOf(sequence, atOnce) {
  const answers = [];
  for (const prompt of prompts) answers.push(await greedy(sequence, prompt, atOnce));
  return answers;
}

async function greedy(sequence, prompt, atOnce) {
  await sequence.clearHistory();
  const answer = [];
  for (let unread = prompt; answer.length < newTokens;) {
    const [read, rest] = [unread.slice(0, atOnce), unread.slice(atOnce)];
    const last = [read.at(-1), { generateNext: { logits: true } }];
    const results = await sequence.controlledEvaluate([...read.slice(0, -1), last]);
    if (rest.length === 0) answer.push(likeliest(results.at(-1).next.logits));
    unread = rest.length === 0 ? [answer.at(-1).id] : rest;
  }
  return answer;
}

function likeliest(logits) {
  let [first, second] = [
    [0, -Infinity],
    [0, -Infinity],
  ];
  for (const entry of logits) {
    if (entry[1] > first[1]) [first, second] = [entry, first];
    else if (entry[1] > second[1]) second = entry;
  }
  return { id: first[0], gap: first[1] - second[1] };
}

async function perplexityOf(sequence, tokens) {
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
