import { median } from '../harness/statistics.mjs';
import { sftLine, TrainingWorld } from './world.mjs';

const TARGET_S = 1.5;
/** Of a whole job with one gradient step of milliseconds, when another one ended a moment ago. */
const WHOLE_TARGET_S = 0.5;

/** From the request that creates a job to its first events, one job after the other on an idle worker. */
export async function measureJobStart(context) {
  const { options, progress, report } = context;
  const world = await TrainingWorld.of(context);
  const trainer = await world.startTrainer();
  const { id } = await world.createModel('start', 'one');
  const times = options.quick ? 3 : 15;
  const started = [];
  const stepped = [];
  const ended = [];
  for (let time = 0; time <= times; time++) {
    progress.step(`job start ${time}/${times}`);
    const lines = [sftLine(time, 4), sftLine(time + 1, 4)];
    const { id: jobId, created_at: createdAt } = await world.createSftJob(id, lines, 2);
    await world.untilEnded(jobId);
    if (time === 0) continue; // reads the model's files for the first time
    const events = await world.eventsOf(jobId);
    const secondsTo = (type) =>
      (Date.parse(events.find((event) => event.type === type).created_at) - Date.parse(createdAt)) / 1_000;
    started.push(secondsTo('training_started'));
    stepped.push(secondsTo('gradient_step'));
    ended.push(secondsTo('training_ended'));
  }
  await trainer.stop();
  report.add({
    measure: `job create to training_started, with the process that plans, p50 of ${times}`,
    value: median(started),
    unit: 's',
    target: `<= ${TARGET_S} s`,
    isMet: median(started) <= TARGET_S,
  });
  report.add({
    measure: '  to the first gradient step, with the start of the process that trains',
    value: median(stepped),
    unit: 's',
  });
  report.add({
    measure: '  to training_ended, of a job of one short gradient step',
    value: median(ended),
    unit: 's',
    target: `<= ${WHOLE_TARGET_S} s`,
    isMet: median(ended) <= WHOLE_TARGET_S,
  });
}
