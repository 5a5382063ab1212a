import { sftLine, TrainingWorld } from './world.mjs';

const STEPS = 30;
const BATCH = 64;
const WORDS = 36;
const TARGET = 0.8;

/** How much of a job's time, from its claim to its end, the engine spends in gradient steps. */
export async function measureGradientShare(context) {
  const { options, progress, report } = context;
  const world = await TrainingWorld.of(context);
  const trainer = await world.startTrainer();
  const { id } = await world.createModel('share', 'one');
  const batch = options.quick ? 8 : BATCH;
  const lines = Array.from({ length: STEPS * batch }, (_, seed) => sftLine(seed, WORDS));
  progress.step(`a job of ${STEPS} steps`);
  const job = await world.untilEnded((await world.createSftJob(id, lines, batch)).id);
  const steps = (await world.eventsOf(job.id)).filter(({ type }) => type === 'gradient_step');
  await trainer.stop();
  const inSteps = steps.reduce((sum, { data }) => sum + data.num_trainable_tokens / data.tokens_per_second, 0);
  const seconds = (Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1_000;
  report.add({
    measure: `share of a ${STEPS}-step job inside its gradient steps`,
    value: inSteps / seconds,
    unit: '',
    target: `>= ${TARGET}`,
    isMet: inSteps / seconds >= TARGET,
    note: `${inSteps.toFixed(1)} s of ${seconds.toFixed(1)} s; ${batch} conversations of ${WORDS} words a step`,
  });
}
