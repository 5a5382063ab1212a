import type { Hone, TrainableModelDetailDto } from '@hone/client';
import { FAMILIES, type Family, heldOutExamples, practiceExamples } from '@hone/engine/hone-tiny';

import { ask, type Question, textOf, toQuestion } from '../api/questions.js';

export const QUESTIONS = 300;
const HELD_OUT = 100;
const MAX_TOKENS = 24;
const AT_ONCE = 8;

/** A kind of question that the bundled model answers with a number, or with a sentence. */
const FAMILY = FAMILIES.find(({ name }) => name === 'subtract') as Family;
/** Questions that nobody has judged. */
export const HELD_OUT_QUESTIONS: readonly Question[] = heldOutExamples(FAMILY, 77, HELD_OUT).map(toQuestion);

/** What people like, and nobody tells the model: a bare number. */
const isLiked = (text: string): boolean => /^\d+$/.test(text);

/** Asks as many different questions once each, and gives each answer a thumb. @returns whether each was liked */
export async function chatAndJudge(
  hone: Hone,
  model: TrainableModelDetailDto,
  projectId: string,
  thread: string,
): Promise<boolean[]> {
  const questions = practiceExamples(FAMILY, 1_000, QUESTIONS).map(toQuestion);
  return inTurns(questions, async (question, index) => {
    const options = { temperature: 1, seed: index, max_tokens: MAX_TOKENS, user: thread };
    const answer = await ask(hone, model.inference_name, question.messages, options);
    const liked = isLiked(textOf(answer));
    await hone.trace.createFeedback({
      project_id: projectId,
      completion_id: answer.id,
      feedback_type: 'hone.reaction.1',
      payload: { emoji: liked ? '👍' : '👎' },
    });
    return liked;
  });
}

/** Share of answers to held-out questions that are liked, sampled as the judged ones were; 0 to 1. */
export async function likedShare(hone: Hone, model: string): Promise<number> {
  const liked = await inTurns(HELD_OUT_QUESTIONS, async ({ messages }, index) =>
    isLiked(textOf(await ask(hone, model, messages, { temperature: 1, seed: index, max_tokens: MAX_TOKENS }))),
  );
  return liked.filter(Boolean).length / liked.length;
}

async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as Item, at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
