import { ModelTokenizer, PLAIN_ENDING, PLAIN_REQUEST, PLAIN_SAMPLING, ServingEngine } from '@hone/engine';

import { baseModel } from './base-model.mjs';
import { numbers } from './numbers.mjs';

/** The base model in a serving engine, as the gateway has it. */
export async function startServing(context, settings = {}) {
  const { directory } = await baseModel(context);
  const serving = await serveFolder(directory, settings);
  return { ...serving, close: context.cleanup.add(() => serving.engine.close()) };
}

/** No prompt is read twice, so none is kept. */
export async function serveFolder(directory, settings = {}) {
  const engine = ServingEngine.start({ maxPrefixTokens: 0, ...settings });
  const { config } = await engine.loadBase(directory);
  const printable = printableTokens(config, await ModelTokenizer.read(directory));
  return { engine, base: directory, vocabSize: config.vocabSize, printable };
}

/** A greedy request that runs to its length. */
export function aRequest(promptIds, maxTokens, sampling = {}) {
  return {
    ...PLAIN_REQUEST,
    promptIds,
    maxTokens,
    sampling: { ...PLAIN_SAMPLING, temperature: 0, ...sampling },
    ending: { ...PLAIN_ENDING, ignoreEos: true },
  };
}

/** Decodes all prompts at once. `ms` is until the last token is there. @param checkpoint null: the base */
export async function decodeAll({ engine, base }, prompts, newTokens, checkpoint = null) {
  const begin = performance.now();
  const model = { base, checkpoint };
  await Promise.all(prompts.map((prompt) => run(engine.generate(model, aRequest(prompt, newTokens)))));
  return { ms: performance.now() - begin, tokens: prompts.length * newTokens };
}

/** Log-probability of each token of a prompt after the first. @param checkpoint null: the base */
export async function promptScores({ engine, base }, ids, checkpoint = null) {
  const request = { ...aRequest(ids, 1), promptLogProbabilities: 0 };
  for await (const event of engine.generate({ base, checkpoint }, request)) {
    if (event.kind === 'prompt') return event.logProbabilities.slice(1).map(({ logProbability }) => logProbability);
  }
  throw new Error('no prompt was read');
}

async function run(events) {
  for await (const _event of events);
}

const next = numbers(11);

/** Prompts that were never seen before. */
export const freshPrompts = (count, length, vocabSize) =>
  Array.from({ length: count }, () => Array.from({ length }, () => next() % vocabSize));

/** Tokens that are complete text by themselves, so that each shows at once in a stream. */
function printableTokens({ vocabSize }, tokenizer) {
  const ids = Array.from({ length: vocabSize }, (_, id) => id);
  const isPrintable = (id) => /^[ -~]+$/.test(Buffer.from(tokenizer.tokenBytes(id)).toString('latin1'));
  return ids.filter((id) => !tokenizer.isSpecial(id) && isPrintable(id));
}
