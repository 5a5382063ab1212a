import { valueIssue, withoutScheme } from '@hone/contracts';
import { annotationName } from '@hone/feedback';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { isOfClass, StoredObjects } from '../stored-objects/stored-objects.service.js';

const FIELD_CLASS = 'AnnotationSpec';

/** Annotation fields, which the trace service stores as objects. */
@Injectable()
export class AnnotationFields {
  constructor(private readonly objects: StoredObjects) {}

  /** Ref of the field that people fill in for feedback of a type, without scheme. @throws ValidationError */
  async refOf(project: OwnProject, feedbackType: string): Promise<string> {
    const name = annotationName(feedbackType);
    if (!name) throw refusal("People are asked for annotations: the type should be 'hone.annotation.<name>'");
    const field = await this.objects.find(project, name);
    if (!field || !isOfClass(field.value, FIELD_CLASS)) throw refusal(`The project has no annotation field '${name}'`);
    return withoutScheme(field.ref);
  }
}

const refusal = (message: string): ValidationError =>
  new ValidationError([valueIssue(message, ['body', 'truth', 'feedback_type'])]);
