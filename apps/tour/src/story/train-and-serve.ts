import type { ChatCompletion, JobEvent, Page, TrainableModel, TrainingJob } from '../api/wire.js';
import { type Question, textOf } from '../api/questions.js';
import { followJob } from '../api/training-jobs.js';
import { HELD_OUT_QUESTIONS as PLAIN_QUESTIONS, markedAnswers, ROWS } from '../learning/learn-by-examples.js';
import { HELD_OUT, HELD_OUT_QUESTIONS, jobBodyOf, learnByReward, practise } from '../learning/learn-by-reward.js';
import { sftJobBody } from '../learning/sft-tour.js';
import { percent, plot, seconds } from '../terminal/plot.js';
import { Progress } from '../terminal/progress.js';
import type { Narrator } from './narrator.js';
import type { Stage } from './trace-and-judge.js';

const PREVIEW = '/v1/preview';
/** Of what the rewards are about, and of what the examples are about. */
const [BACKWARDS] = HELD_OUT_QUESTIONS;
const [PLAIN] = PLAIN_QUESTIONS;
/** More than enough: about ten are needed. */
const MAX_JOBS = 30;

/** Creates a model, queries it, trains it by reward and by examples, queries it again, and deletes it. */
export async function trainAndServe(narrator: Narrator, stage: Stage, fast: boolean): Promise<void> {
  narrator.chapter('A model that can learn');
  const model = await makeModel(narrator, stage);
  await chat(narrator, model, BACKWARDS, '/v1/chat/completions', 'It answers at once: as its base does.');
  narrator.chapter('Train on rewards');
  await logAndTrain(narrator, model);
  await improve(narrator, model, fast);
  await chat(
    narrator,
    model,
    BACKWARDS,
    '/v1/chat/completions/',
    'The newest checkpoint answers, under the same name.',
  );
  narrator.chapter('Train on examples');
  await fineTune(narrator, stage, model);
  await chat(narrator, model, PLAIN, '/v1/chat/completions', 'In the style of the examples.');
  narrator.chapter('Checkpoints');
  await tidyUp(narrator, model);
}

async function makeModel(narrator: Narrator, { entity, project, tag, base }: Stage): Promise<TrainableModel> {
  const body = { entity, project, name: `reverser-${tag}`, base_model: base, return_existing: true };
  const created = await narrator.request<{ id: string }>('It is made.', 'POST', `${PREVIEW}/models`, body, (a) => a);
  const model = await narrator.client.get<TrainableModel>(`${PREVIEW}/models/${created.id}`);
  await narrator.request<{ data: { id: string }[] }>(
    'What can be asked now.',
    'GET',
    '/v1/models',
    undefined,
    ({ data }) => data.map(({ id }) => id).slice(0, 3),
  );
  return model;
}

const chat = (
  narrator: Narrator,
  model: TrainableModel,
  question: Question | undefined,
  path: string,
  why: string,
): Promise<ChatCompletion> =>
  narrator.request<ChatCompletion>(
    why,
    'POST',
    path,
    { model: model.inference_name, messages: question?.messages, temperature: 0, max_tokens: 48 },
    (answer) => ({ model: answer.model, content: textOf(answer) }),
  );

async function logAndTrain(narrator: Narrator, model: TrainableModel): Promise<void> {
  const groups = await practise(narrator.client, model, 0);
  narrator.say(
    '\nThe gateway was asked 8 questions, 8 times each, with token ids and log-probabilities; right answers get 1.',
  );
  const logged = { split: 'val', trajectory_groups: groups };
  await narrator.request('They are logged.', 'POST', `${PREVIEW}/models/${model.id}/log`, logged, (answer) => answer);
  const { id } = await narrator.request<TrainingJob>(
    'And trained on.',
    'POST',
    `${PREVIEW}/training-jobs`,
    jobBodyOf(model, groups),
    ({ id: jobId, status }) => ({ id: jobId, status }),
  );
  await followJob(narrator.client, id, () => undefined);
  await narrator.request<TrainingJob>(
    'The job, when it is over.',
    'GET',
    `${PREVIEW}/training-jobs/${id}`,
    undefined,
    ({ status, produced_checkpoint }) => ({ status, produced_checkpoint }),
  );
  await narrator.request<Page<JobEvent>>(
    'What happened in it.',
    'GET',
    `${PREVIEW}/training-jobs/${id}/events`,
    undefined,
    ({ data }) => data.map(({ type }) => type),
  );
}

async function improve(narrator: Narrator, model: TrainableModel, fast: boolean): Promise<void> {
  narrator.say('\nThe same again and again, until questions that were never trained on are answered:');
  const outcome = await learnByReward(narrator.client, model, fast ? 2 : MAX_JOBS);
  narrator.say(plot(`Mean reward of ${outcome.rewards.length} jobs`, outcome.rewards));
  narrator.say(
    `Of ${HELD_OUT} held-out questions: ${percent(outcome.before)} before, ${percent(outcome.after)} after; ${seconds(outcome.trainingMs)} of training.`,
  );
}

async function fineTune(narrator: Narrator, { entity, project }: Stage, model: TrainableModel): Promise<void> {
  const path = `${PREVIEW}/artifacts/${entity}/${project}/marked-answers`;
  const { url } = await narrator.client.upload<{ url: string }>(path, markedAnswers(), 'application/jsonl');
  narrator.say(`\n${ROWS} answers that begin with "Aye!" were uploaded: POST ${path}\n  -> ${url}`);
  const { id } = await narrator.request<TrainingJob>(
    'A job on them.',
    'POST',
    `${PREVIEW}/sft-training-jobs`,
    sftJobBody(model.id, url),
    ({ id: jobId, status }) => ({ id: jobId, status }),
  );
  const progress = new Progress();
  progress.begin('training');
  const { steps } = await followJob(narrator.client, id, (done, total) => progress.at(done, total));
  progress.end();
  narrator.say(
    plot(
      `Loss of ${steps.length} steps`,
      steps.map((step) => step['loss'] as number),
    ),
  );
}

async function tidyUp(narrator: Narrator, model: TrainableModel): Promise<void> {
  const path = `${PREVIEW}/models/${model.id}`;
  const { data } = await narrator.request<Page<{ step: number }>>(
    'The newest three.',
    'GET',
    `${path}/checkpoints?limit=3&order=desc`,
    undefined,
    (page) => page.data,
  );
  const steps = [1, (data[0]?.step ?? 0) + 1_000];
  await narrator.request('One goes; the other never was.', 'DELETE', `${path}/checkpoints`, { steps }, (a) => a);
  await narrator.request('The model goes, with all it has.', 'DELETE', path, undefined, (answer) => answer);
}
