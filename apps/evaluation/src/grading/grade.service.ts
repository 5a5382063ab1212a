import type { Principal } from '@hone/auth';
import { type GradeDto, type GradeResultDto, type JsonValue, judgeModelOf } from '@hone/contracts';
import { newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess, type OwnProject } from '../access/evaluation-access.js';
import { GatewayClient } from '../gateway/gateway-client.js';
import type { JudgedCall } from '../judged-calls/judged-call.js';
import { ScorerKinds } from '../kinds/kinds.js';
import type { JudgeContext, Outcome } from '../kinds/scorer-kind.js';
import { toGradeResult } from './grade.mapper.js';
import { type Grader, Graders } from './graders.service.js';

/** Answers that a judge reads at once. */
const AT_ONCE = 4;

/** Grades answers that nobody has stored, and stores nothing. */
@Injectable()
export class GradeService {
  constructor(
    private readonly access: EvaluationAccess,
    private readonly graders: Graders,
    private readonly kinds: ScorerKinds,
    private readonly gateway: GatewayClient,
  ) {}

  /** @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError, ScorerNotDefinedError */
  async grade(caller: Principal, body: GradeDto, signal: AbortSignal): Promise<GradeResultDto> {
    const project = await this.access.project(caller, body.project_id, 'writer');
    const graders = await this.graders.find(project, body.scorers);
    if (graders.some(({ definition }) => judgeModelOf(definition) !== null)) this.access.assertMayAskModels(caller);
    const calls = body.answers.map(({ inputs, output }, at) => toCall(at, inputs ?? body.inputs ?? null, output));
    const run = newId();
    const outcomes: (readonly Outcome[])[] = [];
    for (const [at, grader] of graders.entries())
      outcomes.push(await this.judge(calls, grader, this.contextOf(caller, project, grader, `${run}.${at}`, signal)));
    return toGradeResult(graders, outcomes, calls.length);
  }

  private contextOf(
    caller: Principal,
    project: OwnProject,
    { scorerId }: Grader,
    run: string,
    signal: AbortSignal,
  ): JudgeContext {
    return {
      ...{ projectId: project.id, projectRowId: project.rowId, scorerId, signal },
      session: this.gateway.as(caller.keyId),
      requestIdOf: ({ id }) => `grade.${run}.${id}`,
    };
  }

  private async judge(
    calls: readonly JudgedCall[],
    { definition }: Grader,
    context: JudgeContext,
  ): Promise<readonly Outcome[]> {
    const kind = this.kinds.of(definition.kind);
    const size = Math.max(AT_ONCE, kind.batchSize);
    const outcomes: Outcome[] = [];
    for (let at = 0; at < calls.length; at += size)
      outcomes.push(...(await kind.judge(calls.slice(at, at + size), definition, context)));
    return outcomes;
  }
}

const toCall = (at: number, inputs: object | null, output: unknown): JudgedCall => ({
  id: String(at),
  hasEnded: true,
  latencyMs: null,
  values: { attributes: {}, inputs: inputs as JsonValue, output: output as JsonValue },
});
