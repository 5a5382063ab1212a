import { newId } from '@hone/database';
import { annotationName, QueueWriteRepository } from '@hone/feedback';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { AnnotationFields } from '../labels/annotation-fields.js';
import type { GatePair } from './decision/gate-pair.js';
import type { GateRecord } from './gate.record.js';
import type { GateSettings } from './settings/gate-settings.js';

/** One label of a call is enough. */
const REVIEWERS = 1;
const LEASE_SECONDS = 900;
const DISPLAY_FIELDS = ['inputs', 'output'];

/** Asks people about the answers that a gate has drawn: by an annotation queue, where their labels are annotations. */
@Injectable()
export class GateLabels {
  constructor(
    private readonly fields: AnnotationFields,
    private readonly queues: QueueWriteRepository,
  ) {}

  /** @returns id of the queue; null: labels come as feedback of another type. @throws ValidationError there is no such field */
  async open(project: OwnProject, { name, truth }: GateSettings, createdBy: string): Promise<string | null> {
    if (!truth || !annotationName(truth.feedback_type)) return null;
    const id = newId();
    await this.queues.create(project.rowId, {
      ...{ id, name: `Gate: ${name}`, createdBy, scorerRefs: [await this.fields.refOf(project, truth.feedback_type)] },
      description:
        'Answers of two candidates that were drawn so that a gate can decide. Label all of them, each by itself.',
      ...{ reviewersPerItem: REVIEWERS, leaseSeconds: LEASE_SECONDS, assignedOnly: false },
    });
    return id;
  }

  /** Both answers of each pair that was drawn. */
  async ask({ projectRowId, queueId, createdBy }: GateRecord, pairs: readonly GatePair[]): Promise<void> {
    const ids = pairs
      .filter(({ isDrawn, labels }) => isDrawn && !labels)
      .flatMap(({ answers }) => answers.flatMap(([id]) => id ?? []));
    if (queueId !== null && ids.length > 0)
      await this.queues.addItems(projectRowId, queueId, ids, DISPLAY_FIELDS, createdBy);
  }
}
