import { type CallSelection, fromSelection } from '@hone/call-queries';
import type { JudgeTruthDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { IS_TRAFFIC } from '../judged-calls/own-users.sql.js';
import {
  callAnswerLines,
  callLabelLines,
  callLines,
  callRowLines,
  type CallSet,
  callUsageLines,
} from './call-sets.sql.js';
import { ComparedLines, type TrialTexts } from './compared-lines.repository.js';
import type { SliceCondition } from './slices.sql.js';

/** Reads what sets of calls are compared by, as texts that a thread parses. */
@Injectable()
export class CallSetsRepository {
  constructor(
    private readonly database: Database,
    private readonly lines: ComparedLines,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * Ids of calls that have ended, the newest first. Those in which judges asked models, or candidates of evaluations answered, are meant
   * only where they are named.
   */
  async find(selection: CallSelection, limit: number): Promise<string[]> {
    const isNamed = (selection.filter?.call_ids?.length ?? 0) > 0;
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT c.id ${fromSelection(selection)} AND c.ended_at IS NOT NULL
        ${isNamed ? Prisma.empty : Prisma.sql`AND ${IS_TRAFFIC}`}
      ORDER BY c.started_at DESC, c.id DESC LIMIT ${limit}`;
    return rows.map(({ id }) => id);
  }

  /** @throws ComparisonTooLargeError */
  trials(project: OwnProject, sets: readonly CallSet[]): Promise<TrialTexts> {
    return this.lines.trials(callLines(project, sets, this.refScheme.name));
  }

  /** Texts of `UsageLine`s. @throws ComparisonTooLargeError */
  usage(project: OwnProject, sets: readonly CallSet[], changes: readonly Date[]): Promise<string[]> {
    return this.lines.read(callUsageLines(project, sets, changes));
  }

  /** Texts of `RowLine`s. @throws ComparisonTooLargeError */
  rows(project: OwnProject, sets: readonly CallSet[], conditions: readonly SliceCondition[]): Promise<string[]> {
    return this.lines.read(callRowLines(project, sets, conditions));
  }

  /** Texts of `AnswerLine`s. @throws ComparisonTooLargeError */
  answers(project: OwnProject, sets: readonly CallSet[]): Promise<string[]> {
    return this.lines.read(callAnswerLines(project, sets));
  }

  /** Texts of `LabelLine`s. @throws ComparisonTooLargeError */
  labels(project: OwnProject, sets: readonly CallSet[], truths: readonly JudgeTruthDto[]): Promise<string[]> {
    return this.lines.labels(project, truths, (labels) => callLabelLines(project, sets, labels));
  }
}
