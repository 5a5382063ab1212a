import type { Hone } from '@hone/client';

import { HOSTILE } from './hostile.fixture.js';

const SAID = [
  ['I cannot sign in.', 'Which error do you see?'],
  [`It says ${HOSTILE.script}`, 'Please try to reset your password.'],
  [HOSTILE.rightToLeft, HOSTILE.word],
];

/** A conversation of three turns, each of which sends all that was said before. @returns ids of its calls */
export async function seedThread(hone: Hone, projectId: string, thread_id: string): Promise<string[]> {
  const [entity = '', project = ''] = projectId.split('/');
  const at = (ms: number) => new Date(Date.now() - 60_000 + ms).toISOString();
  const messages = SAID.flatMap(([question, answer]) => [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ]);
  const id = (turn: number) => `${thread_id.replace(/\W+/g, '-')}-${turn}`;
  const batch = SAID.map((_, turn) => ({
    ...{ id: id(turn), op_name: 'chat', trace_id: id(turn), parent_id: null, thread_id },
    ...{ turn_id: id(turn), started_at: at(turn * 2_000), ended_at: at(turn * 2_000 + 900) },
    ...{ attributes: {}, summary: {}, inputs: { messages: messages.slice(0, 2 * turn + 1) } },
    output: { choices: [{ message: messages[2 * turn + 1] }] },
  }));
  await hone.trace.completeProjectCalls({ entity, project }, { batch } as never);
  return batch.map((call) => call.id);
}
