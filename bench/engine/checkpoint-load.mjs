import { setTimeout as sleep } from 'node:timers/promises';

import { median, percentile } from '../harness/statistics.mjs';
import { adapterCheckpoints } from './adapter-checkpoints.mjs';
import { aRequest, freshPrompts, startServing } from './serving.mjs';
import { Streams } from './streams.mjs';

const STREAMS = 16;
const PROMPT_TOKENS = 16;
const MAX_MS = 150;
const WARM_UP_MS = 1_500;
const PAUSE_MS = 150;

/** From a written checkpoint to its first token, and how much that delays running answers. */
export async function measureCheckpointLoad(context) {
  const { options, progress, report } = context;
  progress.step(`a new checkpoint while ${STREAMS} streams run`);
  const checkpoints = await adapterCheckpoints(context, options.quick ? 5 : 20);
  const serving = await startServing(context);
  const streams = new Streams(serving, STREAMS);
  await sleep(WARM_UP_MS);
  const loads = { ms: [], gaps: [] };
  const usual = [];
  for (const checkpoint of checkpoints) {
    streams.takeGaps();
    loads.ms.push(await timeToFirstToken(serving, checkpoint));
    await sleep(20); // a gap is known at its end
    loads.gaps.push(streams.takeGaps());
    await sleep(loads.ms.at(-1) + PAUSE_MS);
    usual.push(streams.takeGaps());
  }
  await streams.stop();
  await serving.close();
  const value = median(loads.ms);
  report.add({
    measure: `a written checkpoint's first token, ${STREAMS} streams running`,
    value,
    unit: 'ms',
    target: `<= ${MAX_MS} ms`,
    isMet: value <= MAX_MS,
    note: `slowest of ${loads.ms.length}: ${Math.round(Math.max(...loads.ms))} ms`,
  });
  reportGaps(report, loads.gaps.flat(), usual.flat());
}

async function timeToFirstToken({ engine, base, vocabSize }, checkpoint) {
  const [prompt] = freshPrompts(1, PROMPT_TOKENS, vocabSize);
  const begin = performance.now();
  for await (const _event of engine.generate({ base, checkpoint }, aRequest(prompt, 1)));
  return performance.now() - begin;
}

function reportGaps(report, loading, usual) {
  const p99 = (gaps) => percentile(gaps, 0.99);
  const format = (gaps) => `${median(gaps).toFixed(1)} ms in the median, ${Math.max(...gaps).toFixed(0)} ms at most`;
  report.add({
    measure: '  p99 of the time between tokens of a stream meanwhile',
    value: p99(loading),
    unit: 'ms',
    peer: p99(usual),
    peerName: 'without',
    note: `${format(loading)}; without: ${format(usual)}`,
  });
}
