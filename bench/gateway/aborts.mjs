import { setTimeout as sleep } from 'node:timers/promises';

import { percentile } from '../harness/statistics.mjs';
import { Caller } from './caller.mjs';
import { GatewayWorld } from './world.mjs';

const LIMIT_MS = 50;
/** After that long a connection counts as never closed. */
const GIVE_UP_MS = 10_000;
const AT_ONCE = 16;
const QUEUED = 50;
/** Time for headers and the role frame to reach Hone. */
const HEADERS_MS = 5;

/** The moments at which a caller may leave, with what the mock does meanwhile. */
const WINDOWS = [
  { name: 'before the headers', model: 'silent' },
  { name: 'before the headers, no stream', model: 'silent', more: {} },
  { name: 'before the first token', model: 'role-only', waitMs: HEADERS_MS },
  { name: 'amid the stream', model: 'endless', chunks: 3 },
];

/** From a caller's leaving to the end of the connection to the upstream, in every window. */
export async function measureAborts(context) {
  const { options, progress, report } = context;
  progress.step('callers who leave: starting Hone');
  const world = await GatewayWorld.of(context);
  const hone = await world.startHone();
  for (const window of WINDOWS) {
    progress.step(`callers who leave ${window.name}`);
    const times = await leaveOften(world, hone, window, options.quick ? 48 : 480);
    const p99 = percentile(times, 0.99);
    report.add({
      measure: `caller leaves ${window.name}: upstream closed, p99`,
      value: p99,
      unit: 'ms',
      target: `< ${LIMIT_MS} ms`,
      isMet: p99 < LIMIT_MS,
      note: `p50 ${percentile(times, 0.5).toFixed(2)} ms, longest ${percentile(times, 1).toFixed(2)} ms of ${times.length}`,
    });
  }
  progress.step('callers who leave the queue');
  const reached = await leaveQueue(world, hone);
  report.add({
    measure: `${QUEUED} callers leave the queue: heard of by the upstream`,
    value: reached,
    unit: '',
    target: '0',
    isMet: reached === 0,
  });
  await hone.stop();
}

let ids = 0;

async function leaveOften(world, side, window, count) {
  const times = [];
  const leaveAgain = async () => {
    while (times.length < count) times.push(await leaveOnce(world, side, window));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, leaveAgain));
  return times;
}

/** Milliseconds until the upstream's connection was closed. */
async function leaveOnce({ mock }, side, { model, more, waitMs = 0, chunks = 0 }) {
  const id = `watch-${ids++}`;
  const caller = await Caller.open(side.port);
  let came = 0;
  caller.ask(side.watched(id, model, more), () => came++).catch(() => undefined);
  await until(() => mock.requests.has(id) && came >= chunks);
  if (waitMs > 0) await sleep(waitMs);
  const leftMs = performance.now();
  caller.leave();
  const request = mock.requests.get(id);
  await until(() => request.closedMs !== undefined);
  mock.requests.delete(id);
  return request.closedMs - leftMs;
}

/** The only slot is taken, queued callers leave; when the slot is free, no request may reach the upstream. */
async function leaveQueue({ mock }, side) {
  const holder = await Caller.open(side.port);
  holder.ask(side.watched('watch-holder', 'one-at-a-time')).catch(() => undefined);
  await until(() => mock.requests.has('watch-holder'));
  const before = mock.count;
  const callers = await Caller.openAll(side.port, QUEUED);
  for (const caller of callers) caller.ask(side.stream('one-at-a-time')).catch(() => undefined);
  await sleep(500);
  for (const caller of callers) caller.leave();
  await sleep(500);
  holder.leave();
  await until(() => mock.requests.get('watch-holder').closedMs !== undefined);
  await sleep(500);
  return mock.count - before;
}

async function until(isSo) {
  for (const deadline = performance.now() + GIVE_UP_MS; !isSo(); await sleep(1)) {
    if (performance.now() > deadline) throw new Error('an abort did not reach the upstream within 10 s');
  }
}
