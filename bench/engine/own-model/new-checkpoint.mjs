import { setTimeout as sleep } from 'node:timers/promises';

import { median, percentile } from '../../harness/statistics.mjs';
import { adapterCheckpoints } from '../adapter-checkpoints.mjs';
import { decodeAll, freshPrompts, serveFolder } from '../serving.mjs';
import { Streams } from '../streams.mjs';
import { ownModel } from './model.mjs';

const CHECKPOINTS = 20;
const PROMPT_TOKENS = 16;
const MAX_MS = 150;
/** Between two checkpoints. */
const PAUSE_MS = 300;

/**
 * The first token of checkpoints that were never asked for, once idle and once beside a stream, and what the stream sees
 * of it. Then of checkpoints that are read when they are committed, as the gateway does for a model in use.
 */
export async function measureNewCheckpoint(context) {
  const { options, progress } = context;
  progress.step('own model: new checkpoints');
  const { base, directory } = await ownModel(context);
  const checkpoints = await adapterCheckpoints(context, 3 * (options.quick ? 2 : CHECKPOINTS), base);
  const serving = await serveFolder(directory);
  const close = context.cleanup.add(() => serving.engine.close());
  const count = checkpoints.length / 3;
  const [idle, beside, early] = [0, 1, 2].map((part) => checkpoints.slice(part * count, (part + 1) * count));
  await firstToken(serving, null);
  report(context, 'idle engine', await firstTokens(serving, idle));
  const stream = new Streams(serving, 1);
  await sleep(4 * PAUSE_MS);
  const gaps = stream.takeGaps();
  const loaded = await firstTokens(serving, beside);
  const gapsWith = stream.takeGaps();
  const read = await timesOf(early, (checkpoint) => timed(() => serving.engine.attach(serving.base, checkpoint)));
  const asked = await firstTokens(serving, early);
  await stream.stop();
  await close();
  report(context, 'beside a stream', loaded, `the stream's gaps: p99 ${p99(gapsWith)} ms, before ${p99(gaps)} ms`);
  report(context, 'beside a stream, read at its commit', asked, `reading it takes ${median(read).toFixed(0)} ms`);
}

const p99 = (gaps) => percentile(gaps, 0.99).toFixed(0);

const firstTokens = (serving, checkpoints) => timesOf(checkpoints, (checkpoint) => firstToken(serving, checkpoint));

async function timesOf(checkpoints, measure) {
  const times = [];
  for (const checkpoint of checkpoints) {
    times.push(await measure(checkpoint));
    await sleep(PAUSE_MS);
  }
  return times;
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

const firstToken = async (serving, checkpoint) =>
  (await decodeAll(serving, freshPrompts(1, PROMPT_TOKENS, serving.vocabSize), 1, checkpoint)).ms;

function report({ report: table }, name, times, note) {
  const value = median(times);
  table.add({
    ...{ measure: `first token of a new checkpoint, ${name}`, value, unit: 'ms' },
    ...{ target: `<= ${MAX_MS} ms`, isMet: value <= MAX_MS },
    note: [`largest ${Math.max(...times).toFixed(0)} ms`, note].filter(Boolean).join('; '),
  });
}
