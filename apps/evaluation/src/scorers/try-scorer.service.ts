import type { Principal } from '@hone/auth';
import { toUsd } from '@hone/calls';
import {
  definitionIssues,
  judgeModelOf,
  type ScorerDefinitionDto,
  type TryScorerDto,
  type TryScorerResultDto,
  valueIssue,
  type VerdictDto,
} from '@hone/contracts';
import { newId } from '@hone/database';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess, type OwnProject } from '../access/evaluation-access.js';
import { GatewayClient } from '../gateway/gateway-client.js';
import type { JudgedCall } from '../judged-calls/judged-call.js';
import { JudgedCallsRepository } from '../judged-calls/judged-calls.repository.js';
import { ScorerKinds } from '../kinds/kinds.js';
import { type JudgeContext, type Outcome, withoutVerdict } from '../kinds/scorer-kind.js';
import { ScorerReader } from './scorer-reader.service.js';

const AT_ONCE = 4;

/** Judges a few calls without storing what is found. */
@Injectable()
export class TryScorerService {
  constructor(
    private readonly access: EvaluationAccess,
    private readonly scorers: ScorerReader,
    private readonly calls: JudgedCallsRepository,
    private readonly kinds: ScorerKinds,
    private readonly gateway: GatewayClient,
  ) {}

  /** @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError, ScorerNotDefinedError */
  async try(caller: Principal, body: TryScorerDto, signal: AbortSignal): Promise<TryScorerResultDto> {
    const draft = draftOf(body);
    const project = await this.access.project(caller, body.project_id, 'writer');
    const stored = draft === null ? await this.scorers.find(project, body.scorer as string) : null;
    const definition = draft ?? (stored?.definition as ScorerDefinitionDto);
    if (judgeModelOf(definition) !== null) this.access.assertMayAskModels(caller);
    const fault = draft && (await this.kinds.of(draft.kind).faultOf(draft));
    if (fault)
      throw new ValidationError([valueIssue(`It cannot be used: ${fault}`, ['body', 'definition', draft.kind])]);
    const ids = [...new Set(body.call_ids)];
    const found = await this.calls.read(project.rowId, ids);
    const context = this.contextOf(caller, project, stored?.objectId ?? null, ids, signal);
    const outcomes = await this.judge(found, definition, context);
    const verdicts = ids.map((id) => toVerdictDto(id, outcomes.get(id) ?? withoutVerdict('skipped', 'missing_call')));
    return {
      verdicts,
      cost_usd: toUsd([...outcomes.values()].reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)),
      judged: verdicts.filter(({ state }) => state === 'done').length,
    };
  }

  private contextOf(
    caller: Principal,
    project: OwnProject,
    scorerId: string | null,
    ids: readonly string[],
    signal: AbortSignal,
  ): JudgeContext {
    const run = newId();
    return {
      ...{ projectId: project.id, projectRowId: project.rowId, scorerId, signal },
      session: this.gateway.as(caller.keyId),
      requestIdOf: ({ id }) => `try.${run}.${ids.indexOf(id)}`,
    };
  }

  private async judge(
    calls: readonly JudgedCall[],
    definition: ScorerDefinitionDto,
    context: JudgeContext,
  ): Promise<Map<string, Outcome>> {
    const outcomes = new Map<string, Outcome>();
    const kind = this.kinds.of(definition.kind);
    const size = Math.max(AT_ONCE, kind.batchSize);
    for (let at = 0; at < calls.length; at += size) {
      const some = calls.slice(at, at + size);
      const judged = await kind.judge(some, definition, context);
      some.forEach(({ id }, index) => outcomes.set(id, judged[index] as Outcome));
    }
    return outcomes;
  }
}

/** Null: a stored scorer is tried. @throws ValidationError */
function draftOf({ scorer, definition }: TryScorerDto): ScorerDefinitionDto | null {
  if ((scorer ?? null) === null && (definition ?? null) === null)
    throw new ValidationError([valueIssue('A scorer or a definition should be given', ['body', 'scorer'])]);
  if (!definition) return null;
  if ((scorer ?? null) !== null)
    throw new ValidationError([valueIssue('Should be absent beside scorer', ['body', 'definition'])]);
  const issues = definitionIssues(definition).map((issue) => ({ ...issue, loc: ['body', 'definition', ...issue.loc] }));
  if (issues.length > 0) throw new ValidationError(issues);
  return definition;
}

function toVerdictDto(callId: string, outcome: Outcome): VerdictDto {
  const { state, code, ratings, tags, reason, details, costNanoUsd } = outcome;
  const spreads = ratings.filter(({ spread }) => spread !== null).map(({ name, spread }) => [name, spread as number]);
  return {
    ...{ call_id: callId, state, code, tags: [...tags], reason, details, cost_usd: toUsd(costNanoUsd) },
    ratings: Object.fromEntries(ratings.map(({ name, value }) => [name, value])),
    spread: spreads.length > 0 ? (Object.fromEntries(spreads) as Record<string, number>) : null,
  };
}
