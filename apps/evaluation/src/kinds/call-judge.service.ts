import type { ScorerDefinitionDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { JudgedCall } from '../judged-calls/judged-call.js';
import { JudgedCallsRepository } from '../judged-calls/judged-calls.repository.js';
import { ScorerKinds } from './kinds.js';
import { type JudgeContext, type Outcome, withoutVerdict } from './scorer-kind.js';

/** Judges stored calls. */
@Injectable()
export class CallJudge {
  constructor(
    private readonly calls: JudgedCallsRepository,
    private readonly kinds: ScorerKinds,
  ) {}

  /**
   * @param change what is judged in place of a call; nothing: the call has no text to change. Absent: the call itself is
   * @returns an outcome for each id, in their order; a call that has not ended, or is gone, is skipped
   */
  async judge(
    ids: readonly string[],
    definition: ScorerDefinitionDto,
    context: JudgeContext,
    change: (call: JudgedCall) => readonly JudgedCall[] = (call) => [call],
  ): Promise<readonly Outcome[]> {
    const kind = this.kinds.of(definition.kind);
    const outcomes = new Map<string, Outcome>();
    for (const group of await this.calls.inGroups(context.projectRowId, ids)) {
      const found = await this.calls.read(context.projectRowId, group);
      for (const { id, hasEnded } of found)
        outcomes.set(id, withoutVerdict('skipped', hasEnded ? 'missing_text' : 'missing_end'));
      const ready = found.filter(({ hasEnded }) => hasEnded).flatMap(change);
      const judged = await kind.judge(ready, definition, context);
      ready.forEach(({ id }, at) => outcomes.set(id, judged[at] as Outcome));
    }
    return ids.map((id) => outcomes.get(id) ?? withoutVerdict('skipped', 'missing_call'));
  }
}
