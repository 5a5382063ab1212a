import { setTimeout as sleep } from 'node:timers/promises';

import { inTurns } from '../engine/in-turns.mjs';
import { runFor } from '../harness/load.mjs';
import { median, percentile } from '../harness/statistics.mjs';
import { Caller } from './caller.mjs';
import { warmUp } from './warm-up.mjs';
import { GatewayWorld } from './world.mjs';

const CONNECTIONS = 32;
/** Longest random pause of a caller between two streams: it keeps the callers from synchronising. */
const PAUSE_MS = 40;
const SHARES = [
  { share: 0.5, name: 'p50', limitMs: 1 },
  { share: 0.99, name: 'p99', limitMs: 5 },
];
/** Prefix of the first frame with text; the role frame's content is empty. */
const FIRST_TEXT = '"content":"T';

/** What Hone adds to the time until the first token: the same streams from the mock itself and through Hone. */
export async function measureFirstToken(context) {
  const { options, progress, report } = context;
  progress.step('first token: starting Hone');
  const world = await GatewayWorld.of(context);
  const hone = await world.startHone();
  const direct = world.direct();
  await warmUp(hone, options);
  await world.putPostgresLast();
  const [rounds, ms] = options.quick ? [1, 1_000] : [9, 2_000];
  progress.step('time to the first token');
  const results = await inTurns(rounds, { hone: () => turnOf(hone, ms), direct: () => turnOf(direct, ms) }, (round) =>
    progress.detail(`round ${round} of ${rounds}`),
  );
  for (const { share, name, limitMs } of SHARES) {
    const of = (side) => results[side].map((latencies) => percentile(latencies, share));
    const added = median(of('hone')) - median(of('direct'));
    report.add({
      measure: `time to the first token, ${name}, added`,
      value: added,
      unit: 'ms',
      target: `< ${limitMs} ms`,
      isMet: added < limitMs,
      note: `through Hone ${listOf(of('hone'))} ms, direct ${listOf(of('direct'))} ms, ${CONNECTIONS} connections`,
    });
  }
  await hone.stop();
}

const listOf = (values) => values.map((value) => value.toFixed(2)).join(', ');

/** Milliseconds from the request to the first token, of every stream. */
async function turnOf(side, durationMs) {
  const request = side.stream('first');
  const callers = await Caller.openAll(side.port, CONNECTIONS);
  const latencies = [];
  const workers = callers.map((caller) => async () => {
    await sleep(Math.random() * PAUSE_MS);
    const begin = performance.now();
    let isFirst = true;
    const { status, tail } = await caller.ask(request, (chunk) => {
      if (!isFirst || !chunk.includes(FIRST_TEXT)) return;
      isFirst = false;
      latencies.push(performance.now() - begin);
    });
    if (isFirst || status !== 200 || !tail.includes('[DONE]'))
      throw new Error(`${side.name}: status ${status}, ${tail}`);
    return 1;
  });
  await runFor(durationMs, workers);
  for (const caller of callers) caller.leave();
  return latencies;
}
