import { setTimeout as sleep } from 'node:timers/promises';

import { median, percentile } from '../../harness/statistics.mjs';
import { adapterCheckpoints } from '../adapter-checkpoints.mjs';
import { aRequest, freshPrompts, serveFolder } from '../serving.mjs';
import { ownModel } from './model.mjs';

const CHECKPOINTS = 20;
const PROMPT_TOKENS = 16;
const MAX_MS = 150;
/** Between two checkpoints. */
const PAUSE_MS = 300;
const STREAM_TOKENS = 100_000;

/** The first token of checkpoints that were never asked for, once idle and once beside a stream, and what the stream sees of it. */
export async function measureNewCheckpoint(context) {
  const { options, progress } = context;
  progress.step('own model: new checkpoints');
  const { base, directory } = await ownModel(context);
  const checkpoints = await adapterCheckpoints(context, options.quick ? 4 : 2 * CHECKPOINTS, base);
  const serving = await serveFolder(directory, { contextLength: 2_048 });
  const close = context.cleanup.add(() => serving.engine.close());
  const idle = checkpoints.splice(0, checkpoints.length / 2);
  await firstToken(serving, null);
  report(context, 'idle engine', await firstTokens(serving, idle));
  const stream = openStream(serving);
  await sleep(4 * PAUSE_MS);
  const gaps = stream.gaps.splice(0);
  const loaded = await firstTokens(serving, checkpoints);
  const gapsWith = stream.gaps.splice(0);
  await stream.end();
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

async function firstToken({ engine, base, vocabSize }, checkpoint) {
  const [prompt] = freshPrompts(1, PROMPT_TOKENS, vocabSize);
  const begin = performance.now();
  for await (const event of engine.generate({ base, checkpoint }, aRequest(prompt, 1))) {
    if (event.kind === 'finish') return performance.now() - begin;
  }
  throw new Error('the answer ended without an end');
}

/** An answer of the base that goes on, and the milliseconds between its events. */
function openStream({ engine, base, vocabSize }) {
  const [prompt] = freshPrompts(1, PROMPT_TOKENS, vocabSize);
  const gaps = [];
  const events = engine.generate({ base, checkpoint: null }, aRequest(prompt, STREAM_TOKENS));
  const read = (async () => {
    let last = null;
    for await (const _event of events) {
      const now = performance.now();
      if (last !== null) gaps.push(now - last);
      last = now;
    }
  })();
  return { gaps, end: () => Promise.all([events.return(), read]) };
}

function report({ report: table }, name, times, note) {
  const value = median(times);
  table.add({
    ...{ measure: `first token of a new checkpoint, ${name}`, value, unit: 'ms' },
    ...{ target: `<= ${MAX_MS} ms`, isMet: value <= MAX_MS },
    note: [`largest ${Math.max(...times).toFixed(0)} ms`, note].filter(Boolean).join('; '),
  });
}
