import type { Principal } from '@hone/auth';
import type { JudgeDisagreementDto, JudgeReportDto, JudgeReportQueryDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { agreementOf } from './agreement.js';
import { meanFigures } from './corrected-mean.js';
import { worstDisagreements } from './disagreements.js';
import { gateFigures } from './judge-gate.js';
import type { LabelledCalls } from './labelled-calls.js';
import { LabelledCallsReader } from './labelled-calls.reader.js';
import { MAX_NAMED, VerdictGroupsRepository } from './verdict-groups.repository.js';

/** What a judge says of calls, and how far people's labels bear it out. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly reader: LabelledCallsReader,
    private readonly verdicts: VerdictGroupsRepository,
  ) {}

  /** @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError, ScorerNotDefinedError, TooManyLabelsError */
  async report(caller: Principal, body: JudgeReportQueryDto): Promise<JudgeReportDto> {
    const opened = await this.reader.open(caller, body, 'reader');
    const { project, scorer, criterion, level } = opened;
    const calls = await this.reader.read(opened, body.label_source ?? null);
    return {
      ...{ scorer: scorer.ref, criterion: criterion.name, level, unread_labels: calls.unread },
      ...{ label_source: calls.source, labels_left_out: calls.leftOut, calls_without_chance: calls.withoutChance },
      ...meanFigures(calls, level),
      ...gateFigures(calls, criterion, body, level),
      agreement: agreementOf(calls, criterion, level),
      disagreements: await this.disagreements(project.rowId, calls),
    };
  }

  private async disagreements(projectRowId: string, { groups }: LabelledCalls): Promise<JudgeDisagreementDto[]> {
    const worst = worstDisagreements(groups, MAX_NAMED);
    if (worst.length === 0) return [];
    const reasons = await this.verdicts.reasons(
      projectRowId,
      worst.map(({ feedbackId }) => feedbackId),
    );
    return worst.map(({ callId, feedbackId, judge, human }) => ({
      ...{ call_id: callId, judge, human },
      reason: reasons.get(feedbackId) ?? null,
    }));
  }
}
