import { median } from '../../harness/statistics.mjs';
import { inTurns } from '../in-turns.mjs';
import { NO_LLAMA_CPP, openLlamaCpp } from '../llama-peer.mjs';
import { aRequest, decodeAll, freshPrompts, serveFolder } from '../serving.mjs';
import { ownModel, questionIds } from './model.mjs';

const NEW_TOKENS = 64;
const PEER_THREADS = [1, 2];
const PROMPT_TOKENS = 64;
/** What one side reads and writes in a turn, and how many times llama.cpp's rate is asked for. */
const LOADS = [
  { name: 'decoding, 1 sequence', sequences: 1, prompt: PROMPT_TOKENS, tokens: NEW_TOKENS, minRatio: 1 },
  { name: 'decoding, 16 sequences', sequences: 16, prompt: PROMPT_TOKENS, tokens: NEW_TOKENS, minRatio: 2 },
  { name: 'prompt of 192 tokens', sequences: 1, prompt: 192, tokens: 1, minRatio: 1.3, countsPrompt: true },
];
const MAX_SCHEMA_RATIO = 1.15;
const closed = (properties) => ({
  ...{ type: 'object', properties, required: Object.keys(properties) },
  additionalProperties: false,
});
/** What is asked, and what an answer must be. */
const SCHEMAS = [
  ['a JSON schema', 0, closed({ name: { type: 'string' }, number: { type: 'integer' }, is_true: { type: 'boolean' } })],
  ['a JSON schema with a long text', 15, closed({ text: { type: 'string' } })],
  ['a JSON schema with a text of limited length', 15, closed({ text: { type: 'string', maxLength: 300 } })],
];

/** Decoding and prompts beside llama.cpp on the same file, and what a JSON schema costs. */
export async function measureSpeed(context) {
  const { options, progress } = context;
  progress.step('own model: opening');
  const { base, directory, file } = await ownModel(context);
  const serving = await serveFolder(directory);
  const close = context.cleanup.add(() => serving.engine.close());
  const sides = { hone: (prompts, tokens) => decodeAll(serving, prompts, tokens) };
  const peers = [];
  for (const threads of PEER_THREADS) {
    const peer = await openLlamaCpp(context, threads, file);
    if (!peer) continue;
    peers.push(peer);
    sides[`peer ${threads}`] = (prompts, tokens) => peer.decode(prompts, tokens);
  }
  for (const load of LOADS) {
    progress.step(`own model: ${load.name}`);
    const rates = await inTurns(options.quick ? 1 : 5, ratesOf(sides, load, serving.vocabSize), (round) =>
      progress.detail(`round ${round}`),
    );
    reportRate(context, load, rates);
  }
  for (const peer of peers) await peer.close();
  for (const schema of SCHEMAS) await measureSchema(context, serving, base, schema);
  await close();
}

function ratesOf(sides, { sequences, prompt, tokens, countsPrompt }, vocabSize) {
  const rate = async (decode) => {
    const result = await decode(freshPrompts(sequences, prompt, vocabSize), tokens);
    return ((countsPrompt ? sequences * prompt : result.tokens) * 1_000) / result.ms;
  };
  return Object.fromEntries(Object.entries(sides).map(([name, decode]) => [name, () => rate(decode)]));
}

function reportRate({ report }, { name, minRatio }, rates) {
  const medians = Object.fromEntries(Object.entries(rates).map(([side, values]) => [side, median(values)]));
  const peers = Object.entries(medians).filter(([side]) => side.startsWith('peer'));
  const peer = Math.max(...peers.map(([, rate]) => rate));
  report.add({
    measure: name,
    value: medians.hone,
    unit: 'tokens/s',
    ...(peers.length > 0 && { peer, peerName: 'llama.cpp', isMet: medians.hone >= minRatio * peer }),
    target: `ratio >= ${minRatio}`,
    note: peers.length > 0 ? peers.map(([side, rate]) => `${side}: ${Math.round(rate)}`).join(', ') : NO_LLAMA_CPP,
  });
}

/** The same number of tokens, free and bound: the schema's answer first, as it is as long as it is. */
async function measureSchema(context, serving, base, [name, question, schema]) {
  const { options, progress, report } = context;
  progress.step(`own model: ${name}`);
  const promptIds = questionIds(base)[question];
  const constraint = { kind: 'json_schema', schema, whitespace: 'none', onlyDeclared: false };
  const bound = await answer(serving, { ...aRequest(promptIds, 64), constraint });
  const sides = {
    bound: async () => (await answer(serving, { ...aRequest(promptIds, bound.tokens), constraint })).ms,
    free: async () => (await answer(serving, aRequest(promptIds, bound.tokens))).ms,
  };
  const ms = await inTurns(options.quick ? 2 : 10, sides, () => undefined);
  const [value, peer] = [median(ms.bound), median(ms.free)];
  report.add({
    measure: `an answer of ${bound.tokens} tokens by ${name}`,
    ...{ value, unit: 'ms', peer, peerName: 'without' },
    target: `ratio <= ${MAX_SCHEMA_RATIO}`,
    isMet: value <= MAX_SCHEMA_RATIO * peer,
  });
}

async function answer({ engine, base }, request) {
  const begin = performance.now();
  let tokens = 0;
  for await (const event of engine.generate({ base, checkpoint: null }, request)) {
    if (event.kind === 'finish') tokens = event.completionTokens;
  }
  return { ms: performance.now() - begin, tokens };
}
