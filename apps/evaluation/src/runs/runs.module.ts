import { CallTreeRepository, CallWriteRepository, ValuesModule } from '@hone/calls';
import { AliasRepository, ObjectRepository, ObjectStore, StoredTablesRepository } from '@hone/objects';
import { Module } from '@nestjs/common';

import { AccessModule } from '../access/access.module.js';
import { GatewayModule } from '../gateway/gateway.module.js';
import { KindsModule } from '../kinds/kinds.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { ScorersModule } from '../scorers/scorers.module.js';
import { StoredObjectsModule } from '../stored-objects/stored-objects.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { AnswersService } from './answers.service.js';
import { BaselineAnswersRepository } from './baseline-answers.repository.js';
import { Baselines } from './baselines.service.js';
import { CellCostsJob } from './cell-costs-job.js';
import { CellFaults } from './cell-faults.service.js';
import { CellWorker } from './cell-worker.js';
import { CellsRepository } from './cells.repository.js';
import { Datasets } from './datasets.service.js';
import { DeletedRunsRepository } from './deleted-runs.repository.js';
import { EvaluationCosts } from './evaluation-costs.repository.js';
import { EvaluationJobsController } from './evaluation-jobs.controller.js';
import { EvaluationJobsRepository } from './evaluation-jobs.repository.js';
import { EvaluationJobsService } from './evaluation-jobs.service.js';
import { JobEnd } from './job-end.service.js';
import { JobPlanner } from './job-planner.service.js';
import { OldCells } from './old-cells.service.js';
import { OwnObjects } from './own-objects.service.js';
import { RunCalls } from './run-calls.service.js';
import { ScoresService } from './scores.service.js';
import { StoredRows } from './stored-rows.service.js';

/** Evaluations that the server runs, stored as those that SDKs run. */
@Module({
  imports: [
    AccessModule,
    GatewayModule,
    KindsModule,
    QueueModule,
    ScorersModule,
    StoredObjectsModule,
    TelemetryModule,
    ValuesModule,
  ],
  controllers: [EvaluationJobsController],
  providers: [
    EvaluationCosts,
    ...[AliasRepository, ObjectRepository, ObjectStore, StoredTablesRepository],
    ...[CallTreeRepository, CallWriteRepository],
    ...[EvaluationJobsRepository, DeletedRunsRepository, CellsRepository, RunCalls, StoredRows, OwnObjects, Datasets],
    ...[JobPlanner, JobEnd, BaselineAnswersRepository, Baselines],
    ...[AnswersService, ScoresService, CellFaults, CellWorker, OldCells, CellCostsJob, EvaluationJobsService],
  ],
  exports: [EvaluationJobsService, EvaluationCosts, StoredRows, OwnObjects, Datasets],
})
export class RunsModule {}
