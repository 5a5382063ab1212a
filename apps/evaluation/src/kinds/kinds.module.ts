import { CallSelector, SearchStateRepository, SearchWaysRepository } from '@hone/call-queries';
import { ValuesModule } from '@hone/calls';
import { Module } from '@nestjs/common';

import { JudgedCallsRepository } from '../judged-calls/judged-calls.repository.js';
import { CheckKind } from './check/check.kind.js';
import { ScorerKinds } from './kinds.js';
import { LlmKind } from './llm/llm.kind.js';

/** How each kind of scorers judges, and the calls that it judges. */
@Module({
  imports: [ValuesModule],
  providers: [
    CallSelector,
    SearchStateRepository,
    SearchWaysRepository,
    JudgedCallsRepository,
    CheckKind,
    LlmKind,
    ScorerKinds,
  ],
  exports: [CallSelector, JudgedCallsRepository, ScorerKinds],
})
export class KindsModule {}
