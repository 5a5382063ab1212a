import { type Issue, valueIssue } from '@hone/contracts';
import type { SentFeedback } from '@hone/feedback';
import { Injectable } from '@nestjs/common';

import { QueueRepository } from '../../annotation-queues/queue.repository.js';
import { AnnotationSpecs } from './annotation-specs.js';

/** Feedback types of which the server knows what they mean: notes, reactions, annotations, runnables, agents. */
@Injectable()
export class ReservedTypes {
  constructor(
    private readonly queues: QueueRepository,
    private readonly annotationSpecs: AnnotationSpecs,
  ) {}

  /**
   * Looks up what a record of a reserved type names. Its form was checked before.
   *
   * @returns issues whose `loc` is relative to the record
   */
  async issues(
    { annotationRef, annotationText, queueId }: SentFeedback,
    projectRowId: string | null,
  ): Promise<readonly Issue[]> {
    const issues: Issue[] = [];
    if (annotationText !== null)
      issues.push(...(await this.annotationSpecs.issues(annotationRef as string, annotationText, projectRowId)));
    if (queueId && !(projectRowId && (await this.queues.exists(projectRowId, queueId))))
      issues.push(valueIssue('There is no queue with this id in the project', ['queue_id']));
    return issues;
  }
}
