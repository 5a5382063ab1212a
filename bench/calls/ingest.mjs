import { newId } from '@hone/database';

import { HttpConnection, toRequest } from '../harness/http-connection.mjs';
import { takeTurns } from '../trace/take-turns.mjs';
import { World } from '../trace/world.mjs';
import { callRow, finishedCalls, INSERT_BATCH } from './call-content.mjs';
import { yearOfCalls } from './year.mjs';

const CONNECTIONS = 4;
const CALLS = 100;
/** Different contents, used in turn. */
const KINDS = 40;

/** `POST /v2/{entity}/{project}/calls/complete` against bare `INSERT`s of the same rows into the same tables. */
export async function measureIngest(context) {
  const { progress, report } = context;
  const world = await World.of(context);
  const [admin, ...clients] = await world.connect(1 + CONNECTIONS);
  const project = await world.makeProject(admin, 'calls');
  progress.step('making finished calls of 2 KiB');
  const kinds = Array.from({ length: KINDS }, (_, seed) => finishedCalls(seed, CALLS));
  const fresh = freshBatches(kinds);
  const trace = await world.startTrace();
  const connections = await Promise.all(clients.map(() => HttpConnection.open(trace.port)));
  const path = `/v2/${project.id}/calls/complete`;
  const throughHone = connections.map((connection) => async () => {
    await connection.send(toRequest(path, world.authorization, { batch: fresh.next() }));
    return CALLS;
  });
  const bare = clients.map((client) => async () => {
    const text = JSON.stringify(fresh.next().map(callRow));
    await client.query({ ...INSERT_BATCH, values: [text, project.rowId, world.userId] });
    return CALLS;
  });

  progress.step('finished calls in batches of 100');
  const { value, peer, stored, cpu } = await takeTurns(context, { trace, world, throughHone, bare });
  const { rows } = await admin.query(
    `SELECT count(*)::int AS stored, (SELECT count(*)::int FROM call_values WHERE project_id = $1) AS values
     FROM calls WHERE project_id = $1`,
    [project.rowId],
  );
  if (rows[0].stored !== stored || rows[0].values !== stored)
    throw new Error(`${stored} calls were acknowledged, ${JSON.stringify(rows[0])} are stored`);
  report.add({
    measure: 'finished calls of 2 KiB, batches of 100, 4 connections',
    value,
    unit: 'calls/s',
    peer,
    peerName: 'bare INSERT',
    target: 'ratio >= 0.5, >= 4,000 calls/s',
    isMet: value / peer >= 0.5 && value >= 4_000,
    note: cpu.note('call'),
  });
  await reportBytes(admin, stored, report);
  for (const connection of connections) connection.close();
  await trace.stop();
  await Promise.all([admin, ...clients].map((client) => client.end()));
}

/** The same into a project that has a year of calls, against one that has none. */
export async function measureFullIngest(context) {
  const { progress, report } = context;
  const full = await yearOfCalls(context);
  const world = await World.of(context);
  const [admin] = await world.connect(1);
  const empty = await world.makeProject(admin, 'calls-empty');
  const fresh = freshBatches(Array.from({ length: KINDS }, (_, seed) => finishedCalls(seed, CALLS)));
  const trace = await world.startTrace();
  const into = ({ id }) =>
    Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        const connection = await HttpConnection.open(trace.port);
        return async () => {
          const body = { batch: fresh.next() };
          await connection.send(toRequest(`/v2/${id}/calls/complete`, world.authorization, body));
          return CALLS;
        };
      }),
    );
  progress.step('finished calls into a full project and an empty one');
  const { value, peer } = await takeTurns(context, {
    ...{ trace, world },
    ...{ throughHone: await into(full), bare: await into(empty) },
  });
  report.add({
    measure: `finished calls into a project of ${full.calls.toLocaleString('en-US')} calls`,
    ...{ value, unit: 'calls/s', peer, peerName: 'into an empty one' },
    ...{ target: 'ratio >= 0.9', isMet: value / peer >= 0.9 },
  });
  await trace.stop();
  await admin.end();
}

/** Batches of new calls: the same contents under new ids and times, which cost the load generator little. */
function freshBatches(kinds) {
  let turn = 0;
  return {
    next() {
      const ids = new Map();
      const idOf = (id) => id && (ids.get(id) ?? ids.set(id, newId()).get(id));
      const startedMs = Date.now();
      const times = {
        started_at: new Date(startedMs).toISOString(),
        ended_at: new Date(startedMs + 750).toISOString(),
      };
      return kinds[turn++ % kinds.length].map((call) => ({
        ...call,
        ...times,
        id: idOf(call.id),
        trace_id: idOf(call.trace_id),
        parent_id: idOf(call.parent_id),
      }));
    },
  };
}

async function reportBytes(client, stored, report) {
  await client.query('CHECKPOINT');
  for (const [measure, tables] of [
    ['bytes on disk per call, indexes included', ['calls', 'call_values']],
    ['  of these what lists read', ['calls']],
  ]) {
    const { rows } = await client.query(
      `SELECT sum(pg_total_relation_size(relid))::float8 AS bytes
       FROM unnest($1::text[]) AS name, pg_partition_tree(name::regclass) WHERE isleaf`,
      [tables],
    );
    report.add({ measure, value: rows[0].bytes / stored, unit: 'B' });
  }
}
