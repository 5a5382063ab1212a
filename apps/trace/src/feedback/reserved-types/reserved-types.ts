import { type FeedbackCreateDto, type Issue, type JsonObject, valueIssue } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { QueueRepository } from '../../annotation-queues/queue.repository.js';
import { AnnotationSpecs } from './annotation-specs.js';
import { type Emoji, findEmoji } from './emoji.js';
import { annotationName } from './type-forms.js';

/** A payload as it will be stored, or the issues that forbid it. */
export interface ResolvedPayload {
  payload: JsonObject;
  /** `loc` is relative to the body. */
  issues: Issue[];
}

/** Feedback types of which the server knows what they mean: notes, reactions, annotations, runnables, agents. */
@Injectable()
export class ReservedTypes {
  constructor(
    private readonly queues: QueueRepository,
    private readonly annotationSpecs: AnnotationSpecs,
  ) {}

  /** Looks up what a body of a reserved type names, and completes its payload. Its form was checked before. */
  async resolve(body: FeedbackCreateDto, projectRowId: string | null): Promise<ResolvedPayload> {
    const payload = body.payload as JsonObject;
    const issues: Issue[] = [];
    if (annotationName(body.feedback_type) !== undefined) {
      issues.push(
        ...(await this.annotationSpecs.issues(body.annotation_ref as string, payload['value'] ?? null, projectRowId)),
      );
    }
    if (body.queue_id && !(projectRowId && (await this.queues.exists(projectRowId, body.queue_id)))) {
      issues.push(valueIssue('There is no queue with this id in the project', ['queue_id']));
    }
    return { payload: body.feedback_type === 'hone.reaction.1' ? describedReaction(payload) : payload, issues };
  }
}

function describedReaction(payload: JsonObject): JsonObject {
  const { alias, detoned, detonedAlias } = findEmoji(payload['emoji'] as string) as Emoji;
  return { ...payload, alias, detoned, detoned_alias: detonedAlias };
}
