/** Made of the OpenAPI document by generate-endpoints.mjs. */
import type {
  AgreementDto,
  AliasesRemoveDto,
  AliasesResultDto,
  AliasesSetDto,
  AnnotationAuditResultDto,
  AssigneesResultDto,
  AssigneesSetDto,
  CallBatchDto,
  CallBatchResultDto,
  CallChartsDto,
  CallChartsResultDto,
  CallDto,
  CallEndRequestDto,
  CallFacetsDto,
  CallFacetsResultDto,
  CallLoggingDto,
  CallLoggingUpdateDto,
  CallReadDto,
  CallReadResultDto,
  CallSearchDto,
  CallSearchUpdateDto,
  CallStartRequestDto,
  CallStartResultDto,
  CallStatsDto,
  CallStatsResultDto,
  CallUpdateDto,
  CallUsesDto,
  CallsCompleteDto,
  CallsDeleteDto,
  CallsDeleteResultDto,
  CallsPageDto,
  CallsPageQueryDto,
  CallsQueryDto,
  CallsStatsQueryDto,
  CallsStatsResultDto,
  CallsUsageDto,
  CallsUsageResultDto,
  ClaimDto,
  ClaimResultDto,
  CostCreateDto,
  CostCreateResultDto,
  CostPurgeDto,
  CostQueryDto,
  CostQueryResultDto,
  DatasetCreateDto,
  DatasetCreateResultDto,
  DatasetFromCsvResultDto,
  DatasetVersionDto,
  EmptyResultDto,
  EvalResultsDto,
  EvalResultsQueryDto,
  EvaluationCreateDto,
  EvaluationCreateResultDto,
  EvaluationRunCreateDto,
  EvaluationRunCreateResultDto,
  EvaluationRunDto,
  EvaluationRunFinishDto,
  EvaluationVersionDto,
  ExportDto,
  ExportLineDto,
  FeedbackAggregateDto,
  FeedbackAggregateResultDto,
  FeedbackBatchDto,
  FeedbackBatchResultDto,
  FeedbackCreateDto,
  FeedbackCreateResultDto,
  FeedbackHistoryDto,
  FeedbackHistoryResultDto,
  FeedbackPayloadSchemaDto,
  FeedbackPayloadSchemaResultDto,
  FeedbackPurgeDto,
  FeedbackQueryDto,
  FeedbackQueryResultDto,
  FeedbackRecordDto,
  FeedbackReplaceDto,
  FeedbackStatsDto,
  FeedbackStatsResultDto,
  FileContentDto,
  FileCreateResultDto,
  FileEraseDto,
  FileEraseResultDto,
  FileStatsDto,
  FileStatsResultDto,
  FinishResultDto,
  LangfuseEventsDto,
  LangfuseEventsResultDto,
  LangfuseScoreDto,
  LangfuseScoreResultDto,
  LeaseReleaseDto,
  LeaseRenewDto,
  LeaseResultDto,
  ModelCreateDto,
  ModelCreateResultDto,
  ModelVersionDto,
  ObjectAliasesResultDto,
  ObjectCreateDto,
  ObjectCreateResultDto,
  ObjectDeleteDto,
  ObjectDeleteResultDto,
  ObjectEraseDto,
  ObjectEraseResultDto,
  ObjectQueryDto,
  ObjectQueryResultDto,
  ObjectReadDto,
  ObjectReadResultDto,
  ObjectRestoreDto,
  ObjectVersionDto,
  OfProjectDto,
  OpCreateDto,
  OpCreateResultDto,
  OpVersionDto,
  OtlpExportDto,
  OtlpExportResultDto,
  OtlpLogsDto,
  OtlpLogsResultDto,
  OtlpMetricsDto,
  OtlpMetricsResultDto,
  PredictionCreateDto,
  PredictionCreateResultDto,
  PredictionDto,
  PredictionFinishDto,
  ProgressResultDto,
  ProgressUpdateDto,
  ProjectCallEndRequestDto,
  ProjectCallStartRequestDto,
  ProjectStatsDto,
  QueueCreateDto,
  QueueCreateResultDto,
  QueueDto,
  QueueItemDto,
  QueueItemQueryDto,
  QueueItemQueryResultDto,
  QueueItemRemoveResultDto,
  QueueItemsAddDto,
  QueueItemsAddResultDto,
  QueueQueryDto,
  QueueResultDto,
  QueueStatsQueryDto,
  QueueStatsResultDto,
  QueueUpdateDto,
  RefsReadDto,
  RefsReadResultDto,
  ReopenDto,
  ReopenResultDto,
  RetentionDto,
  RetentionUpdateDto,
  ScoreCreateDto,
  ScoreCreateResultDto,
  ScoreDto,
  ScoreImportDto,
  ScoreImportResultDto,
  ScorerCreateDto,
  ScorerCreateResultDto,
  ScorerVersionDto,
  TableCreateDto,
  TableCreateResultDto,
  TableDigestDto,
  TableEraseDto,
  TableEraseResultDto,
  TableFromDigestsDto,
  TableQueryDto,
  TableQueryResultDto,
  TableRowDto,
  TableRowsEraseDto,
  TableStatsBatchDto,
  TableStatsBatchResultDto,
  TableStatsDto,
  TableStatsResultDto,
  TableUpdateDto,
  TableUpdateResultDto,
  TagsDto,
  TagsResultDto,
  ThreadDto,
  ThreadsQueryDto,
  TraceUsageDto,
  TrackedDeleteResultDto,
  VersionsDeleteResultDto,
} from '@hone/contracts';

import type { RawBody, RequestOptions } from '../transport/request-options.js';

