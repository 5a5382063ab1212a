import { type Principal, ProjectAccess } from '@hone/auth';
import { type CallSelection, CallSelector, compileExpression, feedbackField } from '@hone/call-queries';
import { toSftLine } from '@hone/calls';
import { type ExportDto, issue, type JsonValue, RawJson } from '@hone/contracts';
import { LinesAnswer, RefScheme, ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { CallReadRepository } from '../calls/reads/call-read.repository.js';
import { CallReadService } from '../calls/reads/call-read.service.js';
import { ALL_RECORDS, FeedbackQueryRepository } from '../feedback/query/feedback-query.repository.js';
import { ExportRepository } from './export.repository.js';
import { both, isJudged, meets } from './export.sql.js';

/** Calls and feedback for other programs, above all as data that models are trained on. */
@Injectable()
export class ExportService {
  constructor(
    private readonly exports: ExportRepository,
    private readonly reads: CallReadService,
    private readonly calls: CallReadRepository,
    private readonly feedback: FeedbackQueryRepository,
    private readonly selector: CallSelector,
    private readonly access: ProjectAccess,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * One line for each call or record, oldest first. An unknown project has none.
   *
   * @throws ValidationError a bad expression, an unknown field, a filter of calls for feedback
   * @throws AccessDeniedError
   */
  async export(caller: Principal, body: ExportDto): Promise<LinesAnswer> {
    const { project_id } = body;
    const isOfCalls = body.source === 'calls';
    if (!isOfCalls && body.filter) throw new ValidationError([issue('extra_forbidden', ['body', 'filter'])]);
    const wanted = body.feedback ? meets(body.feedback) : undefined;
    const ofFeedback = both(isOfCalls ? undefined : this.ofFeedback(body), wanted);
    const selected = this.selector.compile(isOfCalls ? body : { project_id });
    const projectRowId = await this.access.findReadable(caller, 'trace', project_id);
    if (projectRowId === null)
      return new LinesAnswer(new RawJson(''), { 'x-row-count': () => 0, 'x-skipped': () => 0 });
    if (!isOfCalls && body.format !== 'sft') {
      const source = this.feedback.source(projectRowId, { project_id }, ofFeedback ?? ALL_RECORDS, this.refScheme.name);
      return this.exports.stream(source);
    }
    const judged = isOfCalls && !wanted ? undefined : isJudged(ofFeedback ?? ALL_RECORDS);
    const found = await this.selector.within(projectRowId, selected, true);
    const selection = { ...found, condition: both(found.condition, judged) };
    return body.format === 'sft' ? this.conversations(selection) : this.raw(selection);
  }

  private async raw(selection: CallSelection): Promise<LinesAnswer> {
    const source = await this.reads.wholeCalls(selection);
    return this.exports.stream(source);
  }

  private conversations(selection: CallSelection): Promise<LinesAnswer> {
    const source = this.calls.lineSource(selection, {}, ['inputs', 'output'], (_row, { inputs, output }) =>
      toSftLine(inputs ?? null, output ?? null),
    );
    return this.exports.stream(source);
  }

  private ofFeedback({ query }: ExportDto) {
    const context = { resolve: feedbackField, refScheme: this.refScheme.name };
    return query ? compileExpression(query.$expr as JsonValue, context, ['body', 'query', '$expr']) : undefined;
  }
}
