import type { TrainableModelDetailDto } from '@hone/client';

import { type Question, textOf } from '../api/questions.js';
import { followJob } from '../api/training-jobs.js';
import { HELD_OUT_QUESTIONS as PLAIN_QUESTIONS, markedAnswers, ROWS } from '../learning/learn-by-examples.js';
import { HELD_OUT, HELD_OUT_QUESTIONS, jobBodyOf, learnByReward, practise } from '../learning/learn-by-reward.js';
import { sftJobBody } from '../learning/sft-tour.js';
import { percent, plot, seconds } from '../terminal/plot.js';
import { Progress } from '../terminal/progress.js';
import type { Narrator } from './narrator.js';
import type { Stage } from './trace-and-judge.js';

/** Of what the rewards are about, and of what the examples are about. */
const [BACKWARDS] = HELD_OUT_QUESTIONS;
const [PLAIN] = PLAIN_QUESTIONS;
/** More than enough: about ten are needed. */
const MAX_JOBS = 30;

/** Creates a model, queries it, trains it by reward and by examples, queries it again, and deletes it. */
export async function trainAndServe(narrator: Narrator, stage: Stage, fast: boolean): Promise<void> {
  narrator.chapter('A model that can learn');
  const model = await makeModel(narrator, stage);
  await chat(narrator, model, BACKWARDS, 'It answers at once: as its base does.');
  narrator.chapter('Train on rewards');
  await logAndTrain(narrator, model);
  await improve(narrator, model, fast);
  await chat(narrator, model, BACKWARDS, 'The newest checkpoint answers, under the same name.');
  narrator.chapter('Train on examples');
  await fineTune(narrator, stage, model);
  await chat(narrator, model, PLAIN, 'In the style of the examples.');
  narrator.chapter('Checkpoints');
  await tidyUp(narrator, model);
}

async function makeModel(narrator: Narrator, { entity, project, tag, base }: Stage): Promise<TrainableModelDetailDto> {
  const body = { entity, project, name: `reverser-${tag}`, base_model: base, return_existing: true };
  const { id } = await narrator.request('It is made.', (hone) => hone.training.createTrainableModel(body));
  await narrator.request(
    'What can be asked now.',
    (hone) => hone.inference.listModels(),
    ({ data }) => data.map((model) => model.id).slice(0, 3),
  );
  return narrator.hone.training.getTrainableModel({ model_id: id });
}

async function chat(
  narrator: Narrator,
  model: TrainableModelDetailDto,
  question: Question | undefined,
  why: string,
): Promise<void> {
  const body = { messages: [...(question?.messages ?? [])], temperature: 0, max_tokens: 48 };
  await narrator.request(
    why,
    (hone) => hone.inference.createChatCompletion({ model: model.inference_name, ...body }),
    (answer) => ({ model: answer.model, content: textOf(answer) }),
  );
}

async function logAndTrain(narrator: Narrator, model: TrainableModelDetailDto): Promise<void> {
  const groups = await practise(narrator.hone, model, 0);
  narrator.say(
    '\nThe gateway was asked 8 questions, 8 times each, with token ids and log-probabilities; right answers get 1.',
  );
  const logged = { split: 'val', trajectory_groups: groups };
  await narrator.request('They are logged.', (hone) => hone.training.logTrajectories({ model_id: model.id }, logged));
  const { id: training_job_id } = await narrator.request(
    'And trained on.',
    (hone) => hone.training.createTrainingJob(jobBodyOf(model, groups)),
    ({ id, status }) => ({ id, status }),
  );
  await followJob(narrator.hone, training_job_id, () => undefined);
  await narrator.request(
    'The job, when it is over.',
    (hone) => hone.training.getTrainingJob({ training_job_id }),
    ({ status, produced_checkpoint }) => ({ status, produced_checkpoint }),
  );
  await narrator.request(
    'What happened in it.',
    (hone) => hone.training.listTrainingJobEvents({ training_job_id }),
    ({ data }) => data.map(({ type }) => type),
  );
}

async function improve(narrator: Narrator, model: TrainableModelDetailDto, fast: boolean): Promise<void> {
  narrator.say('\nThe same again and again, until questions that were never trained on are answered:');
  const outcome = await learnByReward(narrator.hone, model, fast ? 2 : MAX_JOBS);
  narrator.say(plot(`Mean reward of ${outcome.rewards.length} jobs`, outcome.rewards));
  narrator.say(
    `Of ${HELD_OUT} held-out questions: ${percent(outcome.before)} before, ${percent(outcome.after)} after; ${seconds(outcome.trainingMs)} of training.`,
  );
}

async function fineTune(narrator: Narrator, { entity, project }: Stage, model: TrainableModelDetailDto): Promise<void> {
  const name = 'marked-answers';
  const { url } = await narrator.request(
    `${ROWS} answers that begin with "Aye!" are uploaded.`,
    (hone) => hone.training.uploadArtifact({ entity, project, name }, markedAnswers()),
    (uploaded) => ({ url: uploaded.url }),
  );
  const { id } = await narrator.request(
    'A job on them.',
    (hone) => hone.training.createSftTrainingJob(sftJobBody(model.id, url)),
    (job) => ({ id: job.id, status: job.status }),
  );
  const progress = new Progress();
  progress.begin('training');
  const { steps } = await followJob(narrator.hone, id, (done, total) => progress.at(done, total));
  progress.end();
  narrator.say(
    plot(
      `Loss of ${steps.length} steps`,
      steps.map((step) => step['loss'] as number),
    ),
  );
}

async function tidyUp(narrator: Narrator, { id: model_id }: TrainableModelDetailDto): Promise<void> {
  const { data } = await narrator.request(
    'The newest three.',
    (hone) => hone.training.listCheckpoints({ model_id, limit: 3, order: 'desc' }),
    (page) => page.data,
  );
  const steps = [1, (data[0]?.step ?? 0) + 1_000];
  await narrator.request('One goes; the other never was.', (hone) =>
    hone.training.deleteCheckpoints({ model_id }, { steps }),
  );
  await narrator.request('The model goes, with all it has.', (hone) =>
    hone.training.deleteTrainableModel({ model_id }),
  );
}
