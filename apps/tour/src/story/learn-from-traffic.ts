import { setTimeout as sleep } from 'node:timers/promises';

import { accuracyOf, ask, textOf } from '../api/questions.js';
import { followJob } from '../api/training-jobs.js';
import type { ChatCompletion, TrainableModel, TrainingJob } from '../api/wire.js';
import { HELD_OUT_QUESTIONS, isExact, LEARNING_RATE, practiceQuestions } from '../learning/learn-by-reward.js';
import { percent } from '../terminal/plot.js';
import type { Narrator } from './narrator.js';
import type { Stage } from './trace-and-judge.js';

const PREVIEW = '/v1/preview';
const SAMPLES = 10;
const ROUNDS = 4;
const EXAM = 50;
const POLL_MS = 200;
const WAIT_MS = 60_000;
/** Usage without a project, and its calls, go to the project of the key. */
const PROJECT = 'default';

interface MadeData {
  readonly url: string;
  readonly counts: { readonly calls: number; readonly groups: number };
}

interface Lineage {
  readonly steps: readonly {
    readonly step: number;
    readonly job_id: string | null;
    readonly data: { readonly url: string; readonly calls: number } | null;
  }[];
  readonly calls: {
    readonly data: readonly {
      readonly id: string;
      readonly feedback: readonly { readonly feedback_type: string; readonly created_at: string }[];
    }[];
  };
}

/** People chat, and judge; what they said trains the model, and the better checkpoint goes into production. */
export async function learnFromTraffic(narrator: Narrator, stage: Stage, fast: boolean): Promise<void> {
  const { client } = narrator;
  narrator.chapter('Learn from live traffic');
  const model = await makeModel(narrator, stage);
  const exam = () => accuracyOf(client, model.inference_name, HELD_OUT_QUESTIONS.slice(0, EXAM), isExact);
  const before = await exam();
  for (let round = 0; round < (fast ? 1 : ROUNDS); round++) await trainOnTraffic(narrator, stage, model, round);
  const after = await exam();
  narrator.say(`\nOf ${EXAM} questions that nobody had asked: ${percent(before)} before, ${percent(after)} after.`);
  await promote(narrator, model);
}

async function makeModel(narrator: Narrator, { entity, tag, base }: Stage): Promise<TrainableModel> {
  const body = { entity, project: PROJECT, name: `traffic-${tag}`, base_model: base };
  const made = await narrator.request<{ id: string }>(
    'A model that people talk to.',
    'POST',
    `${PREVIEW}/models`,
    body,
    ({ id }) => ({ id }),
  );
  return narrator.client.get<TrainableModel>(`${PREVIEW}/models/${made.id}`);
}

async function trainOnTraffic(narrator: Narrator, stage: Stage, model: TrainableModel, round: number): Promise<void> {
  const { entity, tag } = stage;
  const projectId = `${entity}/${PROJECT}`;
  const thread = `${tag}-${round}`;
  const thumbs = await chatAndJudge(narrator, model, projectId, thread, round);
  narrator.say(
    `\n${thumbs.length} chats, each answer with a thumb by the id of its completion: ${thumbs.filter(Boolean).length} up.`,
  );
  const source = { filter: { thread_ids: [thread] } };
  await untilStored(narrator, projectId, source, thumbs.length);
  const { url } = await narrator.request<MadeData>(
    'Training data of them, in one request.',
    'POST',
    `${PREVIEW}/training-data/from-calls`,
    { entity, project: PROJECT, name: 'thumbs', kind: 'rl', model_id: model.id, source },
    (data) => ({ url: data.url, counts: data.counts }),
  );
  const { id } = await narrator.request<TrainingJob>(
    'And a job on that.',
    'POST',
    `${PREVIEW}/training-jobs`,
    { model_id: model.id, training_data_url: url, experimental_config: { learning_rate: LEARNING_RATE } },
    ({ id: jobId, status }) => ({ id: jobId, status }),
  );
  await followJob(narrator.client, id, () => undefined);
}

/** Whether each answer was right. */
async function chatAndJudge(
  { client }: Narrator,
  model: TrainableModel,
  projectId: string,
  thread: string,
  round: number,
): Promise<boolean[]> {
  const asked = practiceQuestions(round).flatMap((question) => Array.from({ length: SAMPLES }, () => question));
  return Promise.all(
    asked.map(async (question, index) => {
      const options = { temperature: 1, seed: round * asked.length + index, max_tokens: 24, user: thread };
      const answer = await ask(client, model.inference_name, question.messages, options);
      const isRight = isExact(textOf(answer), question);
      await client.post('/feedback/create', {
        project_id: projectId,
        completion_id: answer.id,
        feedback_type: 'hone.reaction.1',
        payload: { emoji: isRight ? '👍' : '👎' },
      });
      return isRight;
    }),
  );
}

/** Answers do not wait for their calls, which follow within a moment. */
async function untilStored({ client }: Narrator, projectId: string, source: object, count: number): Promise<void> {
  for (const endMs = Date.now() + WAIT_MS; Date.now() < endMs; await sleep(POLL_MS)) {
    const stored = await client.post<{ count: number }>('/calls/query_stats', { project_id: projectId, ...source });
    if (stored.count >= count) return;
  }
  throw new Error(`${count} chats did not become calls within ${WAIT_MS / 1_000} s.`);
}

async function promote(narrator: Narrator, model: TrainableModel): Promise<void> {
  const path = `${PREVIEW}/models/${model.id}`;
  const { data } = await narrator.client.get<{ data: { id: string; step: number }[] }>(
    `${path}/checkpoints?limit=1&order=desc`,
  );
  const [newest] = data;
  if (newest === undefined) throw new Error('The jobs made no checkpoint.');
  await narrator.request(
    'The newest checkpoint goes into production, unless somebody else was faster.',
    'PUT',
    `${path}/aliases/production`,
    { step: newest.step, if_step: null },
    (alias) => alias,
  );
  await narrator.request<ChatCompletion>(
    'It is asked by that name.',
    'POST',
    '/v1/chat/completions',
    { model: `${model.inference_name}:production`, messages: HELD_OUT_QUESTIONS[0]?.messages, temperature: 0 },
    (answer) => ({ model: answer.model, content: textOf(answer) }),
  );
  const { steps, calls } = await narrator.request<Lineage>(
    'Whom that answer learned from.',
    'GET',
    `${PREVIEW}/checkpoints/${newest.id}/lineage?limit=1`,
    undefined,
    (lineage) => ({ steps: lineage.steps.length, call: lineage.calls.data[0] }),
  );
  const [call] = calls.data;
  for (const { step, job_id: job, data: used } of steps)
    narrator.say(`  step ${step} <- job ${job} <- ${used?.url}, ${used?.calls} calls`);
  const [said] = call?.feedback ?? [];
  narrator.say(`  one of them: ${call?.id} <- ${said?.feedback_type} of ${said?.created_at}`);
}
