import { join } from 'node:path';

import { RECIPE, trainModel } from '../hone-tiny/training/train-model.js';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const BAR = 30;
const started = performance.now();
let firstStep = 0;
let smoothed = NaN;

/** One line that is written over itself: how far, the loss, and the time left. */
function showProgress(step: number, loss: number): void {
  firstStep ||= step;
  smoothed = Number.isNaN(smoothed) ? loss : smoothed * 0.98 + loss * 0.02;
  const secondsPerStep = (performance.now() - started) / 1000 / (step - firstStep + 1);
  const left = Math.round((RECIPE.steps - step) * secondsPerStep);
  const full = Math.round((BAR * step) / RECIPE.steps);
  const bar = '#'.repeat(full).padEnd(BAR, '.');
  const line = `[${bar}] ${step}/${RECIPE.steps}  loss ${smoothed.toFixed(4)}  ${(secondsPerStep * 1000).toFixed(0)} ms/step  ${left} s left`;
  if (process.stderr.isTTY) process.stderr.write(`\r${line} `);
  else if (step % 100 === 0) process.stderr.write(`${line}\n`);
}

const threads = Number(process.env.HONE_ENGINE_THREADS ?? 2);
const folder = process.argv[2] ?? join(REPOSITORY, 'models/hone-tiny');
const state = join(REPOSITORY, '.hone/model-train/state.bin');
const accuracies = await trainModel(folder, state, RECIPE, threads, showProgress);
console.log(`\n${folder}: exact answers on held-out questions, decoding greedily`);
for (const [family, share] of accuracies) console.log(`  ${family.padEnd(16)} ${(share * 100).toFixed(1)} %`);
