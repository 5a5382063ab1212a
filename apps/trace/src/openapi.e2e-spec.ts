import { exampleOf, LeaseRenewDto, ReopenDto } from '@hone/contracts';
import { aFile, multipart, startTestApp, type TestApp, type TestClient, type TestResponse } from '@hone/testing';
import { describeOpenApi } from '@hone/testing/openapi';

import { aFeedback, aWholeCall } from './testing/bodies.fixture.js';
import { TraceModule } from './trace.module.js';

/** Bodies may name the project of the path, which a schema cannot know. */
const isOtherProject = ({ json }: TestResponse): boolean =>
  json().detail.every(({ msg }: { msg: string }) => msg.endsWith(', as in the path'));

/** Times in the wrong order, and time zones that there are not. */
const isWrongRange = ({ json }: TestResponse): boolean =>
  json().detail.every(({ loc }: { loc: unknown[] }) => ['end', 'before_ms', 'timezone'].includes(loc[1] as string));

/** Groups that are named twice, or have no such measures. */
const isWrongGroup = ({ json }: TestResponse): boolean =>
  json().detail.every(({ loc }: { loc: unknown[] }) => ['group_by', 'measures'].includes(loc[1] as string));

/** Two metrics with one slug, and more metrics than are allowed. */
const isWrongMetric = ({ json }: TestResponse): boolean => json().detail[0].loc[1] === 'metrics';

/** There are more calls than the body allows. */
const isMoreThanLimit = ({ json }: TestResponse): boolean => json().detail[0].loc[1] === 'limit';

/** Users are named by one of two fields, and must be annotators. */
const isNoAssignee = ({ json }: TestResponse): boolean =>
  json().detail.every(
    ({ loc, type }: { loc: unknown[]; type: string }) =>
      ['user_ids', 'emails'].includes(loc[1] as string) && type === 'value_error',
  );

/** A cursor is a text that the service wrote; beside it, no offset and no limit of 0. */
const isNoPage = ({ json }: TestResponse): boolean =>
  json().detail.every(({ loc }: { loc: unknown[] }) => ['cursor', 'offset', 'limit'].includes(loc[1] as string));

/** The filter is of calls; the expression of the source's fields. */
const isNoSelection = ({ json }: TestResponse): boolean =>
  json().detail.every(({ loc }: { loc: unknown[] }) => ['filter', 'query'].includes(loc[1] as string));

/** A purge takes few of the expressions that there are. */
const isNoPurge = ({ json }: TestResponse): boolean =>
  json().detail.every(({ msg }: { msg: string }) => msg.startsWith('Only $eq of id'));

/** Few texts are tables. */
const isNoTable = ({ json }: TestResponse): boolean =>
  json().detail.every(({ loc }: { loc: unknown[] }) => loc[1] === 'csv');

/** Values and types of scores belong together. */
const isNoScore = ({ json }: TestResponse): boolean =>
  json().detail.every(({ msg }: { msg: string }) => /data type|session/.test(msg));

/** What a definition needs depends on its kind. */
const isNoDefinition = ({ json }: TestResponse): boolean =>
  json().detail.every(({ loc }: { loc: unknown[] }) => loc[1] === 'definition');

