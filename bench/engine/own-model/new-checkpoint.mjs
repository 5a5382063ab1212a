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

/** The first token of checkpoints that were never asked for, once idle and once beside a stream, and what the stream sees of it. */
export async function measureNewCheckpoint(context) {
  const { options, progress } = context;
  progress.step('own model: new checkpoints');
  const { base, directory } = await ownModel(context);
  const checkpoints = await adapterCheckpoints(context, options.quick ? 4 : 2 * CHECKPOINTS, base);
  const serving = await serveFolder(directory);
  const close = context.cleanup.add(() => serving.engine.close());
  const idle = checkpoints.splice(0, checkpoints.length / 2);
  await firstToken(serving, null);
  report(context, 'idle engine', await firstTokens(serving, idle));
  const stream = new Streams(serving, 1);
  await sleep(4 * PAUSE_MS);
  const gaps = stream.takeGaps();
  const loaded = await firstTokens(serving, checkpoints);
  const gapsWith = stream.takeGaps();
  await stream.stop();
  await close();
  report(context, 'beside a stream', loaded, `the stream's gaps: p99 ${p99(gapsWith)} ms, before ${p99(gaps)} ms`);
}

const p99 = (gaps) => percentile(gaps, 0.99).toFixed(0);

async function firstTokens(serving, checkpoints) {
  const times = [];
  for (const checkpoint of checkpoints) {
    times.push(await firstToken(serving, checkpoint));
    await sleep(PAUSE_MS);
  }
  return times;
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
