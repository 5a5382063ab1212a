import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Cleanup } from '../harness/cleanup.mjs';
import { Progress } from '../harness/progress.mjs';
import { audit, untilJobsEnd, untilUsageIsWritten } from './audit.mjs';
import { Caller } from './caller.mjs';
import { FaultInjector } from './fault-injector.mjs';
import { Ledger } from './ledger.mjs';
import { accessKey, team } from './load/accounts.mjs';
import { claim, makeAnnotators } from './load/annotation.mjs';
import { callHalves, file, span, wholeCalls } from './load/calls.mjs';
import { answer, stream } from './load/chat.mjs';
import {
  call,
  dataset,
  evaluation,
  feedback,
  feedbackBatch,
  heavyBatch,
  heavyVersion,
  judgement,
  objectVersion,
} from './load/trace.mjs';
import { artifact, cancelledJob, importedCheckpoint, job, log, makeModels, passingModel } from './load/training.mjs';
import { Stack } from './stack.mjs';

const USAGE = `Usage: npm run faults -- [--minutes 20] [--every 3.5] [--seed 1] [--faults 0] [--json]
Starts Hone in a temporary folder, loads every endpoint that writes, kills and freezes its processes at random, and
then checks that every acknowledged write is stored exactly once.

  --minutes  duration of load and faults
  --every    seconds between two faults, on the average
  --seed     equal seeds choose equal targets, faults and times
  --faults   goes on until so many faults were injected and a write of every kind was acknowledged, however long that
             takes on a busy machine
  --json     the result as JSON on stdout; progress stays on stderr`;
const JOBS_END_MS = 900_000;
const USAGE_WRITTEN_MS = 300_000;
const POLL_MS = 100;
/** Pause of a worker: for claims, for work of several writes, for writes of megabytes, for jobs, and for cancelled jobs. */
const CLAIM_MS = 300;
const SELDOM_MS = 1_500;
const HEAVY_MS = 3_000;
const JOB_MS = 4_000;
const CANCELLED_MS = 10_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    every: { type: 'string', default: '3.5' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const cleanup = new Cleanup();
const progress = new Progress();
let exitCode = 1;
try {
  exitCode = (await faults()) ? 0 : 1;
} catch (error) {
  progress.end();
  console.error(error);
}
await cleanup.run();
process.exit(exitCode);

/** @returns {Promise<boolean>} nothing is missing, doubled or left */
async function faults() {
  progress.step('starting Hone');
  const stack = await Stack.start({ cleanup });
  const ledger = new Ledger();
  const caller = new Caller(stack, ledger);
  const models = await makeModels(caller);
  const annotators = await makeAnnotators(caller);
  const injector = new FaultInjector(stack, randomOf(Number(values.seed)), Number(values.every) * 1_000);
  const over = new AbortController();
  // Every worker's pause listens to it.
  setMaxListeners(0, over.signal);
  const work = workers(caller, ledger, { models, annotators }, over.signal, injector);
  await Promise.all([untilEnough(ledger, injector).then(() => over.abort()), injector.run(over.signal), ...work]);
  progress.step('waiting until everything is ready');
  await stack.untilReady();
  const client = await stack.database();
  await untilJobsEnd(client, JOBS_END_MS);
  await untilUsageIsWritten(client, ledger, USAGE_WRITTEN_MS);
  progress.step('comparing the database with the ledger');
  const rows = await audit(client, ledger, stack.dataDir);
  await client.end();
  stack.processes();
  await stack.stop();
  const survivors = stack.survivors();
  for (const { pid, command } of survivors) progress.step(`left running: ${pid} ${command}`);
  rows.push({ what: 'process left running', acknowledged: 0, missing: survivors.length, doubled: 0 });
  progress.end();
  if (values.json) console.log(toJson(rows, ledger, injector));
  else print(rows, ledger, injector);
  return rows.every(({ missing, doubled }) => missing === 0 && doubled === 0);
}

/** Waits until the time of load and faults has passed, and what is to be seen at least was seen. */
async function untilEnough(ledger, injector) {
  const end = Date.now() + Number(values.minutes) * 60_000;
  const least = Number(values.faults);
  const isSeen = () => injector.total >= least && ledger.kinds.every((kind) => ledger.acknowledgedOf(kind).length > 0);
  while (Date.now() < end || (least > 0 && !isSeen())) await sleep(POLL_MS);
}

/** One worker per kind of work, in a loop. */
function workers(caller, ledger, { models, annotators }, over, injector) {
  const often = [
    feedback,
    feedback,
    feedbackBatch,
    objectVersion,
    call,
    callHalves,
    span,
    accessKey,
    answer,
    answer,
    stream,
    log,
  ];
  const seldom = [team, dataset, judgement, evaluation, passingModel, artifact, importedCheckpoint];
  const kinds = [
    ...often.map((work) => [work, 0]),
    ...seldom.map((work) => [work, SELDOM_MS]),
    ...annotators.map((annotator) => [() => claim(caller, ledger, annotator), CLAIM_MS]),
    [heavyVersion, HEAVY_MS],
    [heavyBatch, HEAVY_MS],
    [wholeCalls, HEAVY_MS],
    [file, HEAVY_MS],
    [job, JOB_MS],
    [cancelledJob, CANCELLED_MS],
  ];
  return kinds.map(async ([work, pauseMs]) => {
    while (!over.aborted) {
      await work(caller, ledger, models);
      progress.step(`${ledger.total} writes acknowledged, ${injector.total} faults`);
      await sleep(pauseMs, undefined, { signal: over }).catch(() => undefined);
    }
    caller.isStopped = true;
  });
}

function print(rows, ledger, { counts, total }) {
  const cells = [
    ['what', 'acknowledged', 'missing or wrong', 'doubled'],
    ...rows.map(({ what, acknowledged, missing, doubled }) => [what, `${acknowledged}`, `${missing}`, `${doubled}`]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  for (const row of cells) {
    console.log(
      row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[0]))).join('  '),
    );
  }
  console.log(`\n${ledger.total} writes acknowledged, ${total} faults:`);
  for (const [name, times] of [...counts].sort()) console.log(`  ${name} ${times}`);
  console.log(`Answers: ${[...ledger.statuses].map(([status, times]) => `${status} ${times}`).join(', ')}`);
}

function toJson(rows, ledger, { counts, total }) {
  const [injected, answers] = [Object.fromEntries(counts), Object.fromEntries(ledger.statuses)];
  return JSON.stringify({ acknowledged: ledger.total, faults: total, rows, injected, answers }, null, 2);
}

/** Numbers from 0 to 1; the same seed gives the same ones (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
