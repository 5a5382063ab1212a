import { definitionIssues, type GraderDto, type Issue, type ScorerDefinitionDto, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { isOfText } from '../kinds/check/check.kind.js';
import { ScorerKinds } from '../kinds/kinds.js';
import { ScorerReader } from '../scorers/scorer-reader.service.js';
import { criteriaOf, type Criterion } from '../truth/criterion.js';

/** A scorer, and what counts of its verdicts. */
export interface Grader {
  readonly definition: ScorerDefinitionDto;
  /** Object id; null: a draft. */
  readonly scorerId: string | null;
  /** Of the version; null: a draft. */
  readonly ref: string | null;
  readonly criterion: Criterion;
  readonly weight: number;
}

/** Finds the scorers that are to grade. */
@Injectable()
export class Graders {
  constructor(
    private readonly scorers: ScorerReader,
    private readonly kinds: ScorerKinds,
  ) {}

  /** @throws ValidationError, ScorerNotFoundError, ScorerNotDefinedError */
  async find(project: OwnProject, graders: readonly GraderDto[]): Promise<Grader[]> {
    const issues = graders.flatMap((grader, at) => formIssues(grader).map((issue) => within(issue, at)));
    if (issues.length > 0) throw new ValidationError(issues);
    const found: Grader[] = [];
    for (const [at, grader] of graders.entries()) found.push(await this.findOne(project, grader, at));
    return found;
  }

  private async findOne(project: OwnProject, grader: GraderDto, at: number): Promise<Grader> {
    const { scorer, definition: draft, weight } = grader;
    const stored = draft ? null : await this.scorers.find(project, scorer as string);
    const definition = draft ?? (stored?.definition as ScorerDefinitionDto);
    const field = draft ? ['definition', draft.kind] : ['scorer'];
    const fault = await this.faultOf(definition);
    if (fault) throw new ValidationError([within(valueIssue(`It cannot be used: ${fault}`, field), at)]);
    const criterion = criterionOf(definition, grader.criterion ?? null);
    if (criterion === null) throw new ValidationError([within(unknownCriterion(definition), at)]);
    return { definition, scorerId: stored?.objectId ?? null, ref: stored?.ref ?? null, criterion, weight: weight ?? 1 };
  }

  private async faultOf(definition: ScorerDefinitionDto): Promise<string | null> {
    return ofStoredCalls(definition) ?? (await this.kinds.of(definition.kind).faultOf(definition));
  }
}

/** Null: it can grade answers that nobody has stored. */
const ofStoredCalls = ({ check }: ScorerDefinitionDto): string | null =>
  check && !isOfText(check) ? `${check.check} is checked of stored calls alone` : null;

const within = (issue: Issue, at: number): Issue => ({ ...issue, loc: ['body', 'scorers', at, ...issue.loc] });

/** What is wrong with the fields of a grader, whatever they name. */
function formIssues({ scorer, definition }: GraderDto): Issue[] {
  const isStored = (scorer ?? null) !== null;
  if (!definition) return isStored ? [] : [valueIssue('A scorer or a definition should be given', ['scorer'])];
  if (isStored) return [valueIssue('Should be absent beside scorer', ['definition'])];
  return definitionIssues(definition).map((issue) => ({ ...issue, loc: ['definition', ...issue.loc] }));
}

/** Null: the scorer finds nothing of this name. */
const criterionOf = (definition: ScorerDefinitionDto, name: string | null): Criterion | null =>
  criteriaOf(definition).find((criterion) => name === null || criterion.name === name) ?? null;

const unknownCriterion = (definition: ScorerDefinitionDto): Issue =>
  valueIssue(
    `The scorer finds ${criteriaOf(definition)
      .map(({ name }) => name)
      .join(', ')}`,
    ['criterion'],
  );
