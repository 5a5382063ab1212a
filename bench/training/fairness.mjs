import { sftLine, TrainingWorld } from './world.mjs';

const JOBS = 4;

/**
 * Many models with some jobs each, all created before the worker starts: every job ends well, each model's in their
 * order, and no model is far behind when another is done.
 */
export async function measureFairness(context) {
  const { options, progress, report } = context;
  const world = await TrainingWorld.of(context);
  const models = options.quick ? 5 : 50;
  progress.step(`${models} models with ${JOBS} jobs each`);
  const jobIds = [];
  const modelIds = [];
  for (let model = 0; model < models; model++) {
    modelIds.push((await world.createModel(`fair-${model % 5}`, `m${model}`)).id);
  }
  for (let round = 0; round < JOBS; round++) {
    for (const [index, id] of modelIds.entries()) {
      jobIds.push((await world.createSftJob(id, [sftLine(index, 4)], 1)).id);
    }
  }
  const begin = performance.now();
  const trainer = await world.startTrainer();
  const jobs = [];
  for (const [index, id] of jobIds.entries()) {
    jobs.push(await world.untilEnded(id));
    progress.detail(`${index + 1}/${jobIds.length}`);
  }
  const seconds = (performance.now() - begin) / 1_000;
  await trainer.stop();
  report.add({
    measure: `${models} models x ${JOBS} jobs, one worker: jobs that a younger one of another round overtook`,
    value: overtaken(jobs, models),
    unit: 'jobs',
    target: '0',
    isMet: overtaken(jobs, models) === 0,
    note: `${(seconds / jobs.length).toFixed(2)} s a job, its process included`,
  });
}

/** Jobs, in the order they were created, that began after one of a later round. */
function overtaken(jobs, models) {
  const startedAt = jobs.map(({ started_at: at }) => Date.parse(at));
  return startedAt.filter((at, index) => {
    const nextRound = (Math.floor(index / models) + 1) * models;
    return startedAt.slice(nextRound).some((later) => later < at);
  }).length;
}
