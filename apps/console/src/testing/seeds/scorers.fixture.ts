import type { Hone } from '@hone/client';

import { HOSTILE } from './hostile.fixture.js';

/** Calls, every second of which says thanks; people say the same but for every tenth. */
const CALLS = 40;
const LABELLED = 30;

export interface SeededScorers {
  /** Ids of the scorers' objects. */
  readonly check: string;
  readonly judge: string;
  /** The criterion by which people have labelled. */
  readonly spec: string;
}

/** A check and a judge, calls that both can be tried on, people's labels of them, and what the check has found. */
export async function seedScorers(hone: Hone, projectId: string): Promise<SeededScorers> {
  const [entity = '', project = ''] = projectId.split('/');
  const place = { entity, project };
  const begin = Date.now() - 60_000;
  const at = (ms: number) => new Date(begin + ms).toISOString();
  const batch = Array.from({ length: CALLS }, (_, n) => ({
    ...{ id: `reply-${n}`, op_name: 'reply', trace_id: `reply-${n}`, parent_id: null, attributes: {}, summary: {} },
    ...{ started_at: at(n * 1_000), ended_at: at(n * 1_000 + 400) },
    inputs: { messages: [{ role: 'user', content: n === 0 ? HOSTILE.script : `Where is order ${n}?` }] },
    output: n % 2 === 0 ? `Thank you for asking: order ${n} is on its way.` : `Order ${n} is on its way.`,
  }));
  await hone.trace.completeProjectCalls(place, { batch } as never);
  const val = { name: 'Polite?', field_schema: { type: 'boolean' } };
  await hone.trace.createObject({
    obj: { project_id: projectId, object_id: 'polite', val, builtin_object_class: 'AnnotationSpec' },
  });
  for (let n = 0; n < LABELLED; n++)
    await hone.trace.createFeedback({
      ...{ project_id: projectId, trace_ref: `hone:///${projectId}/call/reply-${n}` },
      ...{ feedback_type: 'hone.annotation.polite', annotation_ref: `hone:///${projectId}/object/polite:latest` },
      payload: { value: (n % 2 === 0) !== (n % 10 === 0) },
    });
  const { object_id: check } = await hone.trace.createScorer(place, {
    name: 'says thanks',
    description: 'Whether the answer thanks whoever asked.',
    definition: { kind: 'check', check: { check: 'contains', value: 'thank', ignore_case: true } },
  });
  const { object_id: judge } = await hone.trace.createScorer(place, {
    name: 'helpful judge',
    description: 'How much the answer helps.',
    definition: {
      kind: 'llm',
      llm: {
        model: 'hone-tiny',
        messages: [{ role: 'user', content: 'Asked:\n{{messages}}\n\nAnswered:\n{{output}}' }],
        ratings: [
          { name: 'helpful', min: 1, max: 5, description: 'How much it helps.', steps: { '5': 'all is said' } },
        ],
        tags: [{ name: 'polite', description: 'It thanks.' }],
        max_tokens: 64,
      },
    },
  });
  const { id } = await hone.evaluation.createScoring({ project_id: projectId, scorer: check });
  await hone.evaluation.createMonitor({
    ...{ project_id: projectId, name: 'thanks in production', scorer: check, sample_rate: 0.25 },
    filter: { trace_roots_only: true },
  });
  await untilScored(hone, id);
  return { check, judge, spec: 'polite' };
}

/** A judge that compares answers of {@link seedScorers} with what was asked, and what it found about six. @returns id of its object */
export async function seedOrderedJudge(hone: Hone, projectId: string): Promise<string> {
  const [entity = '', project = ''] = projectId.split('/');
  const messages = [{ role: 'user' as const, content: 'First: {{first}}\nSecond: {{second}}' }];
  const pairwise = { model: 'hone-tiny', messages, against: 'inputs.messages', max_tokens: 64 };
  const scorer = { name: 'better than asked', definition: { kind: 'pairwise' as const, pairwise } };
  const { object_id } = await hone.trace.createScorer({ entity, project }, scorer);
  const call_ids = Array.from({ length: 6 }, (_, n) => `reply-${n}`);
  const { id } = await hone.evaluation.createScoring({ project_id: projectId, scorer: object_id, call_ids });
  await untilScored(hone, id);
  return object_id;
}

/** Waits until a scoring has ended. */
export async function untilScored(hone: Hone, scoring_id: string): Promise<void> {
  for (;;) {
    const { finished_at } = await hone.evaluation.getScoring({ scoring_id });
    if (finished_at !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A report of how a check of {@link seedScorers} may be biased, whose probes are done. @returns its id */
export async function seedBiasReport(hone: Hone, project_id: string, { check, spec }: SeededScorers): Promise<string> {
  const truth = { feedback_type: `hone.annotation.${spec}` };
  const judged = { project_id, scorer: check, criterion: 'passed', truth };
  const probed = { probes: ['longer' as const, 'bullets' as const, 'repeat' as const], probe_calls: 20 };
  const { id } = await hone.evaluation.createBiasReport({ ...judged, ...probed });
  while ((await hone.evaluation.getBiasReport({ bias_report_id: id })).status === 'running')
    await new Promise((resolve) => setTimeout(resolve, 100));
  return id;
}
