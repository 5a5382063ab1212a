import { CallLoggingUpdateDto, CallSearchUpdateDto, check, type Class, exampleOf, jsonSchemas } from '@hone/contracts';
import {
  AliasesRemoveDto,
  CallBatchDto,
  CallChartsDto,
  CallEndRequestDto,
  CallFacetsDto,
  CallReadDto,
  CallsCompleteDto,
  CallsDeleteDto,
  CallsPageQueryDto,
  CallsQueryDto,
  CallsStatsQueryDto,
  CallStartRequestDto,
  CallStatsDto,
  CallsUsageDto,
  CallUpdateDto,
  ClaimDto,
  CostCreateDto,
  CostPurgeDto,
  CostQueryDto,
  DatasetCreateDto,
  EvalResultsQueryDto,
  EvaluationCreateDto,
  EvaluationRunCreateDto,
  EvaluationRunFinishDto,
  ExportDto,
  FeedbackAggregateDto,
  FeedbackBatchDto,
  FeedbackCreateDto,
  FeedbackHistoryDto,
  FeedbackPayloadSchemaDto,
  FeedbackPurgeDto,
  FeedbackQueryDto,
  FeedbackReplaceDto,
  FeedbackStatsDto,
  FileContentDto,
  FileEraseDto,
  LeaseReleaseDto,
  LeaseRenewDto,
  ModelCreateDto,
  ObjectCreateDto,
  ObjectDeleteDto,
  ObjectEraseDto,
  ObjectQueryDto,
  ObjectReadDto,
  ObjectRestoreDto,
  OfProjectDto,
  OpCreateDto,
  PredictionCreateDto,
  PredictionFinishDto,
  ProgressUpdateDto,
  ProjectCallEndRequestDto,
  ProjectCallStartRequestDto,
  QueueCreateDto,
  QueueItemQueryDto,
  QueueItemsAddDto,
  QueueQueryDto,
  QueueStatsQueryDto,
  RefsReadDto,
  ReopenDto,
  RetentionUpdateDto,
  ScoreCreateDto,
  ScoreImportDto,
  ScorerCreateDto,
  TableCreateDto,
  TableEraseDto,
  TableFromDigestsDto,
  TableQueryDto,
  TableRowsEraseDto,
  TableStatsBatchDto,
  TableUpdateDto,
  TagsDto,
  ThreadsQueryDto,
  TraceUsageDto,
} from '@hone/contracts';
import { openApiDocument } from '@hone/platform';
import {
  basic,
  fuzzOf,
  startTestApp,
  takenControlCharacters,
  type TestApp,
  type TestClient,
  walkRoutes,
} from '@hone/testing';
import fc from 'fast-check';

import { TraceModule } from './trace.module.js';

/** Bodies of each endpoint. */
const FUZZ = fuzzOf(100);

