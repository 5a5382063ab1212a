import { CallSelector, FeedbackWaysRepository, SearchStateRepository, SearchWaysRepository } from '@hone/call-queries';
import { PricesRepository, ValuesModule } from '@hone/calls';
import { BodyThreads } from '@hone/platform';
import { Module } from '@nestjs/common';

import { CallCostsRepository } from '../judged-calls/call-costs.repository.js';
import { JudgedCallsRepository } from '../judged-calls/judged-calls.repository.js';
import { CallJudge } from './call-judge.service.js';
import { CheckKind } from './check/check.kind.js';
import { CheckThreads } from './check/check-threads.js';
import { HttpKind } from './http/http.kind.js';
import { ScorerKinds } from './kinds.js';
import { LlmKind } from './llm/llm.kind.js';
import { OtherAnswers } from './pairwise/other-answers.js';
import { PairwiseKind } from './pairwise/pairwise.kind.js';

/** Checks that may take long run in these; a client's check that needs more memory ends with its thread. */
const THREADS = {
  provide: BodyThreads,
  useFactory: () => new BodyThreads({ maxThreads: 2, idleMs: 30_000, maxHeapMiB: 512 }),
};

/** How each kind of scorers judges, and the calls that it judges. */
@Module({
  imports: [ValuesModule],
  providers: [
    CallSelector,
    FeedbackWaysRepository,
    SearchStateRepository,
    SearchWaysRepository,
    JudgedCallsRepository,
    PricesRepository,
    CallCostsRepository,
    THREADS,
    CheckThreads,
    CheckKind,
    LlmKind,
    HttpKind,
    OtherAnswers,
    PairwiseKind,
    ScorerKinds,
    CallJudge,
  ],
  exports: [CallSelector, JudgedCallsRepository, ScorerKinds, CallJudge],
})
export class KindsModule {}
