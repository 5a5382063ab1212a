import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

import { HAS_PROC, residentMiB } from '../harness/processes.mjs';
import { stopProcess } from '../harness/service.mjs';
import { adapterCheckpoints } from './adapter-checkpoints.mjs';
import { baseModel } from './base-model.mjs';
import { peakOfTrainingChild, trainingJob } from './training-job.mjs';

const SCRIPT = fileURLToPath(new URL('serve-alone.mjs', import.meta.url));
const MAX_SERVING_MIB = 300;
const MAX_TRAINING_MIB = 900;
/** The system keeps the peak of a process for as long as it lives. */
const POLL_MS = 200;

/** Resident memory of serving and of training, each in a process of its own. */
export async function measureMemory(context) {
  if (!HAS_PROC) {
    context.report.add({ measure: 'resident memory', value: null, unit: 'MiB', note: 'needs /proc' });
    return;
  }
  await measureServing(context);
  await measureTraining(context);
}

async function measureServing(context) {
  const { options, progress, report } = context;
  progress.step('resident memory of serving');
  const checkpoints = await adapterCheckpoints(context, options.quick ? 20 : 100);
  const { directory } = await baseModel(context);
  const child = spawn(process.execPath, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const close = context.cleanup.add(() => stopProcess(child));
  child.stdin.end(JSON.stringify({ directory, checkpoints, seconds: options.quick ? 3 : 10 }));
  const resident = {};
  for await (const stage of createInterface({ input: child.stdout })) {
    resident[stage] = residentMiB(child.pid);
    child.kill('SIGUSR2'); // it waits to be looked at
  }
  await close();
  if (!('loaded' in resident)) throw new Error('the serving process ended early, see above');
  report.add({
    measure: 'resident memory of serving hone-tiny, 16 streams',
    value: resident.streaming,
    unit: 'MiB',
    target: `<= ${MAX_SERVING_MIB} MiB`,
    isMet: resident.streaming <= MAX_SERVING_MIB,
    note: `${Math.round(resident.started)} MiB before the engine is started`,
  });
  report.add({
    measure: `  after ${checkpoints.length} checkpoints loaded in turn`,
    value: resident.loaded,
    unit: 'MiB',
    peer: resident.first,
    peerName: 'after the first 10',
    note: 'the engine keeps 8 in memory',
  });
}

async function measureTraining(context) {
  const { options, progress, report } = context;
  progress.step('resident memory of training');
  const job = await trainingJob(context, options.quick ? 5 : 20);
  let peak = 0;
  const poll = setInterval(() => (peak = Math.max(peak, peakOfTrainingChild())), POLL_MS);
  await job.run();
  clearInterval(poll);
  report.add({
    measure: 'peak resident memory of a training child, 16 x 128 tokens',
    value: peak,
    unit: 'MiB',
    target: `<= ${MAX_TRAINING_MIB} MiB`,
    isMet: peak > 0 && peak <= MAX_TRAINING_MIB,
  });
}
