import { inTurns } from '../engine/in-turns.mjs';
import { runFor } from '../harness/load.mjs';
import { median } from '../harness/statistics.mjs';
import { Caller } from './caller.mjs';
import { timed } from './cpu-clock.mjs';
import { warmUp } from './warm-up.mjs';
import { GatewayWorld, OTHER } from './world.mjs';

const CONNECTIONS = 32;
/**
 * V8 compiles hot functions within the first tens of thousands of requests, which are not measured: five seconds on an idle
 * machine. Counted, because a busy machine would measure the compiler after as many seconds.
 */
const WARM_REQUESTS = 30_000;
/** Least ratio of Hone's requests a second to each peer's. */
const TARGETS = { Portkey: 10, 'bare proxy': 0.45, [OTHER]: 0.95 };

const ARTICLES = { 'bare proxy': 'a ', [OTHER]: 'the ' };

/** Whole answers a second through Hone, the bare proxy and Portkey, each alone on one core. */
export async function measureRequests(context) {
  const { options, progress, report } = context;
  progress.step('whole answers: starting Hone, the bare proxy and Portkey');
  const world = await GatewayWorld.of(context);
  const all = [await world.startHone(), await world.startOther(), await world.startBare(), await world.startPortkey()];
  const sides = all.filter((side) => side !== null);
  const [rounds, ms] = options.quick ? [1, 1_000] : [16, 2_000];
  for (const side of sides) await warmUp(side, options, { request: side.request('whole'), count: WARM_REQUESTS });
  await world.putPostgresLast();
  const turns = Object.fromEntries(sides.map((side) => [side.name, () => turnOf(side, ms)]));
  progress.step('whole answers, 32 connections');
  const results = await inTurns(rounds, turns, (round) => progress.detail(`round ${round} of ${rounds}`));
  for (const name of Object.keys(TARGETS)) if (name !== OTHER || options.against) addRow(report, name, results);
  for (const side of sides) await side.stop();
}

async function turnOf(side, durationMs) {
  const request = side.request('whole');
  const callers = await Caller.openAll(side.port, CONNECTIONS);
  let refused = 0;
  const workers = callers.map((caller) => async () => {
    const { status } = await caller.ask(request);
    if (status !== 200) refused++;
    return 1;
  });
  const { result, ms, cpuUs } = await timed(side.pid, () => runFor(durationMs, workers));
  for (const caller of callers) caller.leave();
  return { perSecond: result.perSecond, refused, cpuUs: cpuUs / result.units, busy: cpuUs / 1_000 / ms };
}

/** A side that refused a request gets no figure: a refusal costs less than an answer. */
function addRow(report, name, results) {
  const measure = `whole answers, ${CONNECTIONS} connections, against ${ARTICLES[name] ?? ''}${name}`;
  const value = rateOf(results.Hone);
  if (value === null || !results[name] || rateOf(results[name]) === null) {
    const why = value === null ? 'Hone refused requests' : results[name] ? `${name} refused requests` : 'not installed';
    return report.add({ measure, value, unit: '/s', peerName: name, note: `n/a: ${why}` });
  }
  const peer = rateOf(results[name]);
  const target = TARGETS[name];
  const ratio = median(results.Hone.map(({ perSecond }, round) => perSecond / results[name][round].perSecond));
  return report.add({
    measure,
    value,
    unit: '/s',
    peer,
    peerName: name,
    ratio,
    target: `ratio >= ${target}`,
    isMet: ratio >= target,
    note: `${summaryOf('Hone', results.Hone)}; ${summaryOf(name, results[name])}`,
  });
}

const rateOf = (rounds) =>
  rounds.some(({ refused }) => refused > 0) ? null : median(rounds.map(({ perSecond }) => perSecond));

function summaryOf(name, rounds) {
  const of = (key) => median(rounds.map((round) => round[key]));
  const rates = rounds.map(({ perSecond }) => Math.round(perSecond).toLocaleString('en-US'));
  if (!Number.isFinite(of('cpuUs'))) return `${name} ${rates.join(', ')}`;
  return `${name} ${rates.join(', ')}; ${of('cpuUs').toFixed(1)} us CPU each, its core ${Math.round(of('busy') * 100)} % busy`;
}
