import { setTimeout as sleep } from 'node:timers/promises';

import { median, percentile } from '../harness/statistics.mjs';
import { inTurns } from './in-turns.mjs';
import { openLlamaCpp } from './llama-peer.mjs';
import { decodeAll, freshPrompts, startServing } from './serving.mjs';

const PROMPT_TOKENS = 64;
const MAX_MS = 15;
/** Between two requests: the engine is idle when one comes. */
const PAUSE_MS = 20;

/** From the call in the main thread to the first token there, of a prompt that was never seen before. */
export async function measureFirstToken(context) {
  const { options, progress, report } = context;
  progress.step('first token');
  const serving = await startServing(context);
  const peer = await openLlamaCpp(context, 1);
  const prompts = () => freshPrompts(1, PROMPT_TOKENS, serving.vocabSize);
  const rested = async (work) => {
    await sleep(PAUSE_MS);
    return (await work()).ms;
  };
  const sides = {
    hone: () => rested(() => decodeAll(serving, prompts(), 1)),
    ...(peer && { peer: () => rested(() => peer.decode(prompts(), 1)) }),
  };
  const ms = await inTurns(options.quick ? 10 : 60, sides, () => undefined);
  const value = median(ms.hone);
  report.add({
    measure: 'first token of a 64-token prompt, idle engine',
    value,
    unit: 'ms',
    ...(peer && { peer: median(ms.peer), peerName: 'llama.cpp' }),
    target: `<= ${MAX_MS} ms`,
    isMet: value <= MAX_MS,
    note: `p90 ${percentile(ms.hone, 0.9).toFixed(1)} ms`,
  });
  await serving.close();
  await peer?.close();
}
