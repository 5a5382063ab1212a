import { setTimeout as sleep } from 'node:timers/promises';

import { openWorld, pathOf, PLACE, signedIn, storeCalls } from './world.mjs';

/** Minutes that it takes: the target is for 30, and a leak of every poll is seen in three. */
const MINUTES = Number(process.env.HONE_BENCH_POLL_MINUTES ?? 3);
const QUICK_MINUTES = 0.5;
/** Share of the time after which the page has loaded what it needs. */
const WARM_UP = 0.2;
const SAMPLES = 30;
const CALLS_EVERY_MS = 2_000;
const CALLS_AT_ONCE = 5;
const RATIO = 1.1;
const MIB = 1_048_576;

/** The pages that ask again and again, as somebody leaves them open: name -> path. */
const PAGES = {
  'calls, one open': 'calls?depth=all&call=running',
  'a trace that runs': 'calls/running',
  home: '',
};

/** Whether pages that are left open keep their memory while calls come in. */
export async function measurePolling(context) {
  const { progress, report, options } = context;
  const world = await openWorld(context);
  if (world === null) return;
  const start = {
    project_id: `${PLACE.entity}/${PLACE.project}`,
    id: 'running',
    trace_id: 'running',
    op_name: 'bench.runs',
  };
  await world.hone.trace.startCall({
    start: { ...start, started_at: new Date().toISOString(), attributes: {}, inputs: {} },
  });
  const pages = await Promise.all(Object.entries(PAGES).map((entry) => openPage(world, ...entry)));
  const lengthMs = (options.quick ? QUICK_MINUTES : MINUTES) * 60_000;
  const everyMs = Math.max(CALLS_EVERY_MS, lengthMs / SAMPLES);
  const begin = performance.now();
  for (let count = 0, sampledMs = 0; performance.now() - begin < lengthMs; count++) {
    const atMs = performance.now() - begin;
    progress.step(`console: watching for ${Math.round(atMs / 1_000)} s`);
    const id = (at) => `watched-${count}-${at}`;
    await storeCalls(world, CALLS_AT_ONCE, (at) => ({ id: id(at), trace_id: id(at) }));
    await sleep(CALLS_EVERY_MS);
    if (atMs - sampledMs < everyMs) continue;
    sampledMs = atMs;
    for (const page of pages) await takeSample(page, atMs);
  }
  for (const page of pages) {
    report.add(toLine(page, lengthMs));
    await page.page.context().close();
  }
}

async function openPage(world, name, path) {
  const page = await signedIn(world);
  await page.goto(pathOf(world, path));
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  const debug = await page.context().newCDPSession(page);
  return { name, page, debug, samples: [] };
}

/** What is left after the garbage is collected; somebody who watches looks at what is new. */
async function takeSample({ page, debug, samples }, atMs) {
  const newer = page.getByRole('button', { name: 'Show newer calls' });
  if (await newer.isVisible()) await newer.click();
  await debug.send('HeapProfiler.collectGarbage');
  const { usedSize } = await debug.send('Runtime.getHeapUsage');
  samples.push({ atMs, bytes: usedSize });
}

function toLine({ name, samples }, lengthMs) {
  const warm = samples.filter(({ atMs }) => atMs >= WARM_UP * lengthMs);
  const few = Math.max(1, Math.floor(warm.length / 4));
  const first = mean(warm.slice(0, few));
  const last = mean(warm.slice(-few));
  const hours = ((warm.at(-1)?.atMs ?? 0) - (warm[0]?.atMs ?? 0)) / 3_600_000;
  const perHour = (last - first) / MIB / hours;
  return {
    ...{ measure: `memory of ${name}, end to begin`, value: last / first, unit: 'times' },
    ...{ target: `<= ${RATIO} times`, isMet: last / first <= RATIO },
    note: `${(first / MIB).toFixed(1)} to ${(last / MIB).toFixed(1)} MiB in ${+(lengthMs / 60_000).toFixed(1)} min, ${perHour.toFixed(1)} MiB/h`,
  };
}

const mean = (samples) => samples.reduce((sum, { bytes }) => sum + bytes, 0) / samples.length;
