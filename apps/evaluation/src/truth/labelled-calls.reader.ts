import type { Principal } from '@hone/auth';
import { CallSelector } from '@hone/call-queries';
import { type JudgedCriterionDto, valueIssue, withoutScheme } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { DEFAULT_LEVEL } from '@hone/statistics';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess, type OwnProject } from '../access/evaluation-access.js';
import { type Scorer, ScorerReader } from '../scorers/scorer-reader.service.js';
import { criteriaOf, type Criterion } from './criterion.js';
import { type LabelledCalls, readLabels } from './labelled-calls.js';
import { TooManyLabelsError } from './reports.errors.js';
import { VerdictGroupsRepository } from './verdict-groups.repository.js';

/** Calls with a label. Statistics passes over them a few times, which takes milliseconds. */
const MAX_LABELLED = 100_000;

/** What a request asks about, and what was found. */
export interface FoundCriterion {
  readonly project: OwnProject;
  readonly scorer: Scorer;
  readonly criterion: Criterion;
  readonly calls: LabelledCalls;
  readonly level: number;
}

/** Reads what judge and people say of the calls that a request means. */
@Injectable()
export class LabelledCallsReader {
  constructor(
    private readonly access: EvaluationAccess,
    private readonly scorers: ScorerReader,
    private readonly selector: CallSelector,
    private readonly verdicts: VerdictGroupsRepository,
  ) {}

  /** @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError, ScorerNotDefinedError, TooManyLabelsError */
  async read(caller: Principal, body: JudgedCriterionDto): Promise<FoundCriterion> {
    const { project_id, filter, query } = body;
    const compiled = this.selector.compile({ project_id, filter, query });
    const project = await this.access.project(caller, project_id, 'reader');
    const scorer = await this.scorers.find(project, body.scorer);
    const criterion = criterionOf(scorer, body.criterion);
    const selection = await this.selector.within(project.rowId, compiled);
    const truth = body.truth ?? null;
    const source = { scorerId: scorer.objectId, runnableRef: withoutScheme(scorer.ref), criterion, truth };
    const found = await this.verdicts.find(selection, source, MAX_LABELLED + 1);
    if (found.groups.reduce((sum, { calls }) => sum + calls, 0) > MAX_LABELLED)
      throw new TooManyLabelsError(MAX_LABELLED);
    const calls = readLabels(found, criterion, truth?.map);
    return { project, scorer, criterion, calls, level: body.level ?? DEFAULT_LEVEL };
  }
}

/** @throws ValidationError the scorer finds nothing of the name */
function criterionOf({ definition }: Scorer, name: string): Criterion {
  const criteria = criteriaOf(definition);
  const found = criteria.find((one) => one.name === name);
  if (found) return found;
  const names = criteria.map((one) => `'${one.name}'`).join(', ');
  throw new ValidationError([valueIssue(`The scorer finds ${names}`, ['body', 'criterion'])]);
}
