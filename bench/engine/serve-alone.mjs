import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `node serve-alone.mjs`: serves, and names each stage on stdout when it is reached, then waits for SIGUSR2 so that
 * its memory can be looked at from outside. In, as JSON: `{ directory, checkpoints, seconds }`.
 */
const FIRST = 10;
const STREAMS = 16;

process.on('SIGUSR2', () => undefined);
const { directory, checkpoints, seconds } = JSON.parse(await text(process.stdin));
await stage('started');
const { serveFolder, aRequest } = await import('./serving.mjs');
const { Streams } = await import('./streams.mjs');
const serving = await serveFolder(directory);
const streams = new Streams(serving, STREAMS);
await sleep(seconds * 1_000);
await stage('streaming');
await load(checkpoints.slice(0, FIRST));
await stage('first');
await load(checkpoints.slice(FIRST));
await stage('loaded');
await streams.stop();
await serving.engine.close();

async function stage(name) {
  const looked = once(process, 'SIGUSR2');
  const waiting = setInterval(() => undefined, 1_000); // a listener alone does not keep the process alive
  process.stdout.write(`${name}\n`);
  await looked;
  clearInterval(waiting);
}

async function load(list) {
  const { engine, base } = serving;
  for (const checkpoint of list) {
    for await (const _event of engine.generate({ base, checkpoint }, aRequest([1, 2, 3], 1)));
  }
}
