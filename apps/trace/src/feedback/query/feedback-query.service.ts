import { type Principal, ProjectAccess } from '@hone/auth';
import { compileExpression, feedbackField, unknownFields } from '@hone/call-queries';
import type { FeedbackQueryDto, JsonValue } from '@hone/contracts';
import { RefScheme, ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { Cursors, noNextCursor } from '../../cursors/cursors.js';
import { noRows, type RowsAnswer } from '../../streams/rows-answer.js';
import { ALL_RECORDS, FeedbackQueryRepository } from './feedback-query.repository.js';

@Injectable()
export class FeedbackQueryService {
  constructor(
    private readonly feedback: FeedbackQueryRepository,
    private readonly cursors: Cursors,
    private readonly access: ProjectAccess,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * Records that meet the condition, with their total number. An unknown project has none.
   *
   * @throws ValidationError an unknown field, a bad expression, a cursor that is none of this query
   * @throws AccessDeniedError
   */
  async query(caller: Principal, query: FeedbackQueryDto, asLines: boolean): Promise<RowsAnswer> {
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
    const { project_id, sort_by } = query;
    const page = await this.cursors.open(query, 'feedback/query', { project_id, query: query.query, sort_by }, asLines);
    const projectRowId = await this.access.findReadable(caller, 'trace', project_id);
    if (projectRowId === null) return noRows(`{"result":[],"total_count":0${noNextCursor(page)}}`, asLines);
    return this.feedback.query(projectRowId, query, condition, this.refScheme.name, { page, asLines });
  }
}
