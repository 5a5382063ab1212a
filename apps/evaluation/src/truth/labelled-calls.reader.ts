import type { Principal } from '@hone/auth';
import { type CallSelection, CallSelector } from '@hone/call-queries';
import { type JudgedCriterionDto, type LabelSource, type Role, valueIssue, withoutScheme } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { DEFAULT_LEVEL } from '@hone/statistics';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess, type OwnProject } from '../access/evaluation-access.js';
import { type AnyScorer, ScorerReader } from '../scorers/scorer-reader.service.js';
import { criteriaOf, type Criterion, openCriterion } from './criterion.js';
import type { VerdictSource } from './judged.sql.js';
import { type LabelledCalls, readLabels } from './labelled-calls.js';
import { TooManyLabelsError } from './reports.errors.js';
import { VerdictGroupsRepository } from './verdict-groups.repository.js';

/** Calls with a label. Statistics passes over them a few times, which takes milliseconds. */
const MAX_LABELLED = 100_000;

/** What a request asks about. */
export interface OpenedCriterion {
  readonly project: OwnProject;
  readonly scorer: AnyScorer;
  readonly criterion: Criterion;
  readonly selection: CallSelection;
  readonly source: VerdictSource;
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

  /** @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError */
  async open(caller: Principal, body: JudgedCriterionDto, needed: Role): Promise<OpenedCriterion> {
    const { project_id, filter, query } = body;
    const compiled = this.selector.compile({ project_id, filter, query });
    const project = await this.access.project(caller, project_id, needed);
    const scorer = await this.scorers.findAny(project, body.scorer);
    const criterion = criterionOf(scorer, body.criterion);
    const selection = await this.selector.within(project.rowId, compiled);
    const source = {
      ...{ scorerId: scorer.objectId, runnableRef: withoutScheme(scorer.ref) },
      ...{ criterion, truth: body.truth ?? null },
    };
    return { project, scorer, criterion, selection, source, level: body.level ?? DEFAULT_LEVEL };
  }

  /** @throws TooManyLabelsError */
  async read({ selection, source, criterion }: OpenedCriterion, wanted: LabelSource | null): Promise<LabelledCalls> {
    const found = await this.verdicts.find(selection, source, MAX_LABELLED + 1);
    const calls = found && readLabels(found, criterion, source.truth?.map, wanted);
    if (!calls || calls.human.length + calls.leftOut > MAX_LABELLED) throw new TooManyLabelsError(MAX_LABELLED);
    return calls;
  }
}

/** @throws ValidationError the scorer finds nothing of the name */
function criterionOf({ definition }: AnyScorer, name: string): Criterion {
  if (definition === null) return openCriterion(name);
  const criteria = criteriaOf(definition);
  const found = criteria.find((one) => one.name === name);
  if (found) return found;
  const names = criteria.map((one) => `'${one.name}'`).join(', ');
  throw new ValidationError([valueIssue(`The scorer finds ${names}`, ['body', 'criterion'])]);
}