const BODIES: [string, Class][] = [
  ['/feedback/create', FeedbackCreateDto],
  ['/feedback/batch/create', FeedbackBatchDto],
  ['/feedback/query', FeedbackQueryDto],
  ['/feedback/payload_schema', FeedbackPayloadSchemaDto],
  ['/export', ExportDto],
  ['/feedback/stats', FeedbackStatsDto],
  ['/feedback/aggregate', FeedbackAggregateDto],
  ['/feedback/replace', FeedbackReplaceDto],
  ['/feedback/purge', FeedbackPurgeDto],
  ['/feedback/history', FeedbackHistoryDto],
  ['/feedback/import', ScoreImportDto],
  ['/objs/query', ObjectQueryDto],
  ['/obj/create', ObjectCreateDto],
  ['/obj/read', ObjectReadDto],
  ['/obj/delete', ObjectDeleteDto],
  ['/obj/erase', ObjectEraseDto],
  ['/obj/restore', ObjectRestoreDto],
  ['/refs/read_batch', RefsReadDto],
  ['/file/content', FileContentDto],
  ['/file/erase', FileEraseDto],
  ['/table/create', TableCreateDto],
  ['/table/create_from_digests', TableFromDigestsDto],
  ['/table/update', TableUpdateDto],
  ['/table/erase', TableEraseDto],
  ['/table/rows/erase', TableRowsEraseDto],
  ['/table/query', TableQueryDto],
  ['/table/query_stats_batch', TableStatsBatchDto],
  ['/objs/config/aliases/remove', AliasesRemoveDto],
  ['/objs/config/versions/latest/tags/remove', TagsDto],
  ['/annotation_queues/q/items/i/progress', ProgressUpdateDto],
  ['/annotation_queues/q/items/claim', ClaimDto],
  ['/annotation_queues/q/items/i/lease/renew', LeaseRenewDto],
  ['/annotation_queues/q/items/i/lease/release', LeaseReleaseDto],
  ['/annotation_queues/q/items/i/reopen', ReopenDto],
  ['/annotation_queues', QueueCreateDto],
  ['/annotation_queues/q/items', QueueItemsAddDto],
  ['/annotation_queues/q/items/query', QueueItemQueryDto],
  ['/annotation_queues/query', QueueQueryDto],
  ['/annotation_queues/stats', QueueStatsQueryDto],
  ['/v2/acme/demo/models', ModelCreateDto],
  ['/v2/acme/demo/evaluations', EvaluationCreateDto],
  ['/v2/acme/demo/datasets', DatasetCreateDto],
  ['/v2/acme/demo/scorers', ScorerCreateDto],
  ['/v2/acme/demo/ops', OpCreateDto],
  ['/v2/acme/demo/evaluation_runs', EvaluationRunCreateDto],
  ['/v2/acme/demo/evaluation_runs/r/finish', EvaluationRunFinishDto],
  ['/v2/acme/demo/predictions', PredictionCreateDto],
  ['/v2/acme/demo/predictions/p/finish', PredictionFinishDto],
  ['/v2/acme/demo/scores', ScoreCreateDto],
  ['/v2/acme/demo/eval_results/query', EvalResultsQueryDto],
  ['/call/upsert_batch', CallBatchDto],
  ['/call/start', CallStartRequestDto],
  ['/call/end', CallEndRequestDto],
  ['/v2/acme/demo/call/start', ProjectCallStartRequestDto],
  ['/v2/acme/demo/call/end', ProjectCallEndRequestDto],
  ['/v2/acme/demo/calls/complete', CallsCompleteDto],
  ['/call/read', CallReadDto],
  ['/call/update', CallUpdateDto],
  ['/calls/stream_query', CallsQueryDto],
  ['/calls/query', CallsPageQueryDto],
  ['/calls/query_stats', CallsStatsQueryDto],
  ['/calls/charts', CallChartsDto],
  ['/calls/facets', CallFacetsDto],
  ['/calls/delete', CallsDeleteDto],
  ['/calls/usage', CallsUsageDto],
  ['/calls/stats', CallStatsDto],
  ['/trace/usage', TraceUsageDto],
  ['/threads/stream_query', ThreadsQueryDto],
  ['/cost/create', CostCreateDto],
  ['/cost/query', CostQueryDto],
  ['/cost/purge', CostPurgeDto],
  ['/project/stats', OfProjectDto],
  ['/project/call_logging/read', OfProjectDto],
  ['/project/call_logging/update', CallLoggingUpdateDto],
  ['/project/search/read', OfProjectDto],
  ['/project/search/update', CallSearchUpdateDto],
  ['/project/ttl_settings/read', OfProjectDto],
  ['/project/ttl_settings/update', RetentionUpdateDto],
];