describe('the OpenAPI document of the trace service', () => {
  let trace: TestApp;
  let client: TestClient;
  let queueId: string;
  let itemId: string;
  afterAll(() => trace.close());

  /** Calls c1 and c2, and a queue with c1 in it. */
  async function makeQueue(): Promise<void> {
    const project_id = 'acme/demo';
    const start = { project_id, op_name: 'predict', started_at: '2026-01-15T09:59:00Z', attributes: {}, inputs: {} };
    const batch = ['c1', 'c2'].map((id) => ({ mode: 'start', req: { start: { ...start, id } } }));
    await client.post('/call/upsert_batch', { batch });
    queueId = (await client.post('/annotation_queues', { project_id, name: 'q' })).json().id;
    await client.post(`/annotation_queues/${queueId}/items`, { project_id, call_ids: ['c1'] });
    const query = await client.post(`/annotation_queues/${queueId}/items/query`, { project_id });
    itemId = query.json().items[0].id;
    await client.post(`/annotation_queues/${queueId}/items/claim`, { project_id });
    // The annotator of the examples.
    await trace.sql(
      `INSERT INTO annotation_progress (project_id, queue_id, item_id, user_id, state, updated_at)
       SELECT project_id, queue_id, item_id, $1, 'completed', now() FROM annotation_progress`,
      [(exampleOf(ReopenDto) as ReopenDto).user_id],
    );
    await trace.sql('UPDATE annotation_progress SET lease_id = $1 WHERE lease_id IS NOT NULL', [
      (exampleOf(LeaseRenewDto) as LeaseRenewDto).lease_id,
    ]);
  }

  /** The rules of annotations and runnables compare names and look things up. */
  function withoutNamedTypes(body: Record<string, unknown>): void {
    for (const one of Array.isArray(body['batch']) ? (body['batch'] as unknown[]) : [body]) {
      const { feedback_type: type } = (one ?? {}) as { feedback_type?: unknown };
      if (typeof type === 'string' && /^hone\.(annotation|runnable|reaction)/.test(type))
        (one as { feedback_type: string }).feedback_type = 'quality';
    }
  }

  describeOpenApi(
    async () => {
      trace = await startTestApp(TraceModule);
      client = trace.as(await trace.user('olga', { roles: { acme: 'owner' } }));
      await makeQueue();
      await client.post('/feedback/create', { ...aFeedback(), id: 'fb-1' });
      const source = multipart(
        { name: 'project_id', content: 'acme/demo' },
        aFile('obj.py', 'class Model:\n    pass\n'),
      );
      await client.post('/file/create', source.body, source.options);
      const [run, prediction] = ['evaluation_run', 'prediction'].map((kind) => ({ hone: { kind } }));
      const calls = [aWholeCall('r1', { attributes: run }), aWholeCall('p1', { attributes: prediction })];
      await client.post('/v2/acme/demo/calls/complete', { batch: calls });
      const tracked = { evaluation_run_id: 'r1', prediction_id: 'p1', score_id: 's1' };
      const ids = { ...tracked, queue_id: queueId, item_id: itemId, object_id: 'config', digest: 'latest' };
      return { client, parameters: { entity: 'acme', project: 'demo', ...ids } };
    },
    {
      upsertCalls: {},
      startCall: {},
      endCall: {},
      startProjectCall: { isDocumentedRefusal: isOtherProject },
      endProjectCall: { isDocumentedRefusal: isOtherProject },
      readCall: {},
      updateCall: {},
      queryCalls: { alsoAccepted: [400] },
      queryCallPages: { alsoAccepted: [400], isDocumentedRefusal: isNoPage },
      countCalls: { alsoAccepted: [400] },
      countCallFacets: { alsoAccepted: [400] },
      completeProjectCalls: { isDocumentedRefusal: isOtherProject },
      exportLangfuseSpans: {},
      exportLogs: {},
      exportMetrics: {},
      exportSpans: {},
      exportRows: { alsoAccepted: [400], isDocumentedRefusal: isNoSelection },
      createFeedback: { adjust: withoutNamedTypes },
      createFeedbackBatch: { adjust: withoutNamedTypes },
      queryFeedback: { alsoAccepted: [400], isDocumentedRefusal: isNoPage },
      readFeedbackHistory: {},
      readFeedbackPayloadSchema: { alsoAccepted: [400] },
      readFeedbackStats: {
        alsoAccepted: [400],
        isDocumentedRefusal: (response) => isWrongRange(response) || isWrongMetric(response),
      },
      aggregateFeedback: { alsoAccepted: [400], isDocumentedRefusal: isWrongRange },
      replaceFeedback: { adjust: withoutNamedTypes },
      importScores: { isDocumentedRefusal: isNoTable },
      sendLangfuseScores: { isDocumentedRefusal: isNoScore },
      sendLangfuseEvents: { alsoAccepted: [207] },
      purgeFeedback: { isDocumentedRefusal: isNoPurge },
      createObject: {
        adjust: ({ obj }) => {
          const draft = (obj ?? {}) as Record<string, unknown>;
          if (draft['builtin_object_class'] === 'AnnotationSpec' && 'val' in draft) draft['val'] = {};
        },
      },
      queryObjects: { isDocumentedRefusal: isNoPage },
      readRefs: {},
      readFile: {},
      readFileStatistics: {},
      createTable: {},
      createTableFromDigests: { isDocumentedRefusal: ({ text }) => text.includes('The project has no such row') },
      updateTable: {},
      queryTable: {},
      streamTable: {},
      countTableRows: {},
      listTableStatistics: {},
      readObject: {},
      addTags: {},
      removeTags: {},
      setAliases: {},
      removeAliases: {},
      deleteObject: {},
      eraseTable: {},
      eraseTableRows: {},
      eraseFiles: {},
      restoreObject: {},
      eraseObject: {},
      deleteCalls: {},
      readCallsUsage: { alsoAccepted: [400], isDocumentedRefusal: isMoreThanLimit },
      readTraceUsage: { alsoAccepted: [400], isDocumentedRefusal: isMoreThanLimit },
      readCallStats: { alsoAccepted: [400], isDocumentedRefusal: isWrongRange },
      readCallCharts: {
        alsoAccepted: [400],
        isDocumentedRefusal: (response) => isWrongRange(response) || isWrongGroup(response),
      },
      queryThreads: { alsoAccepted: [400] },
      createCosts: {},
      queryCosts: { alsoAccepted: [400] },
      purgeCosts: { isDocumentedRefusal: isNoPurge },
      readProjectStats: { alsoAccepted: [400] },
      readCallLogging: {},
      // Whether a pattern compiles is no matter of a schema.
      updateCallLogging: { isDocumentedRefusal: ({ json }) => json().detail[0].loc[2] === 'patterns' },
      readCallSearch: {},
      updateCallSearch: {},
      readRetention: {},
      updateRetention: {},
      createAnnotationQueue: {},
      addAnnotationQueueItems: {},
      updateAnnotationProgress: {},
      claimAnnotationQueueItem: {},
      renewAnnotationLease: {},
      releaseAnnotationLease: {},
      setAnnotationAssignees: { isDocumentedRefusal: isNoAssignee },
      reopenAnnotation: {},
      queryAnnotationQueueItems: { isDocumentedRefusal: isNoPage },
      queryAnnotationQueues: {},
      readAnnotationQueueStats: {},
      updateAnnotationQueue: {},
      createModelVersion: {},
      createEvaluation: {},
      createDataset: {},
      createScorer: { isDocumentedRefusal: isNoDefinition },
      createOp: {},
      createEvaluationRun: {},
      createPrediction: {},
      createScore: {},
      queryEvalResults: { alsoAccepted: [400], isDocumentedRefusal: isOtherProject },
      finishEvaluationRun: {},
      finishPrediction: {},
    },
  );
});
