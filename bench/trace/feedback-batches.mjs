import { HttpConnection, toRequest } from '../harness/http-connection.mjs';
import { assertAllStored, feedbackBody, feedbackRow, INSERT_BATCH } from './feedback-content.mjs';
import { takeTurns } from './take-turns.mjs';
import { World } from './world.mjs';

const CONNECTIONS = 4;
const ROWS = 1_000;
/** Different batches, used in turn. */
const BATCHES = 8;

/** `POST /feedback/batch/create` against one bare `INSERT … SELECT FROM jsonb_to_recordset($1)` per batch. */
export async function measureBatches(context) {
  const { progress, report } = context;
  const world = await World.of(context);
  const [admin, ...clients] = await world.connect(1 + CONNECTIONS);
  const project = await world.makeProject(admin, 'batches');
  const seeds = Array.from({ length: BATCHES }, (_, batch) => Array.from({ length: ROWS }, (_, i) => batch * ROWS + i));
  const requests = seeds.map((batch) =>
    toRequest('/feedback/batch/create', world.authorization, {
      batch: batch.map((seed) => feedbackBody(project.id, seed)),
    }),
  );
  const texts = seeds.map((batch) => JSON.stringify(batch.map((seed) => feedbackRow(project.id, seed))));
  const trace = await world.startTrace();
  const connections = await Promise.all(clients.map(() => HttpConnection.open(trace.port)));
  let turn = 0;
  const throughHone = connections.map((connection) => async () => {
    await connection.send(requests[turn++ % BATCHES]);
    return ROWS;
  });
  const bare = clients.map((client) => async () => {
    await client.query({ ...INSERT_BATCH, values: [texts[turn++ % BATCHES], project.rowId, world.userId] });
    return ROWS;
  });

  progress.step('feedback in batches of 1,000');
  const { value, peer, stored, cpu } = await takeTurns(context, { trace, world, throughHone, bare });
  await assertAllStored(admin, project.rowId, stored);

  report.add({
    measure: 'feedback, batches of 1,000, 4 connections',
    value,
    unit: 'rows/s',
    peer,
    peerName: 'bare INSERT',
    target: 'ratio >= 0.5, >= 8,000 rows/s',
    isMet: value / peer >= 0.5 && value >= 8_000,
    note: cpu.note('row'),
  });
  for (const connection of connections) connection.close();
  await trace.stop();
  await Promise.all([admin, ...clients].map((client) => client.end()));
}
