import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';

import { HAS_PROC, residentMiB } from '../harness/processes.mjs';
import { median } from '../harness/statistics.mjs';
import { Caller } from './caller.mjs';
import { warmUp } from './warm-up.mjs';
import { GatewayWorld } from './world.mjs';

const AT_ONCE = 50;
const SAMPLE_MS = 100;
const FLAT = 0.1;
/** Most memory per unread answer, upstream and client side together. */
const HELD_MIB = 0.25;

/** Resident memory over many streams, and with hundreds of callers who do not read. */
export async function measureMemory(context) {
  const { options, progress, report } = context;
  if (!HAS_PROC) return report.add({ measure: 'memory', value: null, unit: 'MiB', note: 'there is no /proc' });
  progress.step('memory: starting Hone');
  const world = await GatewayWorld.of(context);
  const hone = await world.startHone();
  await warmUp(hone, options);
  await measureStreams(context, hone, options.quick ? 1_000 : 10_000);
  await measureSlowReaders(context, hone, options.quick ? 100 : 500);
  await hone.stop();
}

/** The last tenth of the streams against the second tenth: before that, V8's heap still grows. */
async function measureStreams({ progress, report }, hone, count) {
  progress.step(`memory over ${count.toLocaleString('en-US')} streams`);
  const callers = await Caller.openAll(hone.port, AT_ONCE);
  const request = hone.stream('burst');
  const tenths = Array.from({ length: 10 }, () => []);
  let done = 0;
  const sampler = setInterval(() => {
    tenths[Math.min(9, Math.floor((done * 10) / count))].push(residentMiB(hone.pid));
  }, SAMPLE_MS);
  await Promise.all(
    callers.map(async (caller) => {
      for (; done < count; done++) {
        const { status, tail } = await caller.ask(request);
        if (status !== 200 || !tail.includes('[DONE]')) throw new Error(`status ${status}, ${tail}`);
      }
    }),
  );
  clearInterval(sampler);
  for (const caller of callers) caller.leave();
  const [first, last] = [tenths[1], tenths[9]].map((samples) => (samples.length ? median(samples) : null));
  const value = last ?? residentMiB(hone.pid);
  report.add({
    measure: `resident after ${count.toLocaleString('en-US')} streams`,
    value,
    unit: 'MiB',
    ...(first !== null && { peer: first, peerName: 'after a tenth', isMet: Math.abs(value / first - 1) <= FLAT }),
    target: 'ratio 0.9 to 1.1',
  });
}

/** Backpressure: the callers request 2 MB each and do not read for a while; then they read, and all must arrive. */
async function measureSlowReaders({ progress, report }, hone, count) {
  progress.step(`memory with ${count} slow readers`);
  const callers = await Caller.openAll(hone.port, count);
  const before = residentMiB(hone.pid);
  for (const caller of callers) caller.pause();
  const answers = callers.map((caller) => caller.ask(hone.stream('large')));
  let peak = 0;
  for (let settled = 0, last = 0; settled < 10; settled = residentMiB(hone.pid) > last + 1 ? 0 : settled + 1) {
    last = residentMiB(hone.pid);
    await sleep(SAMPLE_MS * 2);
    peak = Math.max(peak, residentMiB(hone.pid));
  }
  const held = peak - before;
  for (const caller of callers) caller.resume();
  const wrong = (await Promise.all(answers)).filter(({ status, tail }) => status !== 200 || !tail.includes('[DONE]'));
  if (wrong.length) throw new Error(`${wrong.length} of ${count} slow readers did not get the whole answer`);
  for (const caller of callers) caller.leave();
  report.add({
    measure: `${count} readers who take nothing of 2 MB: memory for each`,
    value: (held / count) * 1_024,
    unit: 'KiB',
    target: `<= ${HELD_MIB * 1_024} KiB`,
    isMet: held / count <= HELD_MIB,
    note: `${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at most; all got the whole answer in the end`,
  });
}
