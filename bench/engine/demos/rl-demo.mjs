import { planRl, resolveRlConfig } from '@hone/engine';
import { FAMILIES, heldOutExamples, practiceExamples } from '@hone/engine/hone-tiny';

import { Learner } from './learner.mjs';

const PROMPTS = 8;
const SAMPLES = 8;
const JOBS = 60;
const LEARNING_RATE = 2e-3;
const MEASURE_EVERY = 10;

const isExact = (text, { answer }) => text === answer;

/** The family that starts near 60 %: rollouts, rewards, one job after the other, until held-out questions are answered. */
export async function rlDemo(context) {
  const { report, progress } = context;
  const family = FAMILIES.find(({ name }) => name === 'reverse');
  const learner = await Learner.open(context);
  const heldOut = heldOutExamples(family, 77, 100);
  const before = await learner.accuracy(heldOut, isExact);
  let after = before;
  let jobs = 0;
  while (jobs < JOBS && after < 0.9) {
    progress.step(`rl-demo: job ${jobs + 1}, ${(after * 100).toFixed(0)} % of held-out questions`);
    await job(learner, practiceExamples(family, 1000 + jobs, PROMPTS), jobs);
    jobs += 1;
    if (jobs % MEASURE_EVERY === 0) after = await learner.accuracy(heldOut, isExact);
  }
  const seconds = learner.trainingMs / 1000;
  report.add({
    measure: `rl-demo: ${family.name}, greedy accuracy after ${jobs} jobs`,
    value: after * 100,
    unit: '%',
    peer: before * 100,
    peerName: 'before',
    target: '>= 90 %, <= 60 s',
    isMet: after >= 0.9 && seconds <= 60,
    note: `${seconds.toFixed(1)} s of training, ${Math.round(learner.trainingMs / jobs)} ms a job with its process`,
  });
  await learner.close();
}

async function job(learner, examples, seed) {
  const groups = await Promise.all(
    examples.map(async (example, index) => {
      const prompt = example.messages.slice(0, -1);
      const asked = { choices: SAMPLES, temperature: 1, seed: seed * 1000 + index * SAMPLES, maxTokens: 24 };
      const answers = await learner.ask(prompt, asked);
      return { trajectories: answers.map((answer) => toTrajectory(prompt, answer, isExact(answer.text, example))) };
    }),
  );
  const config = resolveRlConfig({ learning_rate: LEARNING_RATE });
  const plan = planRl(groups, config, { tokenizer: learner.tokenizer, contextLength: 1024, parentStep: seed });
  if (plan.rows.length > 0) await learner.train('rl', plan.rows, config);
}

const toTrajectory = (prompt, { text, ids, logprobs, promptIds }, isRight) => ({
  reward: isRight ? 1 : 0,
  messages_and_choices: [
    ...prompt,
    {
      finish_reason: 'stop',
      message: { role: 'assistant', content: text },
      prompt_token_ids: promptIds,
      token_ids: ids,
      logprobs: { content: logprobs.map((logprob) => ({ token: '', logprob })) },
    },
  ],
});
