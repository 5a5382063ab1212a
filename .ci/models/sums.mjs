import { Answers } from './answers.mjs';

const NAME = 'hone-artifact:///local/models/sums';
const SAMPLES = 8;
const SHORT = { jobs: 1, prompts: 4 };
const LONG = { jobs: 32, prompts: 16 };
/** Of the long form, after so many jobs each: the greedy answers are measured. */
const MEASURED_EVERY = 4;
/** By which the share is to rise. */
const RISE = 0.25;
const LEARNING_RATE = 3e-4;
const ANSWER = { max_tokens: 24 };

/** All sums below 20 of two numbers from 1 on; every third is kept for the measurement. */
const SUMS = Array.from({ length: 18 }, (_, a) => Array.from({ length: 18 - a }, (_, b) => [a + 1, b + 1])).flat();
const HELD_OUT = SUMS.filter((_, index) => index % 3 === 0).filter((_, index) => index % 2 === 0);
const PRACTICE = SUMS.filter((_, index) => index % 3 !== 0);

/**
 * Reinforcement learning over HTTP alone: answers as one JSON object `{"answer": <integer>}`.
 *
 * @returns shares of held-out sums with a valid and right answer, greedy, where they are measured: training ends when
 *   they have risen by {@link RISE}
 */
export async function learnSums({ hone, model, isLong, hasSucceeded }) {
  const { jobs, prompts } = isLong ? LONG : SHORT;
  const before = isLong ? await shareRight(hone) : null;
  let after = before;
  let done = 0;
  const hasRisen = () => isLong && after - before >= RISE;
  while (done < jobs && !hasRisen()) {
    const sums = Array.from(
      { length: prompts },
      (_, index) => PRACTICE[((done * prompts + index) * 37) % PRACTICE.length],
    );
    const groups = await Promise.all(sums.map((sum, index) => rollOut(hone, sum, done * prompts + index)));
    await hasSucceeded(
      await hone.training.createTrainingJob({
        model_id: model.id,
        trajectory_groups: groups,
        experimental_config: { learning_rate: LEARNING_RATE },
      }),
    );
    done += 1;
    if (isLong) console.log(`        job ${done}: mean reward ${meanReward(groups).toFixed(2)}`);
    if (isLong && done % MEASURED_EVERY === 0) after = await shareRight(hone);
  }
  return { before, after, jobs: done, hasRisen: hasRisen() };
}

async function shareRight(hone) {
  const texts = await new Answers(hone, NAME).texts(HELD_OUT.map(promptOf), ANSWER);
  return texts.filter((text, index) => rewardOf(text, HELD_OUT[index]) === 1).length / HELD_OUT.length;
}

async function rollOut(hone, sum, seed) {
  const messages = promptOf(sum);
  const asked = { model: NAME, messages, n: SAMPLES, temperature: 1, seed, logprobs: true, ...ANSWER };
  const { choices } = await hone.inference.createChatCompletion(asked);
  return {
    trajectories: choices.map((choice) => ({
      messages_and_choices: [...messages, choice],
      reward: rewardOf(choice.message.content, sum),
    })),
  };
}

const promptOf = ([a, b]) => [
  {
    role: 'user',
    content: `What is ${a} + ${b}? Answer with a single JSON object {"answer": <integer>} and nothing else.`,
  },
];

/** 1: valid and right; a valid object with another number is better than none. */
function rewardOf(text, [a, b]) {
  const found = /^\s*\{\s*"answer"\s*:\s*(-?\d+)\s*\}\s*$/.exec(text);
  if (found === null) return 0;
  return Number(found[1]) === a + b ? 1 : 0.3;
}

function meanReward(groups) {
  const rewards = groups.flatMap(({ trajectories }) => trajectories.map(({ reward }) => reward));
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
}