const STRINGS = [
  '',
  'acme/demo',
  'hone:///acme/demo/object/a:v0',
  'hone:///acme/demo/call/c',
  '\0',
  '\ud800',
  '2026-01-01T00:00:00Z',
  '$eq',
  'hone.note.1',
  "'; --",
  'x'.repeat(2_000),
];
const aString = fc.oneof(fc.constantFrom(...STRINGS), fc.string({ unit: 'binary', maxLength: 20 }));
const toObject = (entries: [string, string][]) =>
  `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;

/** JSON text, numbers that JSON.stringify never makes included. */
const aJson: fc.Arbitrary<string> = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', '1', '1.0', '-0', '1e5', '1e400', '1e-99999', '99999999999999999999', '0.5', '-1'),
    aString.map((text) => JSON.stringify(text)),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(
        fc.tuple(
          fc.oneof(aString, fc.constantFrom('$getField', '$literal', '$eq', '$and', 'note', 'value', '__proto__')),
          tie('json'),
        ),
        { maxLength: 4 },
      )
      .map(toObject),
  ),
})).json;

/** Bodies near a DTO: its example with some fields dropped, replaced or added. */
function aBodyOf(type: Class): fc.Arbitrary<string> {
  const example = exampleOf(type) as Record<string, unknown>;
  const names = Object.keys((jsonSchemas(type, true)[type.name] as { properties: object }).properties);
  const field = (name: string) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(name in example ? JSON.stringify(example[name]) : undefined) },
      { weight: 2, arbitrary: aJson },
      { weight: 1, arbitrary: fc.constant(undefined) },
    );
  const near = fc
    .tuple(fc.tuple(...names.map(field)), fc.array(fc.tuple(aString, aJson), { maxLength: 1 }))
    .map(([values, extra]) =>
      toObject([
        ...names.flatMap((name, index): [string, string][] =>
          values[index] === undefined ? [] : [[name, values[index]]],
        ),
        ...extra,
      ]),
    );
  return fc.oneof(
    { weight: 8, arbitrary: near },
    { weight: 1, arbitrary: aJson },
    { weight: 1, arbitrary: fc.string() },
  );
}

/** Guards of controllers that clients of other systems send credentials to in their own way. */
const GUARDS: Readonly<Record<string, string>> = {
  OtlpController: 'AnyAuthGuard',
  LangfuseOtlpController: 'SecretKeyAuthGuard',
  LangfuseScoresController: 'SecretKeyAuthGuard',
};

describe('the surface of the trace service', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  it.each(BODIES)(
    'answers any body to %s without a 5xx, bounded',
    async (path, type) => {
      await fc.assert(
        fc.asyncProperty(aBodyOf(type), async (body) => {
          const response = await client.post(path, body);
          expect([200, 400, 403, 404, 409, 413, 422]).toContain(response.status);
          if (response.status !== 422) return;
          expect(response.json().detail.length).toBeLessThanOrEqual(100);
          expect(response.json().detail.length).toBeGreaterThan(0);
        }),
        FUZZ,
      );
    },
    600_000,
  );

  it('guards every route and declares its status', () => {
    const routes = walkRoutes(trace.app);
    expect(routes.length).toBeGreaterThanOrEqual(14);
    for (const route of routes) {
      expect({ ...route, hasStatus: route.statuses.length > 0 }).toMatchObject({ hasStatus: true });
      if (route.isOpen) continue;
      expect(route.statuses).toEqual([200]);
      expect(route.guards).toEqual([GUARDS[route.name.split('.')[0] as string] ?? 'BasicAuthGuard']);
    }
    expect(
      routes
        .filter(({ isOpen }) => isOpen)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      ...['ProbesController.health', 'ProbesController.metrics', 'ProbesController.ready'],
      ...['SdkServerController.health', 'SdkServerController.info'],
    ]);
  });

  it('refuses a control character in any path parameter', async () => {
    const admin = await trace.user('root', { isAdmin: true });
    expect(await takenControlCharacters(trace.app, basic('api', admin.key))).toEqual([]);
  });

  it('knows no path with an empty parameter, by any method', async () => {
    const { routeNames } = trace.app.getHttpAdapter().getInstance() as unknown as { routeNames: Set<string> };
    const nowhere = [404, { detail: 'There is nothing at this path.', code: 'route.not_found' }];
    for (const path of new Set([...routeNames].map((name) => name.split(' ')[1] as string))) {
      for (const [parameter] of path.matchAll(/:\w+/g)) {
        const url = path.replace(parameter, '').replace(/:\w+/g, 'x');
        if (!url.includes('//')) continue; // the path without its last part
        for (const method of ['get', 'post', 'put', 'delete'] as const) {
          const { status, json } = await client[method](url);
          expect([method, url, status, json()]).toEqual([method, url, ...nowhere]);
        }
      }
    }
  });

  it('documents every route from the same classes', async () => {
    const document = await openApiDocument(trace.app, { name: 'trace', description: '', config: {} as never });
    const schemas = document.components?.schemas as Record<
      string,
      { required?: string[]; properties: Record<string, unknown>; examples?: unknown[]; additionalProperties?: boolean }
    >;
    const paths = [
      '/aliases',
      '/annotation_queues',
      '/annotation_queues/query',
      '/annotation_queues/stats',
      '/annotation_queues/{queue_id}',
      '/annotation_queues/{queue_id}/agreement',
      '/annotation_queues/{queue_id}/items',
      '/annotation_queues/{queue_id}/items/claim',
      '/annotation_queues/{queue_id}/items/query',
      '/annotation_queues/{queue_id}/items/{item_id}',
      '/annotation_queues/{queue_id}/items/{item_id}/assignees',
      '/annotation_queues/{queue_id}/items/{item_id}/audit',
      '/annotation_queues/{queue_id}/items/{item_id}/lease/release',
      '/annotation_queues/{queue_id}/items/{item_id}/lease/renew',
      '/annotation_queues/{queue_id}/items/{item_id}/progress',
      '/annotation_queues/{queue_id}/items/{item_id}/reopen',
      '/call/end',
      '/call/read',
      '/call/start',
      '/call/update',
      '/call/upsert_batch',
      '/calls/charts',
      '/calls/delete',
      '/calls/facets',
      '/calls/query',
      '/calls/query_stats',
      '/calls/{call_id}/used-in',
      '/calls/stats',
      '/calls/stream_query',
      '/calls/usage',
      '/cost/create',
      '/cost/purge',
      '/cost/query',
      '/export',
      '/feedback/aggregate',
      '/feedback/stats',
      '/feedback/batch/create',
      '/feedback/create',
      '/feedback/history',
      '/feedback/import',
      '/feedback/payload_schema',
      '/feedback/purge',
      '/feedback/query',
      '/feedback/replace',
      '/file/content',
      '/file/create',
      '/file/erase',
      '/files/query_stats',
      '/obj/create',
      '/obj/delete',
      '/obj/erase',
      '/obj/read',
      '/obj/restore',
      '/objs/query',
      '/objs/{object_id}/aliases',
      '/objs/{object_id}/aliases/remove',
      '/objs/{object_id}/versions/{digest}/tags',
      '/objs/{object_id}/versions/{digest}/tags/remove',
      '/api/public/otel/v1/traces',
      '/api/public/scores',
      '/api/public/ingestion',
      ...['logs', 'metrics', 'traces'].map((signal) => `/otel/v1/${signal}`),
      '/project/stats',
      '/project/call_logging/read',
      '/project/call_logging/update',
      '/project/search/read',
      '/project/search/update',
      '/project/ttl_settings/read',
      '/project/ttl_settings/update',
      '/refs/read_batch',
      '/table/create',
      '/table/create_from_digests',
      '/table/erase',
      '/table/query',
      '/table/query_stats',
      '/table/query_stats_batch',
      '/table/query_stream',
      '/table/rows/erase',
      '/table/update',
      '/tags',
      '/threads/stream_query',
      '/trace/usage',
      '/v2/{entity}/{project}/call/end',
      '/v2/{entity}/{project}/datasets/from_csv',
      '/v2/{entity}/{project}/call/start',
      '/v2/{entity}/{project}/calls/complete',
      ...['', '/{evaluation_run_id}', '/{evaluation_run_id}/finish'].map(
        (path) => `/v2/{entity}/{project}/evaluation_runs${path}`,
      ),
      ...['', '/{prediction_id}', '/{prediction_id}/finish'].map((path) => `/v2/{entity}/{project}/predictions${path}`),
      '/v2/{entity}/{project}/eval_results/query',
      ...['', '/{score_id}'].map((path) => `/v2/{entity}/{project}/scores${path}`),
      ...['datasets', 'evaluations', 'models', 'ops', 'scorers'].flatMap((kind) =>
        ['', '/{object_id}', '/{object_id}/versions/{digest}'].map((path) => `/v2/{entity}/{project}/${kind}${path}`),
      ),
    ];
    expect(Object.keys(document.paths).sort()).toEqual(paths.sort());
    const references = JSON.stringify(document.paths).matchAll(/#\/components\/schemas\/(\w+)/g);
    for (const [, name] of references) expect(Object.keys(schemas)).toContain(name);
    expect(schemas['FeedbackCreateDto']).toMatchObject({
      required: ['project_id', 'feedback_type', 'payload'],
      additionalProperties: false,
      properties: {
        id: { type: ['string', 'null'], maxLength: 128 },
        scorer_tags: { type: 'array' },
        payload: { type: 'object' },
      },
    });
  });

  it.each(BODIES)('shows an example of %s that is valid', (_path, type) => {
    expect(check(type, exampleOf(type)).issues).toEqual([]);
  });
});
