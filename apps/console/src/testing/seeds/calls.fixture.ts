import type { Hone } from '@hone/client';

import { HOSTILE } from './hostile.fixture.js';

/** One trace: a root, two calls within it, one of which failed, and hostile content in all of them. */
export async function seedTrace(hone: Hone, projectId: string, name: string): Promise<string> {
  const [entity = '', project = ''] = projectId.split('/');
  const id = (part: string) => `${name}-${part}`;
  const at = (ms: number) => new Date(Date.now() - 10_000 + ms).toISOString();
  const call = (part: string, parent: string | null, from: number, to: number, more: object = {}) => ({
    ...{ id: id(part), op_name: `${name}.${part}`, trace_id: id('trace'), parent_id: parent && id(parent) },
    ...{ started_at: at(from), ended_at: at(to), attributes: {}, inputs: { q: part }, output: part, summary: {} },
    ...more,
  });
  await hone.trace.completeProjectCalls({ entity, project }, {
    batch: [
      call('root', null, 0, 3_000, {
        display_name: HOSTILE.script,
        inputs: {
          [HOSTILE.script]: HOSTILE.word,
          __proto__x: 1,
          text: HOSTILE.rightToLeft,
          exact: 12345678901234567890n,
        },
        output: { messages: [HOSTILE.script] },
      }),
      call('first', 'root', 100, 1_000),
      call('second', 'root', 1_000, 2_900, { exception: HOSTILE.script }),
    ],
  } as never);
  return id('root');
}

const QUESTIONS = ['What is the opposite of hot?', 'repeat: cat', 'What is 9 minus 4?', 'reverse: tac', 'Who are you?'];

/** Chats of a small model, the last of which is judged. @returns id of its call, which is stored some time later */
export async function seedChats(hone: Hone, projectId: string, rounds: number): Promise<string> {
  let id = '';
  for (let round = 0; round < rounds; round++)
    for (const content of QUESTIONS) {
      const body = { model: 'hone-tiny', messages: [{ role: 'user', content }], max_tokens: 24 };
      const answer = await hone.inference.createChatCompletion(body as never, {
        headers: { 'hone-project': projectId },
      });
      id = answer.id;
    }
  for (const [feedback_type, payload] of [
    ['hone.reaction.1', { emoji: '👍' }],
    ['hone.note.1', { note: 'Short and right.' }],
  ] as const)
    await hone.trace.createFeedback({ project_id: projectId, completion_id: id, feedback_type, payload } as never);
  return id.replace('chatcmpl-', '');
}

/** A trace of several levels, as a retrieval would send it. @returns id of its root */
export async function seedRetrieval(hone: Hone, projectId: string): Promise<string> {
  const [entity = '', project = ''] = projectId.split('/');
  const begin = Date.now() - 5_000;
  const at = (ms: number) => new Date(begin + ms).toISOString();
  const call = (id: string, parent_id: string | null, from: number, to: number, more: object = {}) => ({
    ...{ id, op_name: id, trace_id: 'retrieval', parent_id, started_at: at(from), ended_at: at(to), attributes: {} },
    ...{ inputs: { question: 'How do I reset my password?' }, output: { documents: 3, score: 0.25 }, summary: {} },
    ...more,
  });
  await hone.trace.completeProjectCalls({ entity, project }, {
    batch: [
      call('answer_question', null, 0, 2_400),
      call('search', 'answer_question', 50, 900),
      call('embed', 'search', 60, 300),
      call('rank', 'search', 310, 880, { exception: 'TimeoutError: the ranker did not answer within 500 ms' }),
      call('generate', 'answer_question', 920, 2_380),
    ],
  } as never);
  return 'answer_question';
}
