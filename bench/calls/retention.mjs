import { setTimeout as sleep } from 'node:timers/promises';

import { percentile } from '../harness/statistics.mjs';
import { World } from '../trace/world.mjs';
import { openTrace } from './trace-client.mjs';
import { MONTH, yearOfCalls } from './year.mjs';

const PAUSE_MS = 20;
const MOST_S_PER_MILLION = 5;
const MOST_REQUEST_MS = 200;
const DAY_MS = 86_400_000;

/** How long it takes to erase what a project keeps no longer, and how long pages of its newest calls take meanwhile. */
export async function measureRetention(context) {
  const { progress, report } = context;
  const project = await yearOfCalls(context);
  const world = await World.of(context);
  const [client] = await world.connect(1);
  const { send, close } = await openTrace(world, project);
  const days = Math.floor((Date.now() - Date.parse(MONTH.start)) / DAY_MS);
  const { expired_calls: calls } = JSON.parse(
    await send('/project/ttl_settings/update', { retention_days: days, dry_run: true }),
  );
  await send('/project/ttl_settings/update', { retention_days: days });
  progress.step(`erasing ${calls.toLocaleString('en-US')} calls: the service begins a minute after its start`);
  const before = new Date(Date.now() - days * DAY_MS);
  const oldest = async () => {
    const { rows } = await client.query(
      'SELECT min(started_at) AS at FROM calls WHERE project_id = $1 AND deleted_at IS NULL AND started_at IS NOT NULL',
      [project.rowId],
    );
    return rows[0].at;
  };
  const first = await oldest();
  while ((await oldest()) <= first) await sleep(200);
  const begin = performance.now();
  let isOver = false;
  const reading = pagesUntil(send, () => isOver);
  for (let at = first; at < before; at = await oldest()) {
    progress.detail(`erased up to ${at.toISOString()}`);
    await sleep(500);
  }
  const seconds = (performance.now() - begin) / 1_000;
  isOver = true;
  const samples = await reading;
  const most = (MOST_S_PER_MILLION * calls) / 1e6;
  report.add({
    measure: `retention of ${calls.toLocaleString('en-US')} calls`,
    value: seconds,
    unit: 's',
    target: `<= ${most.toFixed(1)} s`,
    isMet: seconds <= most,
  });
  const longest = Math.max(...samples);
  report.add({
    measure: 'newest page beside it, the longest',
    value: longest,
    unit: 'ms',
    target: `<= ${MOST_REQUEST_MS} ms`,
    isMet: longest <= MOST_REQUEST_MS,
    note: `p50 ${percentile(samples, 0.5).toFixed(1)} ms, p95 ${percentile(samples, 0.95).toFixed(1)} ms`,
  });
  await close();
  await client.end();
}

async function pagesUntil(send, isOver) {
  const samples = [];
  while (!isOver()) {
    const sent = performance.now();
    await send('/calls/stream_query', {
      limit: 50,
      sort_by: [{ field: 'started_at', direction: 'desc' }],
      columns: ['id'],
    });
    samples.push(performance.now() - sent);
    await sleep(PAUSE_MS);
  }
  return samples;
}
