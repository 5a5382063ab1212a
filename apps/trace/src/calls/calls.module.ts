import { CallSelector, FeedbackWaysRepository, SearchStateRepository, SearchWaysRepository } from '@hone/call-queries';
import {
  CallBackfillsRepository,
  CallSearchRepository,
  CallTreeRepository,
  CallWriteRepository,
  DataUsesRepository,
  DerivedCallsRepository,
  PricesRepository,
  ValuesModule,
} from '@hone/calls';
import { Module } from '@nestjs/common';

import { AnnotationQueuesModule } from '../annotation-queues/annotation-queues.module.js';
import { CursorsModule } from '../cursors/cursors.module.js';
import { FeedbackModule } from '../feedback/feedback.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { TimeBucketsModule } from '../time-buckets/time-buckets.module.js';
import { CallsController } from './calls.controller.js';
import { DeriveJob } from './derived/derive-job.js';
import { CallErasureRepository } from './erasure/call-erasure.repository.js';
import { ErasureJob } from './erasure/erasure-job.js';
import { ExpiredCallsRepository } from './erasure/expired-calls.repository.js';
import { CostRepository } from './pricing/cost.repository.js';
import { CostService } from './pricing/cost.service.js';
import { CostsController } from './pricing/costs.controller.js';
import { CallReadRepository } from './reads/call-read.repository.js';
import { CallReadService } from './reads/call-read.service.js';
import { ObjectRefs } from './reads/object-refs.js';
import { TraceSumsRepository } from './reads/trace-sums.repository.js';
import { CallSearchController } from './search/call-search.controller.js';
import { CallSearchService } from './search/call-search.service.js';
import { SearchDocuments } from './search/search-documents.js';
import { SearchIndexJob } from './search/search-index-job.js';
import { ProjectSettingsService } from './settings/project-settings.service.js';
import { ProjectStatsRepository } from './settings/project-stats.repository.js';
import { ProjectsController } from './settings/projects.controller.js';
import { SettingsRepository } from './settings/settings.repository.js';
import { CallFacetsController } from './usage/call-facets.controller.js';
import { CallFacetsRepository } from './usage/call-facets.repository.js';
import { CallFacetsService } from './usage/call-facets.service.js';
import { CallStatsRepository } from './usage/call-stats.repository.js';
import { CallStatsService } from './usage/call-stats.service.js';
import { ThreadsRepository } from './usage/threads.repository.js';
import { ThreadsService } from './usage/threads.service.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageRepository } from './usage/usage.repository.js';
import { UsageService } from './usage/usage.service.js';
import { CallUsesController } from './uses/call-uses.controller.js';
import { CallUsesService } from './uses/call-uses.service.js';
import { CallChangeRepository } from './writes/call-change.repository.js';
import { CallChangeService } from './writes/call-change.service.js';
import { CallDeletion } from './writes/call-deletion.js';
import { CallWriteService } from './writes/call-write.service.js';
import { CallWritesController } from './writes/call-writes.controller.js';
import { ProjectCallsController } from './writes/project-calls.controller.js';

/**
 * Traced executions. `writes`: halves and whole calls on their way in; `reads`: lists; `usage`: sums, counts by time and by
 * value, conversations; `pricing`: what tokens cost; `uses`: as training data; `settings`: what a project stores, and for how long;
 * `derived`: columns that are made of values; `search`: what calls are found by; `erasure`: the end of what is deleted or has
 * expired.
 */
@Module({
  imports: [AnnotationQueuesModule, FeedbackModule, ObjectsModule, ValuesModule, TimeBucketsModule, CursorsModule],
  controllers: [
    CallsController,
    CallWritesController,
    ProjectCallsController,
    UsageController,
    CallFacetsController,
    CostsController,
    ProjectsController,
    CallUsesController,
    CallSearchController,
  ],
  providers: [
    CallSelector,
    FeedbackWaysRepository,
    SearchStateRepository,
    SearchWaysRepository,
    CallSearchService,
    CallSearchRepository,
    CallBackfillsRepository,
    SearchDocuments,
    SearchIndexJob,
    CallReadService,
    CallReadRepository,
    TraceSumsRepository,
    ObjectRefs,
    CostService,
    CostRepository,
    PricesRepository,
    UsageService,
    UsageRepository,
    CallStatsService,
    CallFacetsService,
    CallFacetsRepository,
    CallStatsRepository,
    ThreadsService,
    ThreadsRepository,
    ProjectSettingsService,
    ProjectStatsRepository,
    SettingsRepository,
    ErasureJob,
    DeriveJob,
    DerivedCallsRepository,
    CallErasureRepository,
    ExpiredCallsRepository,
    CallChangeService,
    CallChangeRepository,
    CallDeletion,
    CallWriteService,
    CallTreeRepository,
    CallWriteRepository,
    CallUsesService,
    DataUsesRepository,
  ],
  exports: [
    CallSelector,
    PricesRepository,
    DerivedCallsRepository,
    SearchStateRepository,
    SearchWaysRepository,
    CallReadService,
    CallReadRepository,
    CallDeletion,
    CallTreeRepository,
    CallWriteService,
    ObjectRefs,
  ],
})
export class CallsModule {}
