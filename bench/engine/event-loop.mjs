import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { startServing } from './serving.mjs';
import { Streams } from './streams.mjs';
import { trainingJob } from './training-job.mjs';

const STREAMS = 16;
const MAX_MS = 20;
const WARM_UP_MS = 1_000;
/** Of the timer that measures. */
const RESOLUTION_MS = 1;

/** Event loop delay of the main thread while its worker decodes and a training job runs on the same two cores. */
export async function measureEventLoop(context) {
  const { options, progress, report } = context;
  progress.step(`event loop with ${STREAMS} streams and a training job`);
  const serving = await startServing(context);
  const streams = new Streams(serving, STREAMS);
  const training = await startTraining(context);
  await sleep(WARM_UP_MS);
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const begin = { tokens: streams.tokens, steps: training.steps() };
  delay.enable();
  const seconds = options.quick ? 4 : 15;
  await sleep(seconds * 1_000);
  delay.disable();
  const [tokens, steps] = [streams.tokens - begin.tokens, training.steps() - begin.steps];
  await training.stop();
  await streams.stop();
  await serving.close();
  if (tokens === 0 || steps === 0) throw new Error(`no work was done: ${tokens} tokens, ${steps} training steps`);
  const value = delay.percentile(99) / 1e6;
  report.add({
    measure: `p99 of the event loop's delay, ${STREAMS} streams and a training job`,
    value,
    unit: 'ms',
    target: `<= ${MAX_MS} ms`,
    isMet: value <= MAX_MS,
    note: [
      `most ${(delay.max / 1e6).toFixed(0)} ms, ${RESOLUTION_MS} ms of it the timer's own`,
      `meanwhile ${Math.round(tokens / seconds).toLocaleString('en-US')} tokens/s`,
      `${(steps / seconds).toFixed(1)} training steps/s`,
    ].join('; '),
  });
}

/** A job of more steps than there is time for; it has taken its first when this resolves. */
async function startTraining(context) {
  const job = await trainingJob(context, 500);
  const cancel = new AbortController();
  let steps = 0;
  let running;
  await new Promise((resolve, reject) => {
    const onStep = (k) => {
      steps = k;
      resolve();
    };
    running = job.run(onStep, cancel.signal).catch((error) => {
      if (!cancel.signal.aborted) reject(error);
    });
  });
  const stop = async () => {
    cancel.abort();
    await running;
  };
  context.cleanup.add(stop);
  return { steps: () => steps, stop };
}
