import { percentile } from '../harness/statistics.mjs';
import { TrainingWorld } from './world.mjs';

const BYTES = 60_000_000;
const CALLERS = 4;
const TARGET_MS = 200;

/** Latency of other calls while logs of nearly the largest size are uploaded, one after the other. */
export async function measureLargeLog(context) {
  const { options, progress, report } = context;
  const world = await TrainingWorld.of(context);
  const { id } = await world.createModel('large', 'log');
  const body = aLog(options.quick ? BYTES / 10 : BYTES);
  const times = options.quick ? 1 : 5;
  progress.step(`${times} logs of ${Math.round(JSON.stringify(body).length / 1e6)} MB`);
  const milliseconds = [];
  let isOver = false;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isOver) {
      const begin = performance.now();
      await world.send('GET', `/models/${id}/checkpoints?limit=1&order=desc`);
      milliseconds.push(performance.now() - begin);
    }
  });
  const begin = performance.now();
  try {
    for (let time = 0; time < times; time++) await world.send('POST', `/models/${id}/log`, body);
  } finally {
    isOver = true;
    await Promise.all(callers);
  }
  const seconds = (performance.now() - begin) / 1_000 / times;
  const value = percentile(milliseconds, 0.99);
  report.add({
    measure: `p99 of other calls while ${BYTES / 1e6} MB logs are taken in`,
    value,
    unit: 'ms',
    target: `< ${TARGET_MS} ms`,
    isMet: value < TARGET_MS,
    note: `${milliseconds.length} calls of ${CALLERS} callers; a log takes ${seconds.toFixed(1)} s`,
  });
}

/** Trajectories of 4,000 characters, of which one call takes 16,384, until the body has about this size. */
const aLog = (bytes) => ({
  split: 'train',
  trajectory_groups: Array.from({ length: Math.floor(bytes / 4_100 / 8) }, (_, group) => ({
    trajectories: Array.from({ length: 8 }, (_trajectory, at) => ({
      messages_and_choices: [{ role: 'user', content: `${group} ${at} `.padEnd(4_000, 'word ') }],
      reward: at,
    })),
  })),
});
