import { setTimeout as sleep } from 'node:timers/promises';

import { median } from '../harness/statistics.mjs';
import { World } from '../trace/world.mjs';
import { openTrace } from './trace-client.mjs';

const CALLS = { full: Number(process.env.HONE_BENCH_CALLS ?? 250_000), quick: 20_000 };
const BATCH = 10_000;
const MOST_MS = 1_000;
/** Words of prose, the first of them the most frequent: the n-th comes about once in n words (Zipf's law). */
const VOCABULARY = 5_000;
const WORDS = 60;
/** In each of the calls' inputs and outputs. */
const TEXT = `(SELECT string_agg('w' || floor(${VOCABULARY} ^ random())::int, ' ') FROM generate_series(1, ${WORDS}) WHERE n IS NOT NULL)`;

const SEARCHES = {
  'a frequent word': 'w2',
  'a word of about one call in a hundred': 'w900',
  'three words': 'w20 w30 w40',
  'a phrase of two frequent words': '"w1 w2"',
  'a phrase of two rare words': '"w1500 w1600"',
  'a word that no call has': 'absent',
};

/** `POST /calls/query` with `$search`, the newest 50 of thirty days, and what the index takes. */
export async function measureSearch(context) {
  const { options, progress, report } = context;
  const world = await World.of(context);
  const [client] = await world.connect(1);
  const calls = options.quick ? CALLS.quick : CALLS.full;
  const project = await world.makeProject(client, 'calls-search');
  progress.step(`loading ${calls.toLocaleString('en-US')} calls with words`);
  for (let from = 0; from < calls; from += BATCH) {
    await insert(client, world, project, calls, from, Math.min(from + BATCH, calls));
    progress.detail(`${Math.min(from + BATCH, calls).toLocaleString('en-US')} calls`);
  }
  await client.query('VACUUM ANALYZE calls, call_values');
  const { send, close } = await openTrace(world, project);
  const search = (words) =>
    send('/calls/query', {
      ...{ columns: ['id'], limit: 50, sort_by: [{ field: 'started_at', direction: 'desc' }] },
      query: { $expr: { $search: { words: { $literal: words } } } },
    });
  progress.step('index of words');
  const begin = performance.now();
  await untilIndexed(progress, send);
  report.add({
    measure: `index of the words of ${calls.toLocaleString('en-US')} calls, made`,
    value: (performance.now() - begin) / 1_000,
    unit: 's',
  });
  await client.query('VACUUM ANALYZE call_search');
  await reportBytes(client, calls, report);
  progress.step('searches');
  for (const [name, words] of Object.entries(SEARCHES)) {
    const samples = [];
    for (let at = 0; at < (options.quick ? 5 : 20); at++) {
      const sent = performance.now();
      await search(words);
      if (at > 0) samples.push(performance.now() - sent);
    }
    const value = median(samples);
    report.add({
      measure: `newest 50 with ${name}, ${calls.toLocaleString('en-US')} calls`,
      value,
      unit: 'ms',
      target: `<= ${MOST_MS} ms`,
      isMet: value <= MOST_MS,
    });
  }
  await close();
  await client.end();
}

/** Thirty days of them, the last of them now. */
async function insert(client, world, project, calls, from, to) {
  await client.query(
    `WITH made AS (
       SELECT n, regexp_replace(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), '^(.{8})', '\\1-') || '-7' || n AS id, at
       FROM generate_series($3::int, $4::int - 1) n, LATERAL (SELECT now() - interval '30 days' * (1 - n::float8 / $5::int) AS at) t),
     stored AS (
       INSERT INTO call_values (project_id, id, attributes_text, inputs_text, output_text, summary_text)
       SELECT $1::uuid, id, '{}', '{"q":"' || ${TEXT} || '"}', '{"a":"' || ${TEXT} || '"}', '{}' FROM made)
     INSERT INTO calls (project_id, id, svc_user_id, op_name, trace_id, started_at, ended_at, is_start_derived, is_end_derived)
     SELECT $1::uuid, id, $2::uuid, 'hone:///bench/calls/op/step:v0', 't' || n, at, at + interval '1 s', true, true FROM made`,
    [project.rowId, world.userId, from, to, calls],
  );
}

/** In the background, as it is after many calls were imported: nobody searches and nothing is written meanwhile. */
async function untilIndexed(progress, send) {
  for (;;) {
    const { waiting_calls } = JSON.parse(await send('/project/search/read', {}));
    if (waiting_calls === 0) return;
    progress.detail(`${waiting_calls.toLocaleString('en-US')} calls left`);
    await sleep(1_000);
  }
}

async function reportBytes(client, calls, report) {
  const { rows } = await client.query(
    `SELECT sum(pg_total_relation_size(relid))::float8 AS bytes FROM pg_partition_tree('call_search') WHERE isleaf`,
  );
  const measure = `index of words per call, of ${2 * WORDS} words each`;
  report.add({ measure, value: rows[0].bytes / calls, unit: 'B' });
}
