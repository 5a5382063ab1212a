import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `node serve-own.mjs`: serves a model, and names each stage on stdout with its milliseconds, then waits for SIGUSR2 so
 * that its memory can be looked at. In, as JSON: `{ directory, checkpoints }`.
 */
const SETTLE_MS = 1_000;

process.on('SIGUSR2', () => undefined);
const { directory, checkpoints } = JSON.parse(await text(process.stdin));
const { ServingEngine } = await import('@hone/engine');
const { aRequest, decodeAll, freshPrompts } = await import('../serving.mjs');
// Room for all checkpoints that are asked for.
const engine = ServingEngine.start({ maxPrefixTokens: 0, maxCheckpointBytes: 2 ** 31 });
await sleep(SETTLE_MS);
await stage('started', 0);
const begin = performance.now();
const { config } = await engine.loadBase(directory);
const loadMs = performance.now() - begin;
await sleep(SETTLE_MS);
await stage('loaded', loadMs);
const { ms } = await decodeAll({ engine, base: directory }, freshPrompts(1, 64, config.vocabSize), 64);
await stage('answered', ms);
const [prompt] = freshPrompts(1, 16, config.vocabSize);
await Promise.all(checkpoints.map(() => answer(null)));
await sleep(SETTLE_MS);
await stage('base', 0);
await Promise.all(checkpoints.map((checkpoint) => answer(checkpoint)));
await sleep(SETTLE_MS);
await stage('checkpoints', 0);
const together = await Promise.all(checkpoints.map((checkpoint) => scores(checkpoint)));
const alone = [];
for (const checkpoint of checkpoints) alone.push(await scores(checkpoint));
const distances = together.map((found) => alone.map((other) => distance(found, other)));
const toOwn = distances.map((of, index) => of[index]);
const toOthers = distances.map((of, index) => Math.min(...of.toSpliced(index, 1)));
const own = toOwn.filter((to, index) => to < toOthers[index]).length;
await stage(`compared ${own} ${Math.max(...toOwn)} ${Math.min(...toOthers)}`, 0);
await engine.close();

async function answer(checkpoint) {
  for await (const _event of engine.generate({ base: directory, checkpoint }, aRequest(prompt, 8)));
}

/** Log-probabilities of the likeliest tokens at each place of an answer, by token. Every checkpoint is given the same one. */
async function scores(checkpoint) {
  const request = { ...aRequest(prompt, 8, { allowedTokenIds: [prompt[0]] }), topLogProbabilities: 20 };
  const places = [];
  for await (const event of engine.generate({ base: directory, checkpoint }, request)) {
    for (const { top } of event.kind === 'text' ? event.logProbabilities : []) {
      places.push(new Map(top.map(({ id, logProbability }) => [id, logProbability])));
    }
  }
  return places;
}

/** Root of the mean square, in nats, of tokens that are among the likeliest of both. */
function distance(some, others) {
  const squares = some.flatMap((place, at) =>
    [...place].filter(([id]) => others[at].has(id)).map(([id, value]) => (value - others[at].get(id)) ** 2),
  );
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}

async function stage(name, ms) {
  const looked = once(process, 'SIGUSR2');
  const waiting = setInterval(() => undefined, 1_000); // a listener alone does not keep the process alive
  process.stdout.write(`${JSON.stringify({ name, ms })}\n`);
  await looked;
  clearInterval(waiting);
}
