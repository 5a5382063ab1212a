import { HttpConnection, toRequest } from '../harness/http-connection.mjs';
import { inTurn, runFor } from '../harness/load.mjs';
import { median, percentile } from '../harness/statistics.mjs';
import { CpuMeter } from './cpu-meter.mjs';
import { assertAllStored, feedbackBody, feedbackRow, INSERT_ONE, insertOneValues } from './feedback-content.mjs';
import { World } from './world.mjs';

const CONNECTIONS = 64;
const BARE_CONNECTIONS = 4;
const BODIES = 256;

/** `POST /feedback/create` from 64 clients against single-row commits. */
export async function measureSingles(context) {
  const { options, progress, report } = context;
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

  progress.step('single feedback creates');
  const [rounds, ms] = options.quick ? [2, 700] : [5, 3_000];
  const cpu = new CpuMeter({ service: trace.pid, postgres: world.postgresPid });
  let stored = 0;
  const counted = async (side, workers) => {
    const result = await cpu.count(side, () => runFor(ms, workers));
    stored += result.units;
    return result;
  };
  const { a, b } = await inTurn(
    rounds,
    () => counted('hone', throughHone),
    () => counted('peer', bare),
    (round) => progress.detail(`round ${round} of ${rounds}`),
  );
  await assertAllStored(admin, project.rowId, stored);

  const value = median(a.map(({ perSecond }) => perSecond));
  const peer = median(b.map(({ perSecond }) => perSecond));
  report.add({
    measure: 'feedback, single creates, 64 connections',
    value,
    unit: 'creates/s',
    peer,
    peerName: 'bare commits',
    target: 'ratio >= 3, >= 1,500/s',
    isMet: value / peer >= 3 && value >= 1_500,
    note: cpu.note('create'),
  });
  for (const [share, name, limitMs] of [
    [0.5, 'p50'],
    [0.99, 'p99', 100],
  ]) {
    const latency = median(a.map(({ latenciesMs }) => percentile(latenciesMs, share)));
    report.add({
      measure: `  ${name} of one create`,
      value: latency,
      unit: 'ms',
      ...(limitMs && { target: `< ${limitMs} ms`, isMet: latency < limitMs }),
    });
  }
  for (const connection of connections) connection.close();
  await trace.stop();
  await Promise.all([admin, ...clients].map((client) => client.end()));
}