export interface TraceEndpoints {
  /** Figures of calls over time: `POST /calls/charts`. */
  readCallCharts(body: CallChartsDto, options?: RequestOptions): Promise<CallChartsResultDto>;
  /** Read a call: `POST /call/read`. */
  readCall(body: CallReadDto, options?: RequestOptions): Promise<CallReadResultDto>;
  /** Query calls, one per line: `POST /calls/stream_query`, line by line. */
  queryCalls(body: CallsQueryDto, options?: RequestOptions): AsyncIterable<CallDto>;
  /** Query calls, page by page: `POST /calls/query`. */
  queryCallPages(body: CallsPageQueryDto, options?: RequestOptions): Promise<CallsPageDto>;
  /** Query calls, page by page: `POST /calls/query`, line by line. */
  queryCallPagesLines(body: CallsPageQueryDto, options?: RequestOptions): AsyncIterable<CallDto>;
  /** Count calls that match: `POST /calls/query_stats`. */
  countCalls(body: CallsStatsQueryDto, options?: RequestOptions): Promise<CallsStatsResultDto>;
  /** Give a call another name to show: `POST /call/update`. */
  updateCall(body: CallUpdateDto, options?: RequestOptions): Promise<EmptyResultDto>;
  /** Delete calls and those that they made: `POST /calls/delete`. */
  deleteCalls(body: CallsDeleteDto, options?: RequestOptions): Promise<CallsDeleteResultDto>;
  /** Store the start of a call: `POST /call/start`. */
  startCall(body: CallStartRequestDto, options?: RequestOptions): Promise<CallStartResultDto>;
  /** Store the end of a call: `POST /call/end`. */
  endCall(body: CallEndRequestDto, options?: RequestOptions): Promise<EmptyResultDto>;
  /** Store starts and ends of calls, all or none: `POST /call/upsert_batch`. */
  upsertCalls(body: CallBatchDto, options?: RequestOptions): Promise<CallBatchResultDto>;
  /** Store the start of a call of the project: `POST /v2/{entity}/{project}/call/start`. */
  startProjectCall(
    params: { entity: string; project: string },
    body: ProjectCallStartRequestDto,
    options?: RequestOptions,
  ): Promise<CallStartResultDto>;
  /** Store the end of a call of the project: `POST /v2/{entity}/{project}/call/end`. */
  endProjectCall(
    params: { entity: string; project: string },
    body: ProjectCallEndRequestDto,
    options?: RequestOptions,
  ): Promise<EmptyResultDto>;
  /** Store whole calls of the project, all or none: `POST /v2/{entity}/{project}/calls/complete`. */
  completeProjectCalls(
    params: { entity: string; project: string },
    body: CallsCompleteDto,
    options?: RequestOptions,
  ): Promise<EmptyResultDto>;
  /** Sum what calls and their descendants used: `POST /calls/usage`. */
  readCallsUsage(body: CallsUsageDto, options?: RequestOptions): Promise<CallsUsageResultDto>;
  /** Sum what each of the calls that match used: `POST /trace/usage`. */
  readTraceUsage(body: TraceUsageDto, options?: RequestOptions): Promise<CallsUsageResultDto>;
  /** Count calls by time: `POST /calls/stats`. */
  readCallStats(body: CallStatsDto, options?: RequestOptions): Promise<CallStatsResultDto>;
  /** Query conversations, one per line: `POST /threads/stream_query`, line by line. */
  queryThreads(body: ThreadsQueryDto, options?: RequestOptions): AsyncIterable<ThreadDto>;
  /** Count the values of fields of calls: `POST /calls/facets`. */
  countCallFacets(body: CallFacetsDto, options?: RequestOptions): Promise<CallFacetsResultDto>;
  /** Store prices of models, all or none: `POST /cost/create`. */
  createCosts(body: CostCreateDto, options?: RequestOptions): Promise<CostCreateResultDto>;
  /** Query prices of models: `POST /cost/query`. */
  queryCosts(body: CostQueryDto, options?: RequestOptions): Promise<CostQueryResultDto>;
  /** Delete prices of models: `POST /cost/purge`. */
  purgeCosts(body: CostPurgeDto, options?: RequestOptions): Promise<EmptyResultDto>;
  /** Count what a project stores: `POST /project/stats`. */
  readProjectStats(body: OfProjectDto, options?: RequestOptions): Promise<ProjectStatsDto>;
  /** Read how much of chats is kept as calls: `POST /project/call_logging/read`. */
  readCallLogging(body: OfProjectDto, options?: RequestOptions): Promise<CallLoggingDto>;
  /** Set how much of chats is kept as calls: `POST /project/call_logging/update`. */
  updateCallLogging(body: CallLoggingUpdateDto, options?: RequestOptions): Promise<CallLoggingDto>;
  /** Read how long calls are kept: `POST /project/ttl_settings/read`. */
  readRetention(body: OfProjectDto, options?: RequestOptions): Promise<RetentionDto>;
  /** Set how long calls are kept: `POST /project/ttl_settings/update`. */
  updateRetention(body: RetentionUpdateDto, options?: RequestOptions): Promise<RetentionDto>;
  /** List the training data that holds a call, and the jobs that read it: `GET /calls/{call_id}/used-in`. */
  listCallUses(params: { call_id: string; project_id: string }, options?: RequestOptions): Promise<CallUsesDto>;
  /** Read whether the words of calls are searchable: `POST /project/search/read`. */
  readCallSearch(body: OfProjectDto, options?: RequestOptions): Promise<CallSearchDto>;
  /** Set whether the words of calls are searchable: `POST /project/search/update`. */
  updateCallSearch(body: CallSearchUpdateDto, options?: RequestOptions): Promise<CallSearchDto>;
  /** Create an annotation queue: `POST /annotation_queues`. */
  createAnnotationQueue(body: QueueCreateDto, options?: RequestOptions): Promise<QueueCreateResultDto>;
  /** Query annotation queues, one per line: `POST /annotation_queues/query`, line by line. */
  queryAnnotationQueues(body: QueueQueryDto, options?: RequestOptions): AsyncIterable<QueueDto>;
  /** Count the items of annotation queues: `POST /annotation_queues/stats`. */
  readAnnotationQueueStats(body: QueueStatsQueryDto, options?: RequestOptions): Promise<QueueStatsResultDto>;
  /** Read an annotation queue: `GET /annotation_queues/{queue_id}`. */
  readAnnotationQueue(
    params: { queue_id: string; project_id: string },
    options?: RequestOptions,
  ): Promise<QueueResultDto>;
  /** Change an annotation queue: `PUT /annotation_queues/{queue_id}`. */
  updateAnnotationQueue(
    params: { queue_id: string },
    body: QueueUpdateDto,
    options?: RequestOptions,
  ): Promise<QueueResultDto>;
  /** Delete an annotation queue: `DELETE /annotation_queues/{queue_id}`. */
  deleteAnnotationQueue(
    params: { queue_id: string; project_id: string },
    options?: RequestOptions,
  ): Promise<QueueResultDto>;
  /** Put calls into an annotation queue: `POST /annotation_queues/{queue_id}/items`. */
  addAnnotationQueueItems(
    params: { queue_id: string },
    body: QueueItemsAddDto,
    options?: RequestOptions,
  ): Promise<QueueItemsAddResultDto>;
  /** Move the caller's own state of an item: `POST /annotation_queues/{queue_id}/items/{item_id}/progress`. */
  updateAnnotationProgress(
    params: { queue_id: string; item_id: string },
    body: ProgressUpdateDto,
    options?: RequestOptions,
  ): Promise<ProgressResultDto>;
  /** Take an item out of an annotation queue: `DELETE /annotation_queues/{queue_id}/items/{item_id}`. */
  removeAnnotationQueueItem(
    params: { queue_id: string; item_id: string; project_id: string },
    options?: RequestOptions,
  ): Promise<QueueItemRemoveResultDto>;
  /** Query the items of an annotation queue: `POST /annotation_queues/{queue_id}/items/query`. */
  queryAnnotationQueueItems(
    params: { queue_id: string },
    body: QueueItemQueryDto,
    options?: RequestOptions,
  ): Promise<QueueItemQueryResultDto>;
  /** Query the items of an annotation queue: `POST /annotation_queues/{queue_id}/items/query`, line by line. */
  queryAnnotationQueueItemsLines(
    params: { queue_id: string },
    body: QueueItemQueryDto,
    options?: RequestOptions,
  ): AsyncIterable<QueueItemDto>;
  /** Reserve the next item of a queue for the caller: `POST /annotation_queues/{queue_id}/items/claim`. */
  claimAnnotationQueueItem(
    params: { queue_id: string },
    body: ClaimDto,
    options?: RequestOptions,
  ): Promise<ClaimResultDto>;
  /** Keep a claimed item for longer: `POST /annotation_queues/{queue_id}/items/{item_id}/lease/renew`. */
  renewAnnotationLease(
    params: { queue_id: string; item_id: string },
    body: LeaseRenewDto,
    options?: RequestOptions,
  ): Promise<LeaseResultDto>;
  /** Give a claimed item back: `POST /annotation_queues/{queue_id}/items/{item_id}/lease/release`. */
  releaseAnnotationLease(
    params: { queue_id: string; item_id: string },
    body: LeaseReleaseDto,
    options?: RequestOptions,
  ): Promise<EmptyResultDto>;
  /** List who should annotate an item: `GET /annotation_queues/{queue_id}/items/{item_id}/assignees`. */
  listAnnotationAssignees(
    params: { queue_id: string; item_id: string; project_id: string },
    options?: RequestOptions,
  ): Promise<AssigneesResultDto>;
  /** Set who should annotate an item: `PUT /annotation_queues/{queue_id}/items/{item_id}/assignees`. */
  setAnnotationAssignees(
    params: { queue_id: string; item_id: string },
    body: AssigneesSetDto,
    options?: RequestOptions,
  ): Promise<AssigneesResultDto>;
  /** Let an annotator judge an item again: `POST /annotation_queues/{queue_id}/items/{item_id}/reopen`. */
  reopenAnnotation(
    params: { queue_id: string; item_id: string },
    body: ReopenDto,
    options?: RequestOptions,
  ): Promise<ReopenResultDto>;
  /** List what was changed of the work on an item: `GET /annotation_queues/{queue_id}/items/{item_id}/audit`. */
  listAnnotationAudit(
    params: { queue_id: string; item_id: string; project_id: string },
    options?: RequestOptions,
  ): Promise<AnnotationAuditResultDto>;
  /** Measure how well the annotators of a queue agree: `GET /annotation_queues/{queue_id}/agreement`. */
  readAnnotationAgreement(
    params: { queue_id: string; project_id: string; name: string; level?: 'nominal' | 'ordinal' | 'interval' },
    options?: RequestOptions,
  ): Promise<AgreementDto>;
  /** Add feedback to a call or object: `POST /feedback/create`. */
  createFeedback(body: FeedbackCreateDto, options?: RequestOptions): Promise<FeedbackCreateResultDto>;
  /** Add several feedback records, all or none: `POST /feedback/batch/create`. */
  createFeedbackBatch(body: FeedbackBatchDto, options?: RequestOptions): Promise<FeedbackBatchResultDto>;
  /** Put a feedback record in the place of another: `POST /feedback/replace`. */
  replaceFeedback(body: FeedbackReplaceDto, options?: RequestOptions): Promise<FeedbackCreateResultDto>;
  /** Delete feedback records for good: `POST /feedback/purge`. */
  purgeFeedback(body: FeedbackPurgeDto, options?: RequestOptions): Promise<EmptyResultDto>;
  /** Read the records that a feedback record replaced: `POST /feedback/history`. */
  readFeedbackHistory(body: FeedbackHistoryDto, options?: RequestOptions): Promise<FeedbackHistoryResultDto>;
  /** Query feedback records: `POST /feedback/query`. */
  queryFeedback(body: FeedbackQueryDto, options?: RequestOptions): Promise<FeedbackQueryResultDto>;
  /** Query feedback records: `POST /feedback/query`, line by line. */
  queryFeedbackLines(body: FeedbackQueryDto, options?: RequestOptions): AsyncIterable<FeedbackRecordDto>;
  /** Read what recent payloads are made of: `POST /feedback/payload_schema`. */
  readFeedbackPayloadSchema(
    body: FeedbackPayloadSchemaDto,
    options?: RequestOptions,
  ): Promise<FeedbackPayloadSchemaResultDto>;
  /** Count values of payloads by time: `POST /feedback/stats`. */
  readFeedbackStats(body: FeedbackStatsDto, options?: RequestOptions): Promise<FeedbackStatsResultDto>;
  /** Count tags and sum ratings by time and scorer: `POST /feedback/aggregate`. */
  aggregateFeedback(body: FeedbackAggregateDto, options?: RequestOptions): Promise<FeedbackAggregateResultDto>;
  /** Store a version of an object: `POST /obj/create`. */
  createObject(body: ObjectCreateDto, options?: RequestOptions): Promise<ObjectCreateResultDto>;
  /** Read one version of an object: `POST /obj/read`. */
  readObject(body: ObjectReadDto, options?: RequestOptions): Promise<ObjectReadResultDto>;
  /** Delete versions of an object: `POST /obj/delete`. */
  deleteObject(body: ObjectDeleteDto, options?: RequestOptions): Promise<ObjectDeleteResultDto>;
  /** Erase deleted versions of an object for good: `POST /obj/erase`. */
  eraseObject(body: ObjectEraseDto, options?: RequestOptions): Promise<ObjectEraseResultDto>;
  /** Bring back a deleted version of an object: `POST /obj/restore`. */
  restoreObject(body: ObjectRestoreDto, options?: RequestOptions): Promise<ObjectCreateResultDto>;
  /** Query versions of stored objects: `POST /objs/query`. */
  queryObjects(body: ObjectQueryDto, options?: RequestOptions): Promise<ObjectQueryResultDto>;
  /** Query versions of stored objects: `POST /objs/query`, line by line. */
  queryObjectsLines(body: ObjectQueryDto, options?: RequestOptions): AsyncIterable<ObjectVersionDto>;
  /** Add tags to a version: `PUT /objs/{object_id}/versions/{digest}/tags`. */
  addTags(
    params: { object_id: string; digest: string },
    body: TagsDto,
    options?: RequestOptions,
  ): Promise<EmptyResultDto>;
  /** Take tags from a version: `POST /objs/{object_id}/versions/{digest}/tags/remove`. */
  removeTags(
    params: { object_id: string; digest: string },
    body: TagsDto,
    options?: RequestOptions,
  ): Promise<EmptyResultDto>;
  /** List the aliases of an object: `GET /objs/{object_id}/aliases`. */
  listObjectAliases(
    params: { object_id: string; project_id: string },
    options?: RequestOptions,
  ): Promise<ObjectAliasesResultDto>;
  /** Make aliases name a version: `PUT /objs/{object_id}/aliases`. */
  setAliases(params: { object_id: string }, body: AliasesSetDto, options?: RequestOptions): Promise<EmptyResultDto>;
  /** Remove aliases of an object: `POST /objs/{object_id}/aliases/remove`. */
  removeAliases(
    params: { object_id: string },
    body: AliasesRemoveDto,
    options?: RequestOptions,
  ): Promise<EmptyResultDto>;
  /** List the tags of a project: `GET /tags`. */
  listTags(params: { project_id: string }, options?: RequestOptions): Promise<TagsResultDto>;
  /** List the aliases of a project: `GET /aliases`. */
  listAliases(params: { project_id: string }, options?: RequestOptions): Promise<AliasesResultDto>;
  /** Store a table: `POST /table/create`. */
  createTable(body: TableCreateDto, options?: RequestOptions): Promise<TableCreateResultDto>;
  /** Store a table of rows that are there: `POST /table/create_from_digests`. */
  createTableFromDigests(body: TableFromDigestsDto, options?: RequestOptions): Promise<TableDigestDto>;
  /** Store a changed copy of a table: `POST /table/update`. */
  updateTable(body: TableUpdateDto, options?: RequestOptions): Promise<TableUpdateResultDto>;
  /** Read rows of a table: `POST /table/query`. */
  queryTable(body: TableQueryDto, options?: RequestOptions): Promise<TableQueryResultDto>;
  /** Read rows of a table, one on each line: `POST /table/query_stream`, line by line. */
  streamTable(body: TableQueryDto, options?: RequestOptions): AsyncIterable<TableRowDto>;
  /** Count the rows of a table: `POST /table/query_stats`. */
  countTableRows(body: TableStatsDto, options?: RequestOptions): Promise<TableStatsResultDto>;
  /** Count the rows of several tables: `POST /table/query_stats_batch`. */
  listTableStatistics(body: TableStatsBatchDto, options?: RequestOptions): Promise<TableStatsBatchResultDto>;
  /** Erase a table, and its rows that are in no other one: `POST /table/erase`. */
  eraseTable(body: TableEraseDto, options?: RequestOptions): Promise<TableEraseResultDto>;
  /** Erase the values of rows, in whatever tables they are: `POST /table/rows/erase`. */
  eraseTableRows(body: TableRowsEraseDto, options?: RequestOptions): Promise<TableEraseResultDto>;
  /** Read values by their refs: `POST /refs/read_batch`. */
  readRefs(body: RefsReadDto, options?: RequestOptions): Promise<RefsReadResultDto>;
  /** Store a file: `POST /file/create`. */
  createFile(body: FormData, options?: RequestOptions): Promise<FileCreateResultDto>;
  /** Read a file: `POST /file/content`. */
  readFile(body: FileContentDto, options?: RequestOptions): Promise<Response>;
  /** Erase files: `POST /file/erase`. */
  eraseFiles(body: FileEraseDto, options?: RequestOptions): Promise<FileEraseResultDto>;
  /** Count the bytes of a project’s files: `POST /files/query_stats`. */
  readFileStatistics(body: FileStatsDto, options?: RequestOptions): Promise<FileStatsResultDto>;
  /** List the latest versions of models, one on each line: `GET /v2/{entity}/{project}/models`, line by line. */
  listModelVersions(
    params: { entity: string; project: string; limit?: number; offset?: number },
    options?: RequestOptions,
  ): AsyncIterable<ModelVersionDto>;
  /** Store a version of a model: `POST /v2/{entity}/{project}/models`. */
  createModelVersion(
    params: { entity: string; project: string },
    body: ModelCreateDto,
    options?: RequestOptions,
  ): Promise<ModelCreateResultDto>;
  /** Read one version of a model: `GET /v2/{entity}/{project}/models/{object_id}/versions/{digest}`. */
  getModelVersion(
    params: { entity: string; project: string; object_id: string; digest: string },
    options?: RequestOptions,
  ): Promise<ModelVersionDto>;
  /** Delete versions of a model: `DELETE /v2/{entity}/{project}/models/{object_id}`. */
  deleteModelVersions(
    params: { entity: string; project: string; object_id: string; digests?: readonly string[] },
    options?: RequestOptions,
  ): Promise<VersionsDeleteResultDto>;
  /** List the latest versions of datasets, one on each line: `GET /v2/{entity}/{project}/datasets`, line by line. */
  listDatasets(
    params: { entity: string; project: string; limit?: number; offset?: number },
    options?: RequestOptions,
  ): AsyncIterable<DatasetVersionDto>;
  /** Store a version of a dataset: `POST /v2/{entity}/{project}/datasets`. */
  createDataset(
    params: { entity: string; project: string },
    body: DatasetCreateDto,
    options?: RequestOptions,
  ): Promise<DatasetCreateResultDto>;
  /** Store a version of a dataset from a CSV file: `POST /v2/{entity}/{project}/datasets/from_csv`. */
  createDatasetFromCsv(
    params: {
      entity: string;
      project: string;
      name?: string;
      description?: string;
      encoding?: 'utf-8' | 'windows-1252';
      delimiter?: 'comma' | 'semicolon' | 'tab' | 'pipe';
      types?: 'text' | 'proposed';
      numbers?: readonly string[];
      booleans?: readonly string[];
    },
    body: RawBody,
    options?: RequestOptions,
  ): Promise<DatasetFromCsvResultDto>;
  /** Read one version of a dataset: `GET /v2/{entity}/{project}/datasets/{object_id}/versions/{digest}`. */
  getDataset(
    params: { entity: string; project: string; object_id: string; digest: string },
    options?: RequestOptions,
  ): Promise<DatasetVersionDto>;
  /** Delete versions of a dataset: `DELETE /v2/{entity}/{project}/datasets/{object_id}`. */
  deleteDataset(
    params: { entity: string; project: string; object_id: string; digests?: readonly string[] },
    options?: RequestOptions,
  ): Promise<VersionsDeleteResultDto>;
  /** List the latest versions of evaluations, one on each line: `GET /v2/{entity}/{project}/evaluations`, line by line. */
  listEvaluations(
    params: { entity: string; project: string; limit?: number; offset?: number },
    options?: RequestOptions,
  ): AsyncIterable<EvaluationVersionDto>;
  /** Store a version of an evaluation: `POST /v2/{entity}/{project}/evaluations`. */
  createEvaluation(
    params: { entity: string; project: string },
    body: EvaluationCreateDto,
    options?: RequestOptions,
  ): Promise<EvaluationCreateResultDto>;
  /** Read one version of an evaluation: `GET /v2/{entity}/{project}/evaluations/{object_id}/versions/{digest}`. */
  getEvaluation(
    params: { entity: string; project: string; object_id: string; digest: string },
    options?: RequestOptions,
  ): Promise<EvaluationVersionDto>;
  /** Delete versions of an evaluation: `DELETE /v2/{entity}/{project}/evaluations/{object_id}`. */
  deleteEvaluation(
    params: { entity: string; project: string; object_id: string; digests?: readonly string[] },
    options?: RequestOptions,
  ): Promise<VersionsDeleteResultDto>;
  /** List the latest versions of scorers, one on each line: `GET /v2/{entity}/{project}/scorers`, line by line. */
  listScorers(
    params: { entity: string; project: string; limit?: number; offset?: number },
    options?: RequestOptions,
  ): AsyncIterable<ScorerVersionDto>;
  /** Store a version of a scorer: `POST /v2/{entity}/{project}/scorers`. */
  createScorer(
    params: { entity: string; project: string },
    body: ScorerCreateDto,
    options?: RequestOptions,
  ): Promise<ScorerCreateResultDto>;
  /** Read one version of a scorer: `GET /v2/{entity}/{project}/scorers/{object_id}/versions/{digest}`. */
  getScorer(
    params: { entity: string; project: string; object_id: string; digest: string },
    options?: RequestOptions,
  ): Promise<ScorerVersionDto>;
  /** Delete versions of a scorer: `DELETE /v2/{entity}/{project}/scorers/{object_id}`. */
  deleteScorer(
    params: { entity: string; project: string; object_id: string; digests?: readonly string[] },
    options?: RequestOptions,
  ): Promise<VersionsDeleteResultDto>;
  /** List the latest versions of ops, one on each line: `GET /v2/{entity}/{project}/ops`, line by line. */
  listOps(
    params: { entity: string; project: string; limit?: number; offset?: number },
    options?: RequestOptions,
  ): AsyncIterable<OpVersionDto>;
  /** Store a version of an op: `POST /v2/{entity}/{project}/ops`. */
  createOp(
    params: { entity: string; project: string },
    body: OpCreateDto,
    options?: RequestOptions,
  ): Promise<OpCreateResultDto>;
  /** Read one version of an op: `GET /v2/{entity}/{project}/ops/{object_id}/versions/{digest}`. */
  getOp(
    params: { entity: string; project: string; object_id: string; digest: string },
    options?: RequestOptions,
  ): Promise<OpVersionDto>;
  /** Delete versions of an op: `DELETE /v2/{entity}/{project}/ops/{object_id}`. */
  deleteOp(
    params: { entity: string; project: string; object_id: string; digests?: readonly string[] },
    options?: RequestOptions,
  ): Promise<VersionsDeleteResultDto>;
  /** Store spans of OpenTelemetry as calls: `POST /otel/v1/traces`. */
  exportSpans(body: OtlpExportDto, options?: RequestOptions): Promise<OtlpExportResultDto>;
  /** Add events of generative AI to the calls of their spans: `POST /otel/v1/logs`. */
  exportLogs(body: OtlpLogsDto, options?: RequestOptions): Promise<OtlpLogsResultDto>;
  /** Accept metrics of OpenTelemetry, which are not kept: `POST /otel/v1/metrics`. */
  exportMetrics(body: OtlpMetricsDto, options?: RequestOptions): Promise<OtlpMetricsResultDto>;
  /** Store spans of Langfuse SDKs as calls: `POST /api/public/otel/v1/traces`. */
  exportLangfuseSpans(body: OtlpExportDto, options?: RequestOptions): Promise<OtlpExportResultDto>;
  /** Store scores that another tool exported, as feedback: `POST /feedback/import`. */
  importScores(body: ScoreImportDto, options?: RequestOptions): Promise<ScoreImportResultDto>;
  /** Store scores of Langfuse SDKs as feedback: `POST /api/public/scores`. */
  sendLangfuseScores(body: LangfuseScoreDto, options?: RequestOptions): Promise<LangfuseScoreResultDto>;
  /** Store scores of Langfuse SDKs before version 5 as feedback: `POST /api/public/ingestion`. */
  sendLangfuseEvents(body: LangfuseEventsDto, options?: RequestOptions): Promise<LangfuseEventsResultDto>;
  /** List evaluation runs, one on each line: `GET /v2/{entity}/{project}/evaluation_runs`, line by line. */
  listEvaluationRuns(
    params: {
      entity: string;
      project: string;
      evaluations?: readonly string[];
      models?: readonly string[];
      evaluation_run_ids?: readonly string[];
      limit?: number;
      offset?: number;
    },
    options?: RequestOptions,
  ): AsyncIterable<EvaluationRunDto>;
  /** Begin a run of an evaluation: `POST /v2/{entity}/{project}/evaluation_runs`. */
  createEvaluationRun(
    params: { entity: string; project: string },
    body: EvaluationRunCreateDto,
    options?: RequestOptions,
  ): Promise<EvaluationRunCreateResultDto>;
  /** Delete evaluation runs with their predictions and scores: `DELETE /v2/{entity}/{project}/evaluation_runs`. */
  deleteEvaluationRuns(
    params: { entity: string; project: string; evaluation_run_ids: readonly string[] },
    options?: RequestOptions,
  ): Promise<TrackedDeleteResultDto>;
  /** Read an evaluation run: `GET /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}`. */
  getEvaluationRun(
    params: { entity: string; project: string; evaluation_run_id: string },
    options?: RequestOptions,
  ): Promise<EvaluationRunDto>;
  /** End a run, and its open predictions: `POST /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish`. */
  finishEvaluationRun(
    params: { entity: string; project: string; evaluation_run_id: string },
    body: EvaluationRunFinishDto,
    options?: RequestOptions,
  ): Promise<FinishResultDto>;
  /** List predictions, one on each line: `GET /v2/{entity}/{project}/predictions`, line by line. */
  listPredictions(
    params: { entity: string; project: string; evaluation_run_id?: string; limit?: number; offset?: number },
    options?: RequestOptions,
  ): AsyncIterable<PredictionDto>;
  /** Store what a model answered: `POST /v2/{entity}/{project}/predictions`. */
  createPrediction(
    params: { entity: string; project: string },
    body: PredictionCreateDto,
    options?: RequestOptions,
  ): Promise<PredictionCreateResultDto>;
  /** Delete predictions with their scores: `DELETE /v2/{entity}/{project}/predictions`. */
  deletePredictions(
    params: { entity: string; project: string; prediction_ids: readonly string[] },
    options?: RequestOptions,
  ): Promise<TrackedDeleteResultDto>;
  /** Read a prediction: `GET /v2/{entity}/{project}/predictions/{prediction_id}`. */
  getPrediction(
    params: { entity: string; project: string; prediction_id: string },
    options?: RequestOptions,
  ): Promise<PredictionDto>;
  /** End an open prediction, or say that one failed: `POST /v2/{entity}/{project}/predictions/{prediction_id}/finish`. */
  finishPrediction(
    params: { entity: string; project: string; prediction_id: string },
    body?: PredictionFinishDto,
    options?: RequestOptions,
  ): Promise<FinishResultDto>;
  /** List scores, one on each line: `GET /v2/{entity}/{project}/scores`, line by line. */
  listScores(
    params: { entity: string; project: string; evaluation_run_id?: string; limit?: number; offset?: number },
    options?: RequestOptions,
  ): AsyncIterable<ScoreDto>;
  /** Store what a scorer found about a prediction: `POST /v2/{entity}/{project}/scores`. */
  createScore(
    params: { entity: string; project: string },
    body: ScoreCreateDto,
    options?: RequestOptions,
  ): Promise<ScoreCreateResultDto>;
  /** Delete scores: `DELETE /v2/{entity}/{project}/scores`. */
  deleteScores(
    params: { entity: string; project: string; score_ids: readonly string[] },
    options?: RequestOptions,
  ): Promise<TrackedDeleteResultDto>;
  /** Read a score: `GET /v2/{entity}/{project}/scores/{score_id}`. */
  getScore(params: { entity: string; project: string; score_id: string }, options?: RequestOptions): Promise<ScoreDto>;
  /** Compare evaluation runs row by row: `POST /v2/{entity}/{project}/eval_results/query`. */
  queryEvalResults(
    params: { entity: string; project: string },
    body: EvalResultsQueryDto,
    options?: RequestOptions,
  ): Promise<EvalResultsDto>;
  /** Export calls or feedback, one per line: `POST /export`, line by line. */
  exportRows(body: ExportDto, options?: RequestOptions): AsyncIterable<ExportLineDto>;
}

