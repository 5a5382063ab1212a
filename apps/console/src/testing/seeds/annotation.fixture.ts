import type { Hone } from '@hone/client';

import { seedTrace } from './calls.fixture.js';
import { HOSTILE } from './hostile.fixture.js';

/** The questions that the queue asks, as annotators and reviewers see them. */
export const CRITERIA = { scale: 'Quality', choice: 'Safe to send?' };

export interface SeededQueue {
  readonly queue: string;
  /** In the order in which they are claimed. */
  readonly callIds: readonly string[];
}

/** A queue with a scale and a question, and some calls with hostile content to judge. */
export async function seedQueue(hone: Hone, projectId: string, name: string, calls = 3): Promise<SeededQueue> {
  const callIds: string[] = [];
  for (let index = 0; index < calls; index++) callIds.push(await seedTrace(hone, projectId, `${name}-${index}`));
  const specs = [
    ['quality', { name: CRITERIA.scale, field_schema: { type: 'integer', minimum: 1, maximum: 5 } }],
    ['safe', { name: CRITERIA.choice, description: 'By the guideline.', field_schema: { type: 'boolean' } }],
  ] as const;
  const scorer_refs: string[] = [];
  for (const [object_id, val] of specs) {
    const obj = { project_id: projectId, object_id, val, builtin_object_class: 'AnnotationSpec' as const };
    const { digest } = await hone.trace.createObject({ obj });
    scorer_refs.push(`hone:///${projectId}/object/${object_id}:${digest}`);
  }
  const { id } = await hone.trace.createAnnotationQueue({
    ...{ project_id: projectId, name, description: `Judge the answer. ${HOSTILE.script}`, scorer_refs },
    ...{ reviewers_per_item: 2, lease_seconds: 600 },
  });
  await hone.trace.addAnnotationQueueItems({ queue_id: id }, { project_id: projectId, call_ids: callIds });
  return { queue: id, callIds };
}

/** Ratings of calls by the key's user, and the items completed. @param values one for each call */
export async function rate(hone: Hone, projectId: string, { queue, callIds }: SeededQueue, values: readonly number[]) {
  const { items } = await hone.trace.queryAnnotationQueueItems({ queue_id: queue }, { project_id: projectId });
  for (const [index, value] of values.entries()) {
    const call = callIds[index] as string;
    await hone.trace.createFeedback({
      ...{ project_id: projectId, trace_ref: `hone:///${projectId}/call/${call}`, queue_id: queue, payload: { value } },
      ...{ feedback_type: 'hone.annotation.quality', annotation_ref: `hone:///${projectId}/object/quality:latest` },
    });
    const item_id = items.find(({ call_id }) => call_id === call)?.id ?? '';
    const moved = { project_id: projectId, annotation_state: 'completed' as const };
    await hone.trace.updateAnnotationProgress({ queue_id: queue, item_id }, moved);
  }
}
