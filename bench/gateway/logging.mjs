import { setTimeout as sleep } from 'node:timers/promises';

import { inTurns } from '../engine/in-turns.mjs';
import { runFor } from '../harness/load.mjs';
import { median, percentile } from '../harness/statistics.mjs';
import { Caller } from './caller.mjs';
import { timed } from './cpu-clock.mjs';
import { warmUp } from './warm-up.mjs';
import { GatewayWorld } from './world.mjs';

const CONNECTIONS = 32;
const FIRST_CONNECTIONS = 8;
const PAUSE_MS = 40;
/** Most processor time of a request that is kept as a call, relative to one that is not. */
const MAX_RATIO = 1.15;
/** Difference that noise makes between two turns of the same kind. */
const MAX_LATER_MS = 0.25;
const FIRST_TEXT = '"content":"T';
/** Records of a turn are written to the database within this time: the turn pays for its own. */
const SETTLE_MS = 500;

/** What it costs to keep chats as calls: the same requests to one gateway, kept in full and not at all, in turns. */
export async function measureLogging(context) {
  const { options, progress, report } = context;
  progress.step('cost of calls: starting Hone');
  const world = await GatewayWorld.of(context);
  const hone = await world.startHone();
  await warmUp(hone, options);
  await world.putPostgresLast();
  const [rounds, ms] = options.quick ? [1, 1_000] : [12, 2_000];
  const say = (round) => progress.detail(`round ${round} of ${rounds}`);
  for (const [form, request] of [
    ['whole answer', hone.request('whole')],
    ['stream of 200 chunks', hone.stream('paced')],
  ]) {
    progress.step(`cost of calls: ${form}`);
    const turn = (level) => () => cpuOf(hone, withLevel(request, level), ms);
    await turn('full')();
    addCost(report, form, await inTurns(rounds, { full: turn('full'), off: turn('off') }, say));
  }
  progress.step('first token of calls');
  const turn = (level) => () => firstTokensOf(hone, withLevel(hone.stream('first'), level), ms);
  addFirstToken(report, await inTurns(rounds, { full: turn('full'), off: turn('off') }, say));
  await hone.stop();
}

function withLevel(bytes, level) {
  const lineEnd = bytes.indexOf('\r\n') + 2;
  return Buffer.concat([bytes.subarray(0, lineEnd), Buffer.from(`Hone-Log: ${level}\r\n`), bytes.subarray(lineEnd)]);
}

function addCost(report, form, { full, off }) {
  const ratio = median(full.map((us, round) => us / off[round]));
  const listOf = (rounds) => rounds.map((us) => us?.toFixed(0)).join(', ');
  report.add({
    measure: `CPU per request kept as a call, ${form}`,
    value: median(full),
    unit: 'us',
    peer: median(off),
    peerName: 'log off',
    ratio,
    target: `ratio <= ${MAX_RATIO}`,
    isMet: ratio <= MAX_RATIO,
    note: `rounds: full ${listOf(full)}; off ${listOf(off)}`,
  });
}

function addFirstToken(report, { full, off }) {
  const p50 = (rounds) => median(rounds.map((latencies) => percentile(latencies, 0.5)));
  // Round by round: other load on the machine comes and goes.
  const later = median(full.map((latencies, round) => percentile(latencies, 0.5) - percentile(off[round], 0.5)));
  report.add({
    measure: 'time to the first token, p50, added by keeping calls',
    value: later,
    unit: 'ms',
    target: `< ${MAX_LATER_MS} ms`,
    isMet: later < MAX_LATER_MS,
    note: `full ${p50(full).toFixed(2)} ms, off ${p50(off).toFixed(2)} ms, ${FIRST_CONNECTIONS} connections`,
  });
}

/** Microseconds of processor time per request, its write to the database included. */
async function cpuOf(side, request, durationMs) {
  const callers = await Caller.openAll(side.port, CONNECTIONS);
  const workers = callers.map((caller) => async () => {
    const { status, tail } = await caller.ask(request);
    if (status !== 200) throw new Error(`${side.name}: status ${status}, ${tail}`);
    return 1;
  });
  const { result, cpuUs } = await timed(side.pid, async () => {
    const done = await runFor(durationMs, workers);
    await sleep(SETTLE_MS);
    return done;
  });
  for (const caller of callers) caller.leave();
  return cpuUs / result.units;
}

/** Milliseconds to the first token of every stream. */
async function firstTokensOf(side, request, durationMs) {
  const callers = await Caller.openAll(side.port, FIRST_CONNECTIONS);
  const latencies = [];
  const workers = callers.map((caller) => async () => {
    await sleep(Math.random() * PAUSE_MS);
    const begin = performance.now();
    let isFirst = true;
    await caller.ask(request, (chunk) => {
      if (!isFirst || !chunk.includes(FIRST_TEXT)) return;
      isFirst = false;
      latencies.push(performance.now() - begin);
    });
    if (isFirst) throw new Error(`${side.name}: a stream without a token`);
    return 1;
  });
  await runFor(durationMs, workers);
  for (const caller of callers) caller.leave();
  return latencies;
}
