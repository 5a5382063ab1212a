import type { TrainableModelDetailDto } from '@hone/client';

import { accuracyOf, ask, textOf } from '../api/questions.js';
import { untilStored } from '../api/stored-calls.js';
import { followJob } from '../api/training-jobs.js';
import { HELD_OUT_QUESTIONS, isExact, LEARNING_RATE, practiceQuestions } from '../learning/learn-by-reward.js';
import { percent } from '../terminal/plot.js';
import type { Narrator } from './narrator.js';
import type { Stage } from './trace-and-judge.js';

const SAMPLES = 10;
const ROUNDS = 4;
const EXAM = 50;
/** Usage without a project, and its calls, go to the project of the key. */
const PROJECT = 'default';

/** People chat, and judge; what they said trains the model, and the better checkpoint goes into production. */
export async function learnFromTraffic(narrator: Narrator, stage: Stage, fast: boolean): Promise<void> {
  const { hone } = narrator;
  narrator.chapter('Learn from live traffic');
  const model = await makeModel(narrator, stage);
  const exam = () => accuracyOf(hone, model.inference_name, HELD_OUT_QUESTIONS.slice(0, EXAM), isExact);
  const before = await exam();
  for (let round = 0; round < (fast ? 1 : ROUNDS); round++) await trainOnTraffic(narrator, stage, model, round);
  const after = await exam();
  narrator.say(`\nOf ${EXAM} questions that nobody had asked: ${percent(before)} before, ${percent(after)} after.`);
  await promote(narrator, model);
  await askHowToImprove(narrator, stage, model);
}

async function makeModel(narrator: Narrator, { entity, tag, base }: Stage): Promise<TrainableModelDetailDto> {
  const body = { entity, project: PROJECT, name: `traffic-${tag}`, base_model: base };
  const { id } = await narrator.request(
    'A model that people talk to.',
    (hone) => hone.training.createTrainableModel(body),
    (made) => ({ id: made.id }),
  );
  return narrator.hone.training.getTrainableModel({ model_id: id });
}

async function trainOnTraffic(
  narrator: Narrator,
  { entity, tag }: Stage,
  model: TrainableModelDetailDto,
  round: number,
): Promise<void> {
  const projectId = `${entity}/${PROJECT}`;
  const thread = `${tag}-${round}`;
  const thumbs = await chatAndJudge(narrator, model, projectId, thread, round);
  narrator.say(
    `\n${thumbs.length} chats, each answer with a thumb by the id of its completion: ${thumbs.filter(Boolean).length} up.`,
  );
  const filter = { thread_ids: [thread] };
  await untilStored(narrator.hone, projectId, filter, thumbs.length);
  const source = { project: PROJECT, name: 'thumbs', model_id: model.id, source: { filter } };
  const { url } = await narrator.request(
    'Training data of them, in one request.',
    (hone) => hone.training.makeTrainingData({ entity, kind: 'rl', ...source }),
    (data) => ({ url: data.url, counts: data.counts }),
  );
  const config = { learning_rate: LEARNING_RATE };
  const { id } = await narrator.request(
    'And a job on that.',
    (hone) =>
      hone.training.createTrainingJob({ model_id: model.id, training_data_url: url, experimental_config: config }),
    (job) => ({ id: job.id, status: job.status }),
  );
  await followJob(narrator.hone, id, () => undefined);
}

/** Whether each answer was right. */
async function chatAndJudge(
  { hone }: Narrator,
  model: TrainableModelDetailDto,
  projectId: string,
  thread: string,
  round: number,
): Promise<boolean[]> {
  const asked = practiceQuestions(round).flatMap((question) => Array.from({ length: SAMPLES }, () => question));
  return Promise.all(
    asked.map(async (question, index) => {
      const options = { temperature: 1, seed: round * asked.length + index, max_tokens: 24, user: thread };
      const answer = await ask(hone, model.inference_name, question.messages, options);
      const isRight = isExact(textOf(answer), question);
      await hone.trace.createFeedback({
        project_id: projectId,
        completion_id: answer.id,
        feedback_type: 'hone.reaction.1',
        payload: { emoji: isRight ? '👍' : '👎' },
      });
      return isRight;
    }),
  );
}

async function promote(narrator: Narrator, { id: model_id, inference_name }: TrainableModelDetailDto): Promise<void> {
  const { data } = await narrator.hone.training.listCheckpoints({ model_id, limit: 1, order: 'desc' });
  const [newest] = data;
  if (newest === undefined) throw new Error('The jobs made no checkpoint.');
  await narrator.request('The newest checkpoint goes into production, unless somebody else was faster.', (hone) =>
    hone.training.putCheckpointAlias({ model_id, alias: 'production' }, { step: newest.step, if_step: null }),
  );
  const messages = [...(HELD_OUT_QUESTIONS[0]?.messages ?? [])];
  await narrator.request(
    'It is asked by that name.',
    (hone) => hone.inference.createChatCompletion({ model: `${inference_name}:production`, messages, temperature: 0 }),
    (answer) => ({ model: answer.model, content: textOf(answer) }),
  );
  const { steps, calls } = await narrator.request(
    'Whom that answer learned from.',
    (hone) => hone.training.getCheckpointLineage({ checkpoint_id: newest.id, limit: 1 }),
    (lineage) => ({ steps: lineage.steps.length, call: lineage.calls.data[0] }),
  );
  const [call] = calls.data;
  for (const { step, job_id: job, data: used } of steps)
    narrator.say(`  step ${step} <- job ${job} <- ${used?.url}, ${used?.calls} calls`);
  const [said] = call?.feedback ?? [];
  narrator.say(`  one of them: ${call?.id} <- ${said?.feedback_type} of ${said?.created_at}`);
}

/** What the next improvement would try. It does not run: that takes half a minute, and other questions to compare by. */
async function askHowToImprove(
  narrator: Narrator,
  { entity, tag }: Stage,
  { id: model_id }: TrainableModelDetailDto,
): Promise<void> {
  const place = { entity, project: PROJECT };
  const definition = { kind: 'check' as const, check: { check: 'regex' as const, pattern: '^\\S+$' } };
  const scorer = await narrator.request(
    'All ways to learn are one request, too. Somebody has to judge the answers: here a check that they are one word.',
    (hone) => hone.trace.createScorer(place, { name: `one-word-${tag}`, definition }),
    ({ object_id }) => ({ object_id }),
  );
  const data = { source: { filter: { thread_ids: [`${tag}-0`] } } };
  const evaluate = { scorers: [scorer.object_id] };
  await narrator.request(
    'What it would try; `npm run improve` does it, and promotes the best if one is proven to be better.',
    (hone) =>
      hone.evaluation.improveModel({ project_id: `${entity}/${PROJECT}`, model_id, data, evaluate, dry_run: true }),
    ({ sentence }) => ({ sentence }),
  );
  await narrator.hone.trace.deleteScorer({ ...place, object_id: scorer.object_id });
}
