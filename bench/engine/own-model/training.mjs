import { clearInterval, setInterval } from 'node:timers';

import { median } from '../../harness/statistics.mjs';
import { numbers } from '../numbers.mjs';
import { peakOfTrainingChild, trainingJob } from '../training-job.mjs';
import { ownModel } from './model.mjs';
import { NO_PEFT, openPeft } from './peft-peer.mjs';

const BATCH = 8;
const LENGTH = 128;
const THREADS = 2;
const MAX_MIB = 600;
/** The system keeps the peak of a process for as long as it lives. */
const POLL_MS = 500;
const BOUND_MIB = 480;
/** What is trained in which memory, and how many times PyTorch's rate in float32 is asked for. */
const FORMS = [
  { name: 'f32', weights: 'f32', minRatio: 1 },
  { name: 'int4', weights: 'int4', minRatio: 0.8, maxMib: MAX_MIB },
  { name: `int4, HONE_ENGINE_MEMORY ${BOUND_MIB} MiB`, weights: 'int4', maxMib: BOUND_MIB, isBound: true },
];

/** Jobs of LoRA steps in a child process, as the trainer runs them, beside PyTorch with PEFT. */
export async function measureOwnTraining(context) {
  const { options, progress } = context;
  const { base, file } = await ownModel(context);
  progress.step('own model: training');
  const peft = await openPeft(context, file, THREADS);
  // Until it has loaded its model, it takes time from others.
  await peft?.take(1);
  const steps = options.quick ? 2 : 4;
  const rates = { peer: [] };
  const peaks = {};
  for (let round = 0; round < (options.quick ? 1 : 3); round++) {
    for (const form of FORMS) {
      const { name } = form;
      progress.detail(`round ${round + 1}, ${name}`);
      const { rate, mib } = await honeRate(context, base, form, steps + 1);
      (rates[name] ??= []).push(rate);
      peaks[name] = Math.max(peaks[name] ?? 0, mib);
      // The first one warms up. What is measured in a bound memory is the memory.
      if (peft && !form.isBound) rates.peer.push(rateOf((await peft.take(steps + 1)).slice(1)));
    }
  }
  await peft?.close();
  for (const form of FORMS) reportForm(context, form, rates, peaks);
}

/** The time of a step is that between its report and the one before. */
async function honeRate(context, base, { weights, maxMib, isBound = false }, steps) {
  const memoryBytes = isBound ? maxMib * 2 ** 20 : null;
  const job = await trainingJob(context, steps, {
    base,
    rows: (vocabSize) => plainRows(vocabSize),
    weights,
    memoryBytes,
  });
  const times = [];
  let mib = 0;
  const poll = setInterval(() => (mib = Math.max(mib, peakOfTrainingChild())), POLL_MS);
  await job.run(() => times.push(performance.now()));
  clearInterval(poll);
  return { rate: rateOf(times.slice(1).map((time, index) => time - times[index])), mib };
}

const rateOf = (ms) => (BATCH * LENGTH * 1_000) / median(ms);

function plainRows(vocabSize) {
  const next = numbers(7);
  return Array.from({ length: BATCH }, (_, index) => ({
    ids: Array.from({ length: LENGTH }, () => next() % vocabSize),
    trained: Array.from({ length: LENGTH - 1 }, (_, at) => at + 1),
    advantage: [index % 2 === 0 ? 1 : -1],
  }));
}

function reportForm({ report }, { name, minRatio, maxMib, isBound }, rates, peaks) {
  const value = median(rates[name]);
  const peer = rates.peer.length > 0 && !isBound ? median(rates.peer) : null;
  report.add({
    ...{ measure: `LoRA r8, ${BATCH} x ${LENGTH} tokens, ${name}`, value, unit: 'tokens/s' },
    ...(peer !== null && { peer, peerName: 'PyTorch + PEFT, f32' }),
    ...(minRatio && { target: `ratio >= ${minRatio}` }),
    ...(minRatio && peer !== null && { isMet: value >= minRatio * peer }),
    note: rates.peer.length === 0 ? NO_PEFT : undefined,
  });
  report.add({
    ...{ measure: '  peak of the training process', value: peaks[name], unit: 'MiB' },
    ...(maxMib && { target: `<= ${maxMib} MiB`, isMet: peaks[name] <= maxMib }),
  });
}
