import { HttpConnection, toRequest } from '../harness/http-connection.mjs';
import { probeUntil } from '../harness/probes.mjs';
import { World } from './world.mjs';

const MAX_HOLD_MS = 200;
const WARM_UP_PROBES = 50;

/** Bodies below every limit, each the worst of its kind: `[what it is, path, body]`. */
function heavyBodies(projectId, { quick }) {
  const share = quick ? 0.25 : 1;
  const count = (whole) => Math.round(whole * share);
  const numbers = (length, of) => Array.from({ length }, (_, n) => of(n));
  const object = (name, val) => ({ obj: { project_id: projectId, object_id: name, val } });
  const keys = (value) => Object.fromEntries(numbers(count(400_000), (n) => [`k${n}`, value]));
  const feedback = { project_id: projectId, trace_ref: `hone:///${projectId}/call/c`, feedback_type: 't', payload: {} };
  const start = { project_id: projectId, op_name: 'o', started_at: '2026-01-01T00:00:00Z', attributes: {} };
  const namedRecords = {
    batch: numbers(count(20_000), (n) => ({ ...feedback, id: `f${n}`, payload: { text: 'x'.repeat(600) } })),
  };
  return [
    ['a text of 16 MB of é', '/obj/create', object('letters', 'é'.repeat(count(8_000_000)))],
    [
      '1,000,000 floats',
      '/obj/create',
      object(
        'floats',
        numbers(count(1_000_000), (n) => n + 0.5),
      ),
    ],
    ['400,000 ratings', '/feedback/create', { ...feedback, scorer_ratings: keys(0.5) }],
    ['400,000 wrong ratings', '/feedback/create', { ...feedback, scorer_ratings: keys(2) }, 422],
    [
      '20,000 records',
      '/feedback/batch/create',
      { batch: numbers(count(20_000), (n) => ({ ...feedback, payload: { text: `${n}`.padEnd(600, 'x') } })) },
    ],
    [
      '4,000 calls',
      '/call/upsert_batch',
      {
        batch: numbers(count(4_000), (n) => ({
          mode: 'start',
          req: { start: { ...start, id: `c${n}`, inputs: { text: `${n}`.padEnd(4_000, 'x') } } },
        })),
      },
    ],
    [
      '10,000 calls as SDKs send them',
      `/compat/weave/v2/${projectId}/calls/complete`,
      {
        batch: numbers(count(10_000), (n) => ({
          ...{ ...start, id: `s${n}`, trace_id: 't', ended_at: start.started_at },
          inputs: { text: `${n}`.padEnd(2_500, 'x'), dataset: `weave:///${projectId}/object/d:v0` },
          ...{ output: null, summary: { weave: {} } },
        })),
      },
    ],
    ['20,000 records with ids', '/feedback/batch/create', namedRecords],
    ['20,000 records that are stored already', '/feedback/batch/create', namedRecords],
    [
      'a table of 200,000 rows',
      '/table/create',
      { table: { project_id: projectId, rows: numbers(count(200_000), (n) => ({ n, text: `${n}`.padEnd(80, 'x') })) } },
    ],
    [
      'a table of a million equal rows',
      '/table/create',
      { table: { project_id: projectId, rows: numbers(count(1_000_000), () => ({})) } },
    ],
    [
      'unknown digests of 500,000 rows',
      '/table/create_from_digests',
      { project_id: projectId, row_digests: numbers(count(500_000), (n) => `${n}`.padEnd(43, 'x')) },
      422,
    ],
    [
      'a dataset of 100,000 rows',
      `/v2/${projectId}/datasets`,
      { name: 'd', rows: numbers(count(100_000), (n) => ({ question: `${n}`.padEnd(200, 'x'), n })) },
    ],
    [
      'a query for a text of 16 MB',
      '/calls/query_stats',
      {
        project_id: projectId,
        query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'x'.repeat(count(16_000_000)) }] } },
      },
    ],
    [
      'a query for 500,000 values',
      '/calls/query_stats',
      {
        project_id: projectId,
        query: { $expr: { $in: [{ $getField: 'id' }, numbers(count(500_000), (n) => ({ $literal: `${n}` }))] } },
      },
      422,
    ],
    // Just light enough for the main thread.
    ['a text of 1 MB of é, without a thread', '/obj/create', object('light', 'é'.repeat(523_000))],
    [
      '29,000 ratings, without a thread',
      '/feedback/create',
      { ...feedback, scorer_ratings: Object.fromEntries(numbers(29_000, (n) => [`k${n}`, 0.5])) },
    ],
  ];
}

/** How long a body within the limits keeps probes waiting: the longest of those that were sent while it was handled. */
export async function measureHeavyBodies(context) {
  const { options, progress, report } = context;
  const world = await World.of(context);
  const [client] = await world.connect(1);
  const project = await world.makeProject(client, 'heavy');
  const trace = await world.startTrace();
  const [connection, probes] = await Promise.all([HttpConnection.open(trace.port), HttpConnection.open(trace.port)]);
  let warmUp = WARM_UP_PROBES;
  await probeUntil(probes, () => warmUp-- === 0);

  for (const [name, path, body, status = 200] of heavyBodies(project.id, options)) {
    progress.step(`probes beside ${name}`);
    const request = toRequest(path, world.authorization, body);
    const begin = performance.now();
    let isAnswered = false;
    const answered = expectStatus(connection, request, status).finally(() => (isAnswered = true));
    const { longestMs, count } = await probeUntil(probes, () => isAnswered);
    await answered;
    report.add({
      measure: `longest probe beside ${name}`,
      value: longestMs,
      unit: 'ms',
      target: `<= ${MAX_HOLD_MS} ms`,
      isMet: longestMs <= MAX_HOLD_MS,
      note: `${name}: ${(request.length / 1e6).toFixed(1)} MB answered after ${Math.round(performance.now() - begin)} ms, beside ${count} probes`,
    });
  }
  connection.close();
  probes.close();
  await trace.stop();
  await client.end();
}

async function expectStatus(connection, request, status) {
  if (status === 200) return connection.send(request);
  const refused = await connection.send(request).catch((error) => error);
  if (!refused.message?.startsWith(`status ${status}`))
    throw new Error(`expected status ${status}: ${refused.message}`);
}
