import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { freePort } from '@hone/database';

import { REPOSITORY } from '../harness/paths.mjs';
import { HAS_PROC, memoryOfTree } from '../harness/processes.mjs';
import { stopProcess } from '../harness/service.mjs';

const LAUNCHER = fileURLToPath(new URL('apps/launcher/start.mjs', REPOSITORY));
const READY = 'Hone is ready on';
const START_LIMIT_MS = 120_000;
const WARM_LIMIT_S = 8;
const MEMORY_LIMIT_MIB = 1_126;
/** A started process gives back what its start took: V8 does so some ten seconds after the last work. */
const IDLE_MS = 15_000;

/** What `npm start` runs, once on an empty data folder and once on the same folder again. */
export async function measureStart(context) {
  const { cleanup, progress, report } = context;
  if (!existsSync(LAUNCHER)) {
    report.add({ measure: 'npm start', value: null, unit: 's', note: 'apps/launcher/start.mjs is not there' });
    return;
  }
  const dir = await mkdtemp(join(tmpdir(), 'hone-bench-start-'));
  cleanup.add(() => rm(dir, { recursive: true, force: true }));
  progress.step('npm start on an empty folder');
  const cold = await start(cleanup, dir);
  await cold.stop();
  progress.step('npm start again');
  const warm = await start(cleanup, dir);
  report.add({ measure: 'npm start, first time, until ready', value: cold.seconds, unit: 's' });
  report.add({
    measure: 'npm start, warm, until ready',
    value: warm.seconds,
    unit: 's',
    target: `<= ${WARM_LIMIT_S} s`,
    isMet: warm.seconds <= WARM_LIMIT_S,
  });
  progress.step('letting it idle');
  await sleep(IDLE_MS);
  if (HAS_PROC) reportMemory(report, memoryOfTree(warm.pid));
  await warm.stop();
}

async function start(cleanup, dir) {
  const begin = performance.now();
  const child = spawn(process.execPath, [LAUNCHER], {
    cwd: fileURLToPath(REPOSITORY),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, HONE_DATA_DIR: dir, HONE_PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = cleanup.add(() => stopProcess(child));
  await untilReady(child);
  return { pid: child.pid, seconds: (performance.now() - begin) / 1_000, stop };
}

function untilReady(child) {
  let output = '';
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`npm start ${why}:\n${output.slice(-2_000)}`));
    const timer = setTimeout(() => fail('was not ready in time'), START_LIMIT_MS);
    child.once('exit', (code) => fail(`ended with exit code ${code}`));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-10_000);
        if (!output.includes(READY)) return;
        clearTimeout(timer);
        resolve();
      });
    }
  });
}

/** Services one by one; the dozen processes of Postgres share their memory and are one line. */
function reportMemory(report, processes) {
  const isPostgres = ({ command }) => command.startsWith('postgres');
  const sum = (list, key) => list.reduce((total, process) => total + (process[key] ?? 0), 0);
  const postgres = processes.filter(isPostgres);
  const parts = [
    ...processes.filter((process) => !isPostgres(process)),
    { command: `postgres (${postgres.length} processes)`, residentMiB: sum(postgres, 'residentMiB') },
  ];
  const resident = sum(processes, 'residentMiB');
  report.add({
    measure: 'resident memory when idle, all processes',
    value: resident,
    unit: 'MiB',
    target: `<= ${MEMORY_LIMIT_MIB} MiB`,
    isMet: resident <= MEMORY_LIMIT_MIB,
    note: `${Math.round(sum(processes, 'proportionalMiB'))} MiB when pages that processes share count once`,
  });
  for (const { command, residentMiB } of parts) {
    report.add({ measure: `  ${command}`, value: residentMiB, unit: 'MiB' });
  }
}
