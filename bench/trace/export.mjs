import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { HAS_PROC, peakResidentMiB, residentMiB } from '../harness/processes.mjs';
import { objectProjects } from './object-world.mjs';
import { World } from './world.mjs';

const MAX_RESIDENT_MIB = 300;
/** A client that pauses first, then reads slower than the service could write. */
const PAUSE_MS = 2_000;
const BYTES_PER_SECOND = 16 * 1_048_576;
const MARK = '"object_id":';

/** What the service is asked for; lines are counted by a trailer, too. */
const FORMS = [
  { name: 'as one JSON object', accept: 'application/json' },
  { name: 'as lines', accept: 'application/x-ndjson' },
];

/**
 * `POST /objs/query` without a limit and with a slow client: the service, run as `npm start` runs
 * it, must not buffer unread rows.
 */
export async function measureExport(context) {
  for (const form of FORMS) await measureForm(context, form);
}

async function measureForm(context, { name, accept }) {
  const { progress, report } = context;
  const { deep } = await objectProjects(context);
  const world = await World.of(context);
  const trace = await world.startTrace({ isLean: true });
  const rows = deep.shape.objects * deep.shape.versions;
  const idleMiB = HAS_PROC ? residentMiB(trace.pid) : 0;

  progress.step(`export of ${rows.toLocaleString('en-US')} rows of metadata ${name}`);
  const begin = performance.now();
  const answer = await open(
    trace.port,
    { authorization: world.authorization, accept },
    { project_id: deep.id, metadata_only: true },
  );
  const firstByteMs = performance.now() - begin;
  const found = await readSlowly(answer, (count) => progress.detail(`${count.toLocaleString('en-US')} rows`));
  const seconds = (performance.now() - begin) / 1_000;
  if (found !== rows) throw new Error(`the export has ${found} rows instead of ${rows}`);
  const counted = answer.trailers['x-row-count'];
  if (accept === 'application/x-ndjson' && counted !== String(rows))
    throw new Error(`the trailer says ${counted} rows instead of ${rows}`);
  const peakMiB = HAS_PROC ? peakResidentMiB(trace.pid) : null;
  report.add({
    measure: `export of ${rows.toLocaleString('en-US')} rows ${name}, peak resident`,
    value: peakMiB,
    unit: 'MiB',
    peer: HAS_PROC ? idleMiB : undefined,
    peerName: 'before',
    target: `< ${MAX_RESIDENT_MIB} MiB`,
    ...(peakMiB !== null && { isMet: peakMiB < MAX_RESIDENT_MIB }),
    note: `first byte after ${Math.round(firstByteMs)} ms, ${Math.round(rows / seconds).toLocaleString('en-US')} rows/s`,
  });
  await trace.stop();
}

function open(port, headers, body) {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/objs/query', method: 'POST', headers }, resolve)
      .on('error', reject)
      .end(JSON.stringify(body));
  });
}

/** @returns {Promise<number>} how many objects the answer has */
async function readSlowly(answer, onCount) {
  await sleep(PAUSE_MS);
  const begin = performance.now();
  let bytes = 0;
  let count = 0;
  let tail = '';
  for await (const chunk of answer) {
    bytes += chunk.length;
    const text = tail + chunk.toString('latin1');
    const parts = text.split(MARK);
    count += parts.length - 1;
    tail = parts.at(-1).slice(-MARK.length + 1);
    const earlyMs = (bytes * 1_000) / BYTES_PER_SECOND - (performance.now() - begin);
    if (earlyMs > 5) {
      onCount(count);
      await sleep(earlyMs);
    }
  }
  return count;
}
