import type { Hone } from '@hone/client';

import { showAnswer } from '../api/questions.js';
import { untilStored } from '../api/stored-calls.js';
import { followJob } from '../api/training-jobs.js';
import { percent, plot, seconds } from '../terminal/plot.js';
import { Progress } from '../terminal/progress.js';
import { chatAndJudge, HELD_OUT_QUESTIONS, likedShare, QUESTIONS } from './learn-by-thumbs.js';
import { createModel } from './trained-model.js';

const MIN_GAIN = 0.15;
const MAX_TRAINING_MS = 90_000;
/** Usage without a project, and its calls, go to the project of the key. */
const PROJECT = 'default';

/** How the tour ended. */
export interface ThumbsOutcome {
  readonly before: number;
  readonly after: number;
  readonly trainingMs: number;
}

/** Many different questions with one thumb each, as traffic of people is: data is made of them without saying how. */
export async function thumbsTour(hone: Hone, show: (text: string) => void, base: string): Promise<ThumbsOutcome> {
  const model = await createModel(hone, PROJECT, 'thumbs', base);
  const { id: model_id, entity, inference_name: name } = model;
  show(`A model that learns: ${name}`);
  show(await showAnswer(hone, name, HELD_OUT_QUESTIONS[0]));
  const before = await likedShare(hone, name);
  const [projectId, thread] = [`${entity}/${PROJECT}`, name.split('/').at(-1) ?? name];
  const liked = await chatAndJudge(hone, model, projectId, thread);
  show(`${QUESTIONS} questions, each asked once; ${liked.filter(Boolean).length} answers got a thumb up.`);
  const filter = { thread_ids: [thread] };
  await untilStored(hone, projectId, filter, QUESTIONS);
  const data = await hone.training.makeTrainingData({
    entity,
    project: PROJECT,
    name: thread,
    model_id,
    source: { filter },
  });
  show(`${data.reason} ${data.url}`);
  if (data.kind !== 'thumbs')
    throw new Error(`The thumbs make data of the kind ${data.kind}: nothing tells answers apart.`);
  const { job, steps } = await train(hone, model_id, data.url as string);
  show(
    plot(
      `Margin between liked and disliked answers over ${steps.length} steps`,
      steps.flatMap((step) => step['rewards/margin'] ?? []),
    ),
  );
  show(await showAnswer(hone, name, HELD_OUT_QUESTIONS[0]));
  const after = await likedShare(hone, name);
  const trainingMs = job.timings_ms.preparing + job.timings_ms.running;
  show(
    `Answers that are liked: ${percent(before)} before, ${percent(after)} after; ${seconds(trainingMs)} of training.`,
  );
  return { before, after, trainingMs };
}

/** Whether the goals hold that the documentation promises. */
export const isThumbsGoalMet = ({ before, after, trainingMs }: ThumbsOutcome): boolean =>
  after >= before + MIN_GAIN && trainingMs <= MAX_TRAINING_MS;

async function train(hone: Hone, modelId: string, dataUrl: string) {
  const progress = new Progress();
  progress.begin('training');
  const body = { model_id: modelId, training_data_url: dataUrl, config: { method: 'kto' as const } };
  const created = await hone.training.createPreferenceTrainingJob(body);
  const ended = await followJob(hone, created.id, (done, total) => progress.at(done, total));
  progress.end();
  return ended;
}
