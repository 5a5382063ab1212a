import { median } from '../harness/statistics.mjs';
import { inTurns } from './in-turns.mjs';
import { NO_LLAMA_CPP, openLlamaCpp } from './llama-peer.mjs';
import { decodeAll, freshPrompts, startServing } from './serving.mjs';

const PROMPT_TOKENS = 64;
const NEW_TOKENS = 128;
const THREADS = [1, 2];
/** How many sequences at once, how often in a turn, and how many times llama.cpp's rate is asked for. */
const LOADS = [
  { sequences: 1, perTurn: 4, minRatio: 1 },
  { sequences: 16, perTurn: 1, minRatio: 2 },
  { sequences: 64, perTurn: 1 },
];

/** Tokens per second with llama.cpp on the same weights beside it; each side with the better of 1 and 2 threads. */
export async function measureDecode(context) {
  const { options, progress } = context;
  progress.step('decoding: opening');
  const { sides, opened, vocabSize } = await openSides(context);
  for (const load of LOADS) {
    progress.step(`decoding, ${load.sequences} sequences`);
    const rounds = options.quick ? 2 : 5;
    const rates = await inTurns(rounds, ratesOf(sides, load, vocabSize), (round) =>
      progress.detail(`round ${round} of ${rounds}`),
    );
    reportRates(context, load, rates);
  }
  for (const side of opened) await side.close();
}

/** Each side with each number of threads: `hone 1`, `peer 1`, ... */
async function openSides(context) {
  const sides = {};
  const opened = [];
  let vocabSize = 0;
  for (const threads of THREADS) {
    const serving = await startServing(context, { threads });
    opened.push(serving);
    vocabSize = serving.vocabSize;
    sides[`hone ${threads}`] = (prompts) => decodeAll(serving, prompts, NEW_TOKENS);
    const peer = await openLlamaCpp(context, threads);
    if (!peer) continue;
    opened.push(peer);
    sides[`peer ${threads}`] = (prompts) => peer.decode(prompts, NEW_TOKENS);
  }
  if (await isHopeless(sides, vocabSize)) delete sides['peer 2'];
  return { sides, opened, vocabSize };
}

/**
 * llama.cpp's threads wait for one another by spinning: where another process takes a core, two of them are a hundred
 * times slower than one, and the run would take a quarter of an hour.
 */
async function isHopeless(sides, vocabSize) {
  if (!sides['peer 2']) return false;
  const trial = ratesOf(sides, { sequences: 4, perTurn: 1 }, vocabSize);
  await trial['peer 1']();
  return (await trial['peer 2']()) < 0.2 * (await trial['peer 1']());
}

/** Sides of a turn: each decodes prompts of its own and returns tokens per second. */
function ratesOf(sides, { sequences, perTurn }, vocabSize) {
  const rate = async (decode) => {
    const total = { ms: 0, tokens: 0 };
    for (let time = 0; time < perTurn; time++) {
      const { ms, tokens } = await decode(freshPrompts(sequences, PROMPT_TOKENS, vocabSize));
      total.ms += ms;
      total.tokens += tokens;
    }
    return (total.tokens * 1_000) / total.ms;
  };
  return Object.fromEntries(Object.entries(sides).map(([name, decode]) => [name, () => rate(decode)]));
}

function reportRates({ report }, { sequences, minRatio }, rates) {
  const medians = Object.fromEntries(Object.entries(rates).map(([name, values]) => [name, median(values)]));
  const best = (side) => Math.max(...THREADS.map((threads) => medians[`${side} ${threads}`] ?? 0));
  const hasPeer = 'peer 1' in medians;
  report.add({
    measure: `decoding, ${sequences} sequence${sequences > 1 ? 's' : ''}`,
    value: best('hone'),
    unit: 'tokens/s',
    ...(hasPeer && { peer: best('peer'), peerName: 'llama.cpp' }),
    ...(minRatio && { target: `ratio >= ${minRatio}` }),
    ...(minRatio && hasPeer && { isMet: best('hone') >= minRatio * best('peer') }),
    note: hasPeer ? perThreads(medians) : NO_LLAMA_CPP,
  });
}

/** The rates with 1 and 2 threads, of both sides. */
function perThreads(medians) {
  const format = (rate) => (rate === undefined ? 'far fewer' : Math.round(rate).toLocaleString('en-US'));
  const rates = (side) => THREADS.map((threads) => format(medians[`${side} ${threads}`])).join(' and ');
  return `with 1 and 2 threads: ${rates('hone')}; llama.cpp: ${rates('peer')}`;
}
