import { World } from '../trace/world.mjs';

const SHAPES = { full: { small: 10_000, large: 1_000_000 }, quick: { small: 5_000, large: 50_000 } };
const OPS = 20;
/** Calls of the trace that is read whole. */
export const TREE = { full: 10_000, quick: 2_000 };
const BATCH = 50_000;

let made;

/** Loads the calls once per run. @returns projects by name, with how many calls they have */
export function callProjects(context) {
  made ??= load(context);
  return made;
}

async function load(context) {
  const { options, progress } = context;
  const world = await World.of(context);
  const [client] = await world.connect(1);
  const projects = {};
  const shapes = { ...(options.quick ? SHAPES.quick : SHAPES.full), tree: options.quick ? TREE.quick : TREE.full };
  for (const [name, calls] of Object.entries(shapes)) {
    progress.step(`loading ${calls.toLocaleString('en-US')} calls`);
    projects[name] = { ...(await world.makeProject(client, `calls-${name}`)), calls };
    for (let from = 0; from < calls; from += BATCH)
      await insert(client, world, projects[name], from, Math.min(from + BATCH, calls), name === 'tree');
  }
  progress.step('vacuum and analyze');
  await client.query('VACUUM ANALYZE calls, call_values');
  await client.end();
  return projects;
}

/** Calls one second apart, ten to a trace, or all in one trace. */
async function insert(client, world, project, from, to, isTree) {
  await client.query(
    `WITH made AS (
       SELECT n, regexp_replace(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), '^(.{8})', '\\1-') || '-7' || n AS id, at
       FROM generate_series($3::int, $4::int - 1) n, LATERAL (SELECT '2026-09-01'::timestamptz + n * interval '1 s' AS at) t),
     stored AS (
       INSERT INTO call_values (project_id, id, attributes_text, inputs_text, output_text, summary_text)
       SELECT $1::uuid, id, '{"env":"production"}', '{"question":"' || repeat(md5(n::text) || ' ', 25) || '","n":' || n % 1000 || '}',
         '{"answer":"' || repeat(md5((-n)::text) || ' ', 25) || '"}', '{"usage":{"m":{"requests":1,"prompt_tokens":9}}}' FROM made)
     INSERT INTO calls (project_id, id, svc_user_id, op_name, trace_id, parent_id, started_at, ended_at, start_bytes, end_bytes)
     SELECT $1::uuid, id, $2::uuid, 'hone:///bench/calls/op/step-' || n % ${OPS} || ':v0',
       CASE WHEN $5 THEN 'tree' ELSE 't' || n / 10 END, CASE WHEN n % 10 > 0 THEN 'p' || n / 10 END, at, at + interval '1 s', 900, 900
     FROM made`,
    [project.rowId, world.userId, from, to, isTree],
  );
}
