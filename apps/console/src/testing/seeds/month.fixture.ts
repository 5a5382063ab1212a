import type { Hone } from '@hone/client';

const DAY_MS = 86_400_000;
const MODELS = ['gpt-4.1', 'gpt-4.1-mini'];

/** Calls of two priced models on each of some days before today, every tenth of which failed; the newest are judged. */
export async function seedMonth(hone: Hone, projectId: string, days: number): Promise<void> {
  const [entity = '', project = ''] = projectId.split('/');
  const noon = new Date().setHours(12, 0, 0, 0);
  const batch = Array.from({ length: days * 4 }, (_, index) => {
    const startedMs = noon - (Math.floor(index / 4) + 1) * DAY_MS + (index % 4) * 60_000;
    const model = MODELS[index % 2] as string;
    return {
      ...{
        id: `${project}-${index}`,
        op_name: index % 4 === 0 ? 'retrieve' : 'answer',
        trace_id: `t-${project}-${index}`,
      },
      ...{
        started_at: new Date(startedMs).toISOString(),
        ended_at: new Date(startedMs + 400 + 90 * (index % 7)).toISOString(),
      },
      ...{ attributes: {}, inputs: { question: `Question ${index}` }, output: `Answer ${index}` },
      summary: { usage: { [model]: { requests: 1, prompt_tokens: 90_000, completion_tokens: 9_000 } } },
      ...(index % 10 === 3 && { exception: `Traceback\nTimeoutError: no answer to question ${index}` }),
    };
  });
  await hone.trace.completeProjectCalls({ entity, project }, { batch } as never);
  for (const [index, emoji] of ['👍', '👎', '👍'].entries()) {
    const trace_ref = `hone:///${projectId}/call/${project}-${index}`;
    await hone.trace.createFeedback({
      ...{ project_id: projectId, trace_ref, feedback_type: 'hone.reaction.1', payload: { emoji } },
    } as never);
  }
}
