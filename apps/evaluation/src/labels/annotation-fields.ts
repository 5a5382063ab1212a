import { isJsonObject, parseJson, parseVersionSelector, valueIssue } from '@hone/contracts';
import { annotationName } from '@hone/feedback';
import { ObjectVersionsRepository } from '@hone/objects';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';

const FIELD_CLASS = 'AnnotationSpec';

/** Annotation fields, which the trace service stores as objects. */
@Injectable()
export class AnnotationFields {
  constructor(private readonly objects: ObjectVersionsRepository) {}

  /** Ref of the field that people fill in for feedback of a type, without scheme. @throws ValidationError */
  async refOf(project: OwnProject, feedbackType: string): Promise<string> {
    const name = annotationName(feedbackType);
    if (!name) throw refusal("People are asked for annotations: the type should be 'hone.annotation.<name>'");
    const [version] = (await this.objects.find(project.rowId, name, parseVersionSelector('latest'))) ?? [];
    const text = version && (await this.objects.read(project.rowId, name, version.digest));
    const value = text ? parseJson(text) : null;
    if (!version || !isJsonObject(value) || value['_class_name'] !== FIELD_CLASS)
      throw refusal(`The project has no annotation field '${name}'`);
    return `${project.id}/object/${name}:${version.digest}`;
  }
}

const refusal = (message: string): ValidationError =>
  new ValidationError([valueIssue(message, ['body', 'truth', 'feedback_type'])]);
