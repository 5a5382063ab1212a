import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';
import { type FeedbackQueryDto, type JsonValue, RawJson } from '@hone/contracts';
import { type Principal, ProjectAccess } from '@hone/auth';
import { RefScheme, ValidationError } from '@hone/platform';

import { compileExpression } from '../../query-expressions/expression.js';
import { unknownFields } from '../../query-expressions/unknown-fields.js';
import { feedbackField } from './feedback-fields.js';
import { ALL_RECORDS, FeedbackQueryRepository } from './feedback-query.repository.js';

@Injectable()
export class FeedbackQueryService {
  constructor(
    private readonly feedback: FeedbackQueryRepository,
    private readonly access: ProjectAccess,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * Records that meet the condition, with their total number. An unknown project has none.
   *
   * @throws ValidationError an unknown field, a bad expression
   * @throws AccessDeniedError
   */
  async query(caller: Principal, query: FeedbackQueryDto): Promise<RawJson | Readable> {
    const issues = [
      ...unknownFields(query.fields ?? [], feedbackField, (index) => ['body', 'fields', index]),
      ...unknownFields(
        (query.sort_by ?? []).map(({ field }) => field),
        feedbackField,
        (index) => ['body', 'sort_by', index, 'field'],
      ),
    ];
    if (issues.length) throw new ValidationError(issues);
    const context = { resolve: feedbackField, refScheme: this.refScheme.name };
    const condition = query.query
      ? compileExpression(query.query.$expr as JsonValue, context, ['body', 'query', '$expr'])
      : ALL_RECORDS;
    const projectRowId = await this.access.findReadable(caller, 'trace', query.project_id);
    if (projectRowId === null) return new RawJson('{"result":[],"total_count":0}');
    return this.feedback.query(projectRowId, query, condition, this.refScheme.name);
  }
}
