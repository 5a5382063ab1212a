import { HttpConnection, toRequest } from '../harness/http-connection.mjs';
import { median, percentile } from '../harness/statistics.mjs';
import { assertAllStored, feedbackBody, feedbackRow, INSERT_ONE, insertOneValues } from './feedback-content.mjs';
import { takeTurns } from './take-turns.mjs';
import { World } from './world.mjs';

const CONNECTIONS = 64;
const BARE_CONNECTIONS = 4;
const BODIES = 256;
/** Sharing commits saves what a commit costs: 3 ms is about 1,200 a second on four connections, for which the target was set. */
const DISKS = [
  { name: 'disk as it is', delayUs: 0, ratio: 0 },
  { name: 'commits of 3 ms', delayUs: 3_000, ratio: 3 },
];

/** `POST /feedback/create` from 64 clients against single-row commits. */
export async function measureSingles(context) {
  const { progress } = context;
  const world = await World.of(context);
  const [admin, ...clients] = await world.connect(1 + BARE_CONNECTIONS);
  const project = await world.makeProject(admin, 'singles');
  const seeds = Array.from({ length: BODIES }, (_, seed) => seed);
  const requests = seeds.map((seed) =>
    toRequest('/feedback/create', world.authorization, feedbackBody(project.id, seed)),
  );
  const rows = seeds.map((seed) => insertOneValues(project.rowId, world.userId, feedbackRow(project.id, seed)));
  const trace = await world.startTrace();
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => HttpConnection.open(trace.port)));
  let turn = 0;
  const throughHone = connections.map((connection) => async () => {
    await connection.send(requests[turn++ % BODIES]);
    return 1;
  });
  const bare = clients.map((client) => async () => {
    await client.query({ ...INSERT_ONE, values: rows[turn++ % BODIES] });
    return 1;
  });

  let stored = 0;
  for (const disk of DISKS) {
    progress.step(`single feedback creates, ${disk.name}`);
    await setCommitDelay(admin, disk.delayUs);
    stored += await compare(context, disk, { trace, world, throughHone, bare });
    await assertAllStored(admin, project.rowId, stored);
  }
  await setCommitDelay(admin, 0);

  for (const connection of connections) connection.close();
  await trace.stop();
  await Promise.all([admin, ...clients].map((client) => client.end()));
}

/** Rounds of both sides in turn, into the report; returns how many rows were stored. */
async function compare(context, disk, sides) {
  const { report } = context;
  const { value, peer, honeRounds, stored, cpu } = await takeTurns(context, sides);
  report.add({
    measure: `feedback, single creates, 64 connections, ${disk.name}`,
    value,
    unit: 'creates/s',
    peer,
    peerName: 'bare commits',
    target: disk.ratio ? `ratio >= ${disk.ratio}, >= 1,500/s` : '>= 1,500/s',
    isMet: value / peer >= disk.ratio && value >= 1_500,
    note: cpu.note('create'),
  });
  for (const [share, name, limitMs] of [
    [0.5, 'p50'],
    [0.99, 'p99', 100],
  ]) {
    const latency = median(honeRounds.map(({ latenciesMs }) => percentile(latenciesMs, share)));
    report.add({
      measure: `  ${name} of one create`,
      value: latency,
      unit: 'ms',
      ...(limitMs && { target: `< ${limitMs} ms`, isMet: latency < limitMs }),
    });
  }
  return stored;
}

/** Delays every flush of the write-ahead log, like a slow disk; 0: no delay. */
async function setCommitDelay(admin, delayUs) {
  await admin.query(`ALTER SYSTEM SET commit_delay = ${delayUs}`);
  await admin.query('ALTER SYSTEM SET commit_siblings = 0');
  await admin.query('SELECT pg_reload_conf()');
}
