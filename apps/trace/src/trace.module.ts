import { AuthModule } from '@hone/auth';
import { Module } from '@nestjs/common';

import { AnnotationQueuesModule } from './annotation-queues/annotation-queues.module.js';
import { BodyThreadsModule } from './body-threads.module.js';
import { CallsModule } from './calls/calls.module.js';
import { ChartsModule } from './charts/charts.module.js';
import { DatasetsModule } from './datasets/datasets.module.js';
import { EvaluationRunsModule } from './evaluation-runs/evaluation-runs.module.js';
import { EvaluationsModule } from './evaluations/evaluations.module.js';
import { ExportModule } from './export/export.module.js';
import { FeedbackModule } from './feedback/feedback.module.js';
import { FilesModule } from './files/files.module.js';
import { LabelsModule } from './labels/labels.module.js';
import { ModelsModule } from './models/models.module.js';
import { ObjectsModule } from './objects/objects.module.js';
import { OpsModule } from './ops/ops.module.js';
import { OtlpModule } from './otlp/otlp.module.js';
import { RefsModule } from './refs/refs.module.js';
import { ScoreImportsModule } from './score-imports/score-imports.module.js';
import { ScorersModule } from './scorers/scorers.module.js';
import { SdkSurfaceModule } from './sdk-surface/sdk-surface.module.js';
import { TablesModule } from './tables/tables.module.js';

/**
 * The trace service. Its layers, top first; an import may only point down (lint):
 *
 * - otlp: spans of OpenTelemetry as calls -> calls
 * - score-imports: scores of other tools as feedback -> feedback
 * - charts: figures of calls over time -> calls, time-buckets
 * - export: calls and feedback as lines for other programs -> calls, feedback, streams
 * - evaluation-runs: predictions and scores, stored as calls -> calls, tables, objects, streams
 * - sdk-surface: the same routes under the names of other SDKs -> annotation-queues, objects
 * - calls: traced executions -> feedback, annotation-queues, objects, cursors, time-buckets, streams
 * - feedback: judgements, and queries for them -> annotation-queues, objects, cursors, time-buckets, streams
 * - annotation-queues: calls awaiting annotators -> cursors, streams
 * - evaluations: datasets with their scorers -> typed-objects, objects
 * - datasets: versions of rows -> typed-objects, tables, objects
 * - models: models under evaluation -> typed-objects, objects
 * - scorers: source code that judges -> typed-objects, objects
 * - ops: source code of traced functions -> typed-objects, objects
 * - typed-objects: what kinds of objects with endpoints of their own share -> objects
 * - refs: values by their refs -> objects, tables
 * - files: bytes by their digest -> objects
 * - labels: tags and aliases of versions -> objects
 * - tables: rows in an order -> objects, streams
 * - objects: versions of objects -> cursors, streams
 * - cursors: pages that are read one after another
 * - time-buckets: times cut into even parts
 * - streams: long answers, written row by row
 */
@Module({
  imports: [
    AuthModule.forRoot(),
    BodyThreadsModule,
    ChartsModule,
    FeedbackModule,
    ObjectsModule,
    LabelsModule,
    TablesModule,
    RefsModule,
    FilesModule,
    AnnotationQueuesModule,
    ModelsModule,
    DatasetsModule,
    EvaluationsModule,
    ScorersModule,
    OpsModule,
    CallsModule,
    OtlpModule,
    ScoreImportsModule,
    EvaluationRunsModule,
    SdkSurfaceModule,
    ExportModule,
  ],
})
export class TraceModule {}
