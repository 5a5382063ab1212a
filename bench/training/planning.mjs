import { median } from '../harness/statistics.mjs';
import { TrainingWorld } from './world.mjs';

const TRAJECTORIES = 10_000;
const GROUP_SIZE = 8;
const PROMPT_TOKENS = 60;
const ANSWER_TOKENS = 50;
const TARGET_S = 5;

/** Planning of one large reinforcement learning job: from its claim to `training_started`, by the database's clock. */
export async function measurePlanning(context) {
  const { options, progress, report } = context;
  const world = await TrainingWorld.of(context);
  const trainer = await world.startTrainer();
  const trajectories = options.quick ? TRAJECTORIES / 10 : TRAJECTORIES;
  const times = options.quick ? 1 : 3;
  const groups = rollouts(trajectories);
  const planned = [];
  const taken = [];
  for (let time = 0; time < times; time++) {
    progress.step(`planning ${trajectories} trajectories, ${time + 1}/${times}`);
    const { id: modelId } = await world.createModel('planning', `of-${time}`);
    const begin = performance.now();
    const { id } = await world.send('POST', '/training-jobs', { model_id: modelId, trajectory_groups: groups });
    taken.push((performance.now() - begin) / 1_000);
    const job = await world.untilPlanned(id);
    planned.push(job.timings_ms.preparing / 1_000);
    await world.send('DELETE', `/models/${modelId}`);
  }
  await trainer.stop();
  report.add({
    measure: `planning a job of ${trajectories.toLocaleString('en-US')} trajectories of ${PROMPT_TOKENS + ANSWER_TOKENS} tokens`,
    value: median(planned),
    unit: 's',
    target: `<= ${TARGET_S} s`,
    isMet: median(planned) <= TARGET_S,
    note: `its request took ${median(taken).toFixed(1)} s`,
  });
}

/** Groups of answers that differ in tokens and reward, with everything that training reads. */
const rollouts = (trajectories) =>
  Array.from({ length: trajectories / GROUP_SIZE }, (_, group) => ({
    trajectories: Array.from({ length: GROUP_SIZE }, (_trajectory, at) => ({
      reward: at / GROUP_SIZE,
      initial_policy_version: 0,
      messages_and_choices: [{ role: 'user', content: `Question ${group}` }, answer(group, at)],
    })),
  }));

function answer(group, at) {
  const prompt = Array.from({ length: PROMPT_TOKENS }, (_, index) => tokenId(group * 11 + index));
  const tokens = Array.from({ length: ANSWER_TOKENS }, (_, index) => tokenId(group * 17 + at * 29 + index * 3));
  return {
    message: { role: 'assistant', content: 'An answer.' },
    finish_reason: 'stop',
    prompt_token_ids: prompt,
    token_ids: tokens,
    logprobs: { content: tokens.map((id) => ({ token: `token_id:${id}`, logprob: -2 - (id % 5) / 10 })) },
  };
}

const tokenId = (number) => 10 + (number % 400);
