import type { Hone } from '@hone/client';

import { HOSTILE } from './hostile.fixture.js';

/** Calls of several ops, models and users, some of which failed, with hostile keys and values. @returns how many */
export async function seedVariedCalls(hone: Hone, projectId: string): Promise<number> {
  const [entity = '', project = ''] = projectId.split('/');
  const at = (ms: number) => new Date(Date.now() - 60_000 + ms).toISOString();
  const call = (name: string, index: number, model: string | null, more: object = {}) => ({
    ...{ id: `call-${index}`, op_name: name, trace_id: `call-${index}`, started_at: at(1_000 * index) },
    ...{ ended_at: at(1_000 * index + 10 * (index + 1)), inputs: { q: `question ${index}`, [HOSTILE.script]: 1 } },
    ...{ attributes: { user: index % 2 ? 'ada' : HOSTILE.script }, output: { score: index / 10, 'a.b': HOSTILE.word } },
    summary: { usage: model ? { [model]: { total_tokens: 100 * index } } : {} },
    ...more,
  });
  const batch = [
    ...[0, 1, 2].map((index) => call('chat', index, 'gpt-4.1')),
    ...[3, 4].map((index) => call('search', index, null, { exception: 'TimeoutError' })),
    call(HOSTILE.script, 5, HOSTILE.script),
  ];
  await hone.trace.completeProjectCalls({ entity, project }, { batch } as never);
  return batch.length;
}
