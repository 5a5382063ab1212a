import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { KNOWN } from './questions.mjs';

const [ENTITY, PROJECT, THREAD] = ['local', 'default', 'thumbed'];
const PROJECT_ID = `${ENTITY}/${PROJECT}`;
const FILTER = { thread_ids: [THREAD] };
const FORMS = ['', ' Answer in one sentence.', ' I forgot it.', ' Be brief.', ' Please tell me.'];
const THUMBS = 300;
const AT_ONCE = 8;
const ANSWER_TOKENS = 24;
/** What people like, which no client tells the server: a sentence that takes the question up. */
const LIKED = '^The ';
const SAMPLED = { temperature: 1, max_tokens: ANSWER_TOKENS };

/**
 * One request makes a model better by 300 thumbs on its own answers, each to a question of its own.
 *
 * @param {{ hone: object, base: string }} setup
 * @returns {Promise<{ liked: number, seconds: number, candidates: object[], sentence: string }>}
 *   `liked`: share of thumbs that are up; `seconds`: from the request to its end
 */
export async function improveByThumbs({ hone, base }) {
  const model = await hone.training.createTrainableModel({ project: PROJECT, name: 'thumbed', base_model: base });
  const ups = await collect(hone, base);
  const where = { entity: ENTITY, project: PROJECT };
  const check = { check: 'regex', pattern: LIKED };
  await hone.trace.createScorer(where, { name: 'taken-up', definition: { kind: 'check', check } });
  const startedMs = Date.now();
  const { id } = await hone.evaluation.improveModel({
    ...{ project_id: PROJECT_ID, model_id: model.id, data: { source: { filter: FILTER } } },
    configs: { kto: { n_epochs: 3 } },
    evaluate: { scorers: ['taken-up'], parameters: SAMPLED },
  });
  const read = () => hone.evaluation.getImprovement({ improvement_id: id });
  let found = await read();
  while (found.ended_at === null) {
    await sleep(1_000);
    found = await read();
  }
  const { candidates, sentence } = found;
  return { liked: ups / THUMBS, seconds: (Date.now() - startedMs) / 1_000, candidates, sentence };
}

/** Asks the questions, and says of each answer whether it is liked. @returns how many are */
async function collect(hone, base) {
  const questions = FORMS.flatMap((form) =>
    KNOWN.map(({ messages: [{ role, content }] }) => [{ role, content: content + form }]),
  ).slice(0, THUMBS);
  const isLiked = new RegExp(LIKED);
  const next = questions.entries();
  let ups = 0;
  const worker = async () => {
    for (const [seed, messages] of next) {
      const body = { model: base, messages, seed, user: THREAD, ...SAMPLED };
      const { id, choices } = await hone.inference.createChatCompletion(body);
      const isUp = isLiked.test(choices[0].message.content);
      if (isUp) ups++;
      const payload = { emoji: isUp ? '👍' : '👎' };
      await hone.trace.createFeedback({
        ...{ project_id: PROJECT_ID, completion_id: id, feedback_type: 'hone.reaction.1', payload },
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const counted = () => hone.trace.countCalls({ project_id: PROJECT_ID, filter: FILTER });
  for (let tries = 0; (await counted()).count < THUMBS; tries++) {
    assert.ok(tries < 100, 'The calls are not kept.');
    await sleep(200);
  }
  return ups;
}