/** What sends each: method, flags (see `toMethod`) and path. */
export const TRACE = {
  readCallCharts: 'POST jrd /calls/charts',
  readCall: 'POST jrd /call/read',
  queryCalls: 'POST lrd /calls/stream_query',
  queryCallPages: 'POST jrd /calls/query',
  queryCallPagesLines: 'POST lrd /calls/query',
  countCalls: 'POST jrd /calls/query_stats',
  updateCall: 'POST jd /call/update',
  deleteCalls: 'POST jd /calls/delete',
  startCall: 'POST jd /call/start',
  endCall: 'POST jd /call/end',
  upsertCalls: 'POST jd /call/upsert_batch',
  startProjectCall: 'POST jpd /v2/{entity}/{project}/call/start',
  endProjectCall: 'POST jpd /v2/{entity}/{project}/call/end',
  completeProjectCalls: 'POST jpd /v2/{entity}/{project}/calls/complete',
  readCallsUsage: 'POST jrd /calls/usage',
  readTraceUsage: 'POST jrd /trace/usage',
  readCallStats: 'POST jrd /calls/stats',
  queryThreads: 'POST lrd /threads/stream_query',
  countCallFacets: 'POST jrd /calls/facets',
  createCosts: 'POST jkd /cost/create',
  queryCosts: 'POST jrd /cost/query',
  purgeCosts: 'POST jd /cost/purge',
  readProjectStats: 'POST jrd /project/stats',
  readCallLogging: 'POST jrd /project/call_logging/read',
  updateCallLogging: 'POST jd /project/call_logging/update',
  readRetention: 'POST jrd /project/ttl_settings/read',
  updateRetention: 'POST jd /project/ttl_settings/update',
  listCallUses: 'GET jpr /calls/{call_id}/used-in',
  readCallSearch: 'POST jrd /project/search/read',
  updateCallSearch: 'POST jd /project/search/update',
  createAnnotationQueue: 'POST jkd /annotation_queues',
  queryAnnotationQueues: 'POST lrd /annotation_queues/query',
  readAnnotationQueueStats: 'POST jrd /annotation_queues/stats',
  readAnnotationQueue: 'GET jpr /annotation_queues/{queue_id}',
  updateAnnotationQueue: 'PUT jprd /annotation_queues/{queue_id}',
  deleteAnnotationQueue: 'DELETE jpr /annotation_queues/{queue_id}',
  addAnnotationQueueItems: 'POST jpkd /annotation_queues/{queue_id}/items',
  updateAnnotationProgress: 'POST jpkd /annotation_queues/{queue_id}/items/{item_id}/progress',
  removeAnnotationQueueItem: 'DELETE jpr /annotation_queues/{queue_id}/items/{item_id}',
  queryAnnotationQueueItems: 'POST jprd /annotation_queues/{queue_id}/items/query',
  queryAnnotationQueueItemsLines: 'POST lprd /annotation_queues/{queue_id}/items/query',
  claimAnnotationQueueItem: 'POST jpkd /annotation_queues/{queue_id}/items/claim',
  renewAnnotationLease: 'POST jpkd /annotation_queues/{queue_id}/items/{item_id}/lease/renew',
  releaseAnnotationLease: 'POST jpkd /annotation_queues/{queue_id}/items/{item_id}/lease/release',
  listAnnotationAssignees: 'GET jpr /annotation_queues/{queue_id}/items/{item_id}/assignees',
  setAnnotationAssignees: 'PUT jprd /annotation_queues/{queue_id}/items/{item_id}/assignees',
  reopenAnnotation: 'POST jpkd /annotation_queues/{queue_id}/items/{item_id}/reopen',
  listAnnotationAudit: 'GET jpr /annotation_queues/{queue_id}/items/{item_id}/audit',
  readAnnotationAgreement: 'GET jpr /annotation_queues/{queue_id}/agreement',
  createFeedback: 'POST jkd /feedback/create',
  createFeedbackBatch: 'POST jkd /feedback/batch/create',
  replaceFeedback: 'POST jkd /feedback/replace',
  purgeFeedback: 'POST jd /feedback/purge',
  readFeedbackHistory: 'POST jrd /feedback/history',
  queryFeedback: 'POST jrd /feedback/query',
  queryFeedbackLines: 'POST lrd /feedback/query',
  readFeedbackPayloadSchema: 'POST jrd /feedback/payload_schema',
  readFeedbackStats: 'POST jrd /feedback/stats',
  aggregateFeedback: 'POST jrd /feedback/aggregate',
  createObject: 'POST jd /obj/create',
  readObject: 'POST jrd /obj/read',
  deleteObject: 'POST jd /obj/delete',
  eraseObject: 'POST jd /obj/erase',
  restoreObject: 'POST jd /obj/restore',
  queryObjects: 'POST jrd /objs/query',
  queryObjectsLines: 'POST lrd /objs/query',
  addTags: 'PUT jprd /objs/{object_id}/versions/{digest}/tags',
  removeTags: 'POST jpd /objs/{object_id}/versions/{digest}/tags/remove',
  listObjectAliases: 'GET jpr /objs/{object_id}/aliases',
  setAliases: 'PUT jprd /objs/{object_id}/aliases',
  removeAliases: 'POST jpd /objs/{object_id}/aliases/remove',
  listTags: 'GET jpr /tags',
  listAliases: 'GET jpr /aliases',
  createTable: 'POST jd /table/create',
  createTableFromDigests: 'POST jd /table/create_from_digests',
  updateTable: 'POST jd /table/update',
  queryTable: 'POST jrd /table/query',
  streamTable: 'POST lrd /table/query_stream',
  countTableRows: 'POST jrd /table/query_stats',
  listTableStatistics: 'POST jrd /table/query_stats_batch',
  eraseTable: 'POST jd /table/erase',
  eraseTableRows: 'POST jd /table/rows/erase',
  readRefs: 'POST jrd /refs/read_batch',
  createFile: 'POST jd /file/create',
  readFile: 'POST brd /file/content',
  eraseFiles: 'POST jd /file/erase',
  readFileStatistics: 'POST jrd /files/query_stats',
  listModelVersions: 'GET lpr /v2/{entity}/{project}/models',
  createModelVersion: 'POST jpkd /v2/{entity}/{project}/models',
  getModelVersion: 'GET jpr /v2/{entity}/{project}/models/{object_id}/versions/{digest}',
  deleteModelVersions: 'DELETE jpr /v2/{entity}/{project}/models/{object_id}',
  listDatasets: 'GET lpr /v2/{entity}/{project}/datasets',
  createDataset: 'POST jpkd /v2/{entity}/{project}/datasets',
  createDatasetFromCsv: 'POST jpkd /v2/{entity}/{project}/datasets/from_csv',
  getDataset: 'GET jpr /v2/{entity}/{project}/datasets/{object_id}/versions/{digest}',
  deleteDataset: 'DELETE jpr /v2/{entity}/{project}/datasets/{object_id}',
  listEvaluations: 'GET lpr /v2/{entity}/{project}/evaluations',
  createEvaluation: 'POST jpkd /v2/{entity}/{project}/evaluations',
  getEvaluation: 'GET jpr /v2/{entity}/{project}/evaluations/{object_id}/versions/{digest}',
  deleteEvaluation: 'DELETE jpr /v2/{entity}/{project}/evaluations/{object_id}',
  listScorers: 'GET lpr /v2/{entity}/{project}/scorers',
  createScorer: 'POST jpkd /v2/{entity}/{project}/scorers',
  getScorer: 'GET jpr /v2/{entity}/{project}/scorers/{object_id}/versions/{digest}',
  deleteScorer: 'DELETE jpr /v2/{entity}/{project}/scorers/{object_id}',
  listOps: 'GET lpr /v2/{entity}/{project}/ops',
  createOp: 'POST jpkd /v2/{entity}/{project}/ops',
  getOp: 'GET jpr /v2/{entity}/{project}/ops/{object_id}/versions/{digest}',
  deleteOp: 'DELETE jpr /v2/{entity}/{project}/ops/{object_id}',
  exportSpans: 'POST jrd /otel/v1/traces',
  exportLogs: 'POST jrd /otel/v1/logs',
  exportMetrics: 'POST jrd /otel/v1/metrics',
  exportLangfuseSpans: 'POST jrd /api/public/otel/v1/traces',
  importScores: 'POST jd /feedback/import',
  sendLangfuseScores: 'POST jd /api/public/scores',
  sendLangfuseEvents: 'POST jd /api/public/ingestion',
  listEvaluationRuns: 'GET lpr /v2/{entity}/{project}/evaluation_runs',
  createEvaluationRun: 'POST jpkd /v2/{entity}/{project}/evaluation_runs',
  deleteEvaluationRuns: 'DELETE jpr /v2/{entity}/{project}/evaluation_runs',
  getEvaluationRun: 'GET jpr /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}',
  finishEvaluationRun: 'POST jpd /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish',
  listPredictions: 'GET lpr /v2/{entity}/{project}/predictions',
  createPrediction: 'POST jpkd /v2/{entity}/{project}/predictions',
  deletePredictions: 'DELETE jpr /v2/{entity}/{project}/predictions',
  getPrediction: 'GET jpr /v2/{entity}/{project}/predictions/{prediction_id}',
  finishPrediction: 'POST jpd /v2/{entity}/{project}/predictions/{prediction_id}/finish',
  listScores: 'GET lpr /v2/{entity}/{project}/scores',
  createScore: 'POST jpkd /v2/{entity}/{project}/scores',
  deleteScores: 'DELETE jpr /v2/{entity}/{project}/scores',
  getScore: 'GET jpr /v2/{entity}/{project}/scores/{score_id}',
  queryEvalResults: 'POST jprd /v2/{entity}/{project}/eval_results/query',
  exportRows: 'POST lrd /export',
} as const;
