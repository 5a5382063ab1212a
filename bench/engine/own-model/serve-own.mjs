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
const together = await Promise.all(checkpoints.map((checkpoint) => answer(checkpoint)));
await sleep(SETTLE_MS);
await stage('checkpoints', 0);
const alone = [];
for (const checkpoint of checkpoints) alone.push(await answer(checkpoint));
const same = alone.filter((ids, index) => ids.join() === together[index].join()).length;
const different = new Set(alone.map((ids) => ids.join())).size;
await stage(`compared ${same} ${different}`, 0);
await engine.close();

/** A greedy answer's token ids. */
async function answer(checkpoint) {
  const ids = [];
  for await (const event of engine.generate({ base: directory, checkpoint }, aRequest(prompt, 8))) {
    if (event.kind === 'text') ids.push(...event.ids);
  }
  return ids;
}

async function stage(name, ms) {
  const looked = once(process, 'SIGUSR2');
  const waiting = setInterval(() => undefined, 1_000); // a listener alone does not keep the process alive
  process.stdout.write(`${JSON.stringify({ name, ms })}\n`);
  await looked;
  clearInterval(waiting);
}
