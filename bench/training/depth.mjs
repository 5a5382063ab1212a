import { newId } from '@hone/database';

import { median } from '../harness/statistics.mjs';
import { TrainingWorld } from './world.mjs';

const MAX_GROWTH = 1.5;
const EVENTS_MS = 10;
const WARM_UP = 20;

/** Pages of lists that have become long: of checkpoints against a short list, of events by themselves. */
export async function measureDepth(context) {
  const { options, progress } = context;
  const world = await TrainingWorld.of(context);
  const [client] = await world.world.connect(1);
  const times = options.quick ? 50 : 300;
  progress.step('long lists');
  await checkpointPages(world, client, times, context.report);
  await eventPages(world, client, times, context.report);
  await client.end();
}

async function checkpointPages(world, client, times, report) {
  const shallow = await modelWith(world, client, 10);
  const deep = await modelWith(world, client, 10_000);
  const cursors = await cursorsOf(client, [shallow, deep], [5, 5_000]);
  for (const [what, query] of [
    ['latest', () => 'limit=1&order=desc'],
    ['page from the middle', (index) => `limit=4&after=${cursors[index]}`],
  ]) {
    const page = (model, index) => () => world.send('GET', `/models/${model}/checkpoints?${query(index)}`);
    const [few, many] = await medianTimes(times, [page(shallow, 0), page(deep, 1)]);
    report.add({
      measure: `checkpoints, ${what}, 10,000 deep`,
      value: many,
      unit: 'ms',
      peer: few,
      peerName: 'at 10',
      target: `ratio <= ${MAX_GROWTH}`,
      isMet: many / few <= MAX_GROWTH,
    });
  }
}

async function eventPages(world, client, times, report) {
  const model = await modelWith(world, client, 1);
  const job = newId();
  await client.query(
    `INSERT INTO training_jobs (project_id, id, model_id, kind, status, config, queue_deadline_at, created_by)
     SELECT project_id, $2, id, 'sft', 'failed', '{}', now(), created_by FROM trainable_models WHERE id = $1`,
    [model, job],
  );
  await client.query(
    `INSERT INTO training_job_events (project_id, id, job_id, seq, type, gradient_index, data)
     SELECT m.project_id, gen_random_uuid(), $2, s, 'gradient_step', s, '{"loss": 1.5, "grad_norm": 0.1}'
     FROM trainable_models m, generate_series(1, 100000) s WHERE m.id = $1`,
    [model, job],
  );
  await client.query('ANALYZE training_job_events');
  const { rows } = await client.query('SELECT id FROM training_job_events WHERE job_id = $1 AND seq = 99000', [job]);
  const path = `/training-jobs/${job}/events?limit=100&after=${rows[0].id}`;
  const [value] = await medianTimes(times, [() => world.send('GET', path)]);
  report.add({
    measure: 'page of 100 events, after 99,000 of 100,000',
    value,
    unit: 'ms',
    target: `<= ${EVENTS_MS} ms`,
    isMet: value <= EVENTS_MS,
  });
}

/** A model with many checkpoints, inserted as rows only: the measures read no files. */
async function modelWith(world, client, count) {
  const { id } = await world.createModel('depth', `m${count}-${newId().slice(-8)}`);
  await client.query(
    `INSERT INTO checkpoints (project_id, id, model_id, step, job_id, parent_step, kind, uri, bytes, manifest_sha256, metrics)
     SELECT project_id, gen_random_uuid(), id, s, gen_random_uuid(), s - 1, 'rl', 'local:none', 1, '', '{"val/reward": 0.5}'
     FROM trainable_models, generate_series(1, $2::int) s WHERE id = $1`,
    [id, count],
  );
  await client.query('UPDATE trainable_models SET last_step = $2 WHERE id = $1', [id, count]);
  await client.query('ANALYZE checkpoints');
  return id;
}

async function cursorsOf(client, models, steps) {
  return Promise.all(
    models.map(async (model, index) => {
      const sql = 'SELECT id FROM checkpoints WHERE model_id = $1 AND step = $2';
      const { rows } = await client.query(sql, [model, steps[index]]);
      return rows[0].id;
    }),
  );
}

/** Milliseconds per call; the calls take turns, the first of each warm up. */
async function medianTimes(times, calls) {
  const samples = calls.map(() => []);
  for (let time = 0; time < times + WARM_UP; time++) {
    for (const [index, call] of calls.entries()) {
      const begin = performance.now();
      await call();
      if (time >= WARM_UP) samples[index].push(performance.now() - begin);
    }
  }
  return samples.map(median);
}
