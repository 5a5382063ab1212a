import { World } from '../trace/world.mjs';

const CALLS = { full: 1_000_000, quick: 50_000 };
const BATCH = 50_000;
const MODELS = ['small', 'medium', 'large', 'huge'];
const OPS = 20;
export const YEAR = { start: '2025-10-01T00:00:00Z', end: '2026-10-01T00:00:00Z' };
/** The last thirty days of it have half of the calls. */
export const MONTH = { start: '2026-09-01T00:00:00Z', end: YEAR.end };

let made;

/**
 * A year of finished calls in one project, with what Hone derives of them: each op asks one model, one call
 * in 32 failed, and latencies spread over two decades. `HONE_BENCH_CALLS` says how many. Loaded once per run.
 *
 * @returns the project, with how many calls it has
 */
export function yearOfCalls(context) {
  made ??= load(context);
  return made;
}

async function load(context) {
  const { options, progress } = context;
  const world = await World.of(context);
  const [client] = await world.connect(1);
  const project = await world.makeProject(client, 'calls-year');
  const calls = Number(process.env.HONE_BENCH_CALLS ?? (options.quick ? CALLS.quick : CALLS.full));
  progress.step(`loading a year of ${calls.toLocaleString('en-US')} calls`);
  for (let from = 0; from < calls; from += BATCH) {
    await insert(client, world, project, calls, from, Math.min(from + BATCH, calls));
    progress.detail(`${Math.min(from + BATCH, calls).toLocaleString('en-US')} calls`);
  }
  progress.step('vacuum and analyze');
  await client.query('VACUUM ANALYZE calls');
  await client.end();
  return { ...project, calls };
}

/** The first half of them spread over eleven months, the second over one. The calls have no values: charts read none. */
async function insert(client, world, project, calls, from, to) {
  await client.query(
    `WITH made AS (
       SELECT n, hashint8(n) AS h, CASE WHEN n < $5::int / 2
         THEN $6::timestamptz + ($7::timestamptz - $6::timestamptz) * (n::float8 / ($5::int / 2))
         ELSE $7::timestamptz + ($8::timestamptz - $7::timestamptz) * ((n - $5::int / 2)::float8 / ($5::int - $5::int / 2)) END AS at
       FROM generate_series($3::int, $4::int - 1) n)
     INSERT INTO calls (project_id, id, svc_user_id, op_name, trace_id, parent_id, started_at, ended_at, exception,
       is_start_derived, is_end_derived, model, requests, prompt_tokens, completion_tokens, total_tokens)
     SELECT $1::uuid, regexp_replace(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), '^(.{8})', '\\1-') || '-7' || n,
       $2::uuid, 'hone:///bench/calls/op/step-' || n % ${OPS} || ':v0', 't' || n / 10, CASE WHEN n % 10 > 0 THEN 'p' || n / 10 END,
       at, at + interval '1 ms' * (100 + 10 ^ (2 + (h & 1023) / 512.0)), CASE WHEN h & 31 = 0 THEN 'Timeout' END,
       true, true, ($9::text[])[1 + n % ${MODELS.length}], 1, 200 + (h & 255), 100 + (h & 127), 300 + (h & 255) + (h & 127)
     FROM made`,
    [project.rowId, world.userId, from, to, calls, YEAR.start, MONTH.start, YEAR.end, MODELS],
  );
}
