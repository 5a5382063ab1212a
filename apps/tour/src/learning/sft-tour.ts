import type { HoneClient } from '../api/hone-client.js';
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
export async function sftTour(client: HoneClient, show: (text: string) => void, base: string): Promise<SftOutcome> {
  const { id, entity, inference_name: model } = await createModel(client, 'tour', 'sft', base);
  show(`A model that learns: ${model}`);
  const before = await shareInStyle(client, model);
  show(await showAnswer(client, model, HELD_OUT_QUESTIONS[0]));
  const path = `/v1/preview/artifacts/${entity}/tour/marked-answers`;
  const { url } = await client.upload<{ url: string }>(path, markedAnswers(), 'application/jsonl');
  show(`${ROWS} rows uploaded: ${url}`);
  const { job, steps } = await train(client, id, url);
  show(
    plot(
      `Loss of ${steps.length} steps`,
      steps.map((step) => step['loss'] as number),
    ),
  );
  show(await showAnswer(client, model, HELD_OUT_QUESTIONS[0]));
  const after = await shareInStyle(client, model);
  const trainingMs = job.timings_ms.preparing + job.timings_ms.running;
  show(`In the taught style: ${percent(before)} before, ${percent(after)} after; ${seconds(trainingMs)} of training.`);
  return { before, after, trainingMs };
}

/** Whether the goals hold that the documentation promises. */
export const isSftGoalMet = ({ after, trainingMs }: SftOutcome): boolean =>
  after >= GOAL && trainingMs <= MAX_TRAINING_MS;

async function train(client: HoneClient, modelId: string, dataUrl: string): Promise<EndedJob> {
  const progress = new Progress();
  progress.begin('training');
  const created = await client.post<{ id: string }>('/v1/preview/sft-training-jobs', sftJobBody(modelId, dataUrl));
  const ended = await followJob(client, created.id, (done, total) => progress.at(done, total));
  progress.end();
  return ended;
}

export const sftJobBody = (modelId: string, dataUrl: string) => ({
  model_id: modelId,
  training_data_url: dataUrl,
  config: { batch_size: 4, learning_rate: 5e-3 },
});
