import type { QueueItemDto } from '@hone/client';

import type { Criterion } from '../../shared/annotation/rubric.js';
import { hone } from '../../shared/data/hone.js';
import { callRef } from '../../shared/data/refs.js';
import { NOTE } from '../../shared/feedback/feedback.js';

/** Name of a criterion -> answer. */
export type Answers = ReadonlyMap<string, unknown>;

/** What an annotator says of an item. */
export interface Judgement {
  readonly answers: Answers;
  readonly note: string;
}

export const NO_JUDGEMENT: Judgement = { answers: new Map(), note: '' };

export interface Finish {
  readonly item: QueueItemDto;
  readonly state: 'completed' | 'skipped';
  readonly judgement: Judgement;
}

/**
 * Stores what an annotator says of items. Of an item that is stored again, because it could not be completed or was
 * looked at once more, only what has changed since is sent.
 */
export class Finishing {
  /** Id of an item -> what is stored of it. */
  private readonly stored = new Map<string, Judgement>();
  /** Ids of items whose state has been moved: it is final. */
  private readonly moved = new Set<string>();

  constructor(
    private readonly projectId: string,
    private readonly rubric: readonly Criterion[],
  ) {}

  async finish({ item, state, judgement }: Finish): Promise<void> {
    if (state === 'completed') await this.store(item, judgement);
    if (this.moved.has(item.id)) return;
    const params = { queue_id: item.queue_id, item_id: item.id };
    await hone.trace.updateAnnotationProgress(params, { project_id: this.projectId, annotation_state: state });
    this.moved.add(item.id);
  }

  private async store(item: QueueItemDto, judgement: Judgement): Promise<void> {
    const batch = toFeedback(this.projectId, item, this.rubric, judgement, this.stored.get(item.id));
    if (batch.length > 0) await hone.trace.createFeedbackBatch({ batch: batch as never });
    this.stored.set(item.id, judgement);
  }
}

/** One record for each answer and for the note, if they are other than those before. */
export function toFeedback(
  project_id: string,
  item: Pick<QueueItemDto, 'queue_id' | 'call_id'>,
  rubric: readonly Pick<Criterion, 'name' | 'ref'>[],
  { answers, note }: Judgement,
  before: Judgement = NO_JUDGEMENT,
) {
  const common = { project_id, queue_id: item.queue_id, trace_ref: callRef(project_id, item.call_id) };
  const said = rubric
    .filter(({ name }) => !before.answers.has(name) || before.answers.get(name) !== answers.get(name))
    .map(({ name, ref }) => ({
      ...common,
      ...{ feedback_type: `hone.annotation.${name}`, annotation_ref: ref, payload: { value: answers.get(name) } },
    }));
  const text = note.trim();
  if (text === '' || text === before.note.trim()) return said;
  return [...said, { ...common, feedback_type: NOTE, payload: { note: text } }];
}
