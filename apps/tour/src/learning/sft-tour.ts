import type { Hone } from '@hone/client';

import { showAnswer } from '../api/questions.js';
import { type EndedJob, followJob } from '../api/training-jobs.js';
import { percent, plot, seconds } from '../terminal/plot.js';
import { Progress } from '../terminal/progress.js';
import { HELD_OUT_QUESTIONS, markedAnswers, ROWS, shareInStyle } from './learn-by-examples.js';
import { createModel } from './trained-model.js';

const GOAL = 0.9;
const MAX_TRAINING_MS = 60_000;

/** How the tour ended. */
export interface SftOutcome {
  readonly before: number;
  readonly after: number;
  readonly trainingMs: number;
}

/** Fine-tuning over HTTP alone: 200 answers in a style that the base never uses, then questions not among them. */
export async function sftTour(hone: Hone, show: (text: string) => void, base: string): Promise<SftOutcome> {
  const { id, entity, inference_name: model } = await createModel(hone, 'tour', 'sft', base);
  show(`A model that learns: ${model}`);
  const before = await shareInStyle(hone, model);
  show(await showAnswer(hone, model, HELD_OUT_QUESTIONS[0]));
  const { url } = await hone.training.uploadArtifact(
    { entity, project: 'tour', name: 'marked-answers' },
    markedAnswers(),
  );
  show(`${ROWS} rows uploaded: ${url}`);
  const { job, steps } = await train(hone, id, url);
  show(
    plot(
      `Loss of ${steps.length} steps`,
      steps.map((step) => step['loss'] as number),
    ),
  );
  show(await showAnswer(hone, model, HELD_OUT_QUESTIONS[0]));
  const after = await shareInStyle(hone, model);
  const trainingMs = job.timings_ms.preparing + job.timings_ms.running;
  show(`In the taught style: ${percent(before)} before, ${percent(after)} after; ${seconds(trainingMs)} of training.`);
  return { before, after, trainingMs };
}

/** Whether the goals hold that the documentation promises. */
export const isSftGoalMet = ({ after, trainingMs }: SftOutcome): boolean =>
  after >= GOAL && trainingMs <= MAX_TRAINING_MS;

async function train(hone: Hone, modelId: string, dataUrl: string): Promise<EndedJob> {
  const progress = new Progress();
  progress.begin('training');
  const created = await hone.training.createSftTrainingJob(sftJobBody(modelId, dataUrl));
  const ended = await followJob(hone, created.id, (done, total) => progress.at(done, total));
  progress.end();
  return ended;
}

export const sftJobBody = (modelId: string, dataUrl: string) => ({
  model_id: modelId,
  training_data_url: dataUrl,
  config: { batch_size: 4, learning_rate: 5e-3 },
});
