import { bytesDigest } from '@hone/contracts';
import {
  type AccessRow,
  aFile,
  ANY_KEY,
  byKey,
  byProject,
  describeAuthorisation,
  multipart,
  startTestApp,
  type Target,
  type TestApp,
  type TestClient,
} from '@hone/testing';

import {
  aCallEnd,
  aCallStart,
  aFeedback,
  anObject,
  aWholeCall,
  finishedCalls,
  PROJECT,
} from './testing/bodies.fixture.js';
import { TraceModule } from './trace.module.js';

const READ = byProject('reader');
const WRITE = byProject('writer');
const JUDGE = byProject('annotator', { unknownNeeds: 'writer' });
/** Reads and deletes of one thing: where there is no project, there is no such thing. */
const READ_ONE = byProject('reader', { unknown: 404 });
const WRITE_ONE = byProject('writer', { unknown: 404 });
const JUDGE_ONE = byProject('annotator', { unknown: 404 });
/** Of a record of someone else: an annotator is refused for its author, of whom there is none without a project. */
const REJUDGE_ONE: typeof JUDGE_ONE = {
  ...JUDGE_ONE,
  statusOf: (actor, kind) => (kind === 'unknown' ? JUDGE_ONE : WRITE_ONE).statusOf(actor, kind),
};

/** What is answered instead of a 200, to those who may ask. */
const withStatus = (rule: typeof JUDGE_ONE, status: number): typeof JUDGE_ONE => ({
  ...rule,
  statusOf: (actor, kind) => (rule.statusOf(actor, kind) === 200 ? status : rule.statusOf(actor, kind)),
});

/** A body of the fixtures, in another project. */
const inProject = <Body>(body: Body, { projectId }: Target): Body =>
  JSON.parse(JSON.stringify(body).replaceAll(PROJECT, projectId)) as Body;

const isThere = ({ kind }: Target): boolean => kind === 'own' || kind === 'foreign';

/** A new queue with one call in it; ids of nothing where there is no project, which must not be made by this. */
async function aQueue(at: Target, admin: TestClient): Promise<{ queue: string; item: string }> {
  const { projectId: project_id } = at;
  if (!isThere(at)) return { queue: 'q', item: 'i' };
  const queue: string = (await admin.post('/annotation_queues', { project_id, name: 'q' })).json().id;
  await admin.post(`/annotation_queues/${queue}/items`, { project_id, call_ids: ['c1'] });
  const { items } = (await admin.post(`/annotation_queues/${queue}/items/query`, { project_id })).json();
  return { queue, item: items[0].id };
}

const anEvaluation = ({ projectId }: Target) => ({ name: 'sums', dataset: `hone:///${projectId}/object/d:v0` });
const aModel = { name: 'adder', source_code: 'class Model: pass' };

const aTable = ({ projectId }: Target) => ({ table: { project_id: projectId, rows: [] } });
/** Of the source code of {@link aModel}. */
const SOURCE_DIGEST = bytesDigest(aModel.source_code);
const EMPTY_TABLE = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** Reads by a body that names nothing but the project. */
const reads = (rule: AccessRow<TestApp>['rule'], ...paths: string[]): AccessRow<TestApp>[] =>
  paths.map((path) => ({
    route: `POST ${path}`,
    rule,
    request: ({ projectId }) => ['post', path, { project_id: projectId }],
  }));

const ofProject = ({ projectId }: Target): string => `?project_id=${encodeURIComponent(projectId)}`;
/** The four endpoints of a kind of typed objects. @param objectId what its body makes */
const typed = (kind: string, objectId: string, aBody: (at: Target) => object): AccessRow<TestApp>[] => {
  const made = async (at: Target, admin: TestClient) => {
    if (isThere(at)) await admin.post(`/v2/${at.projectId}/${kind}`, aBody(at));
    return `/v2/${at.projectId}/${kind}/${objectId}`;
  };
  return [
    {
      route: `POST /v2/:entity/:project/${kind}`,
      rule: WRITE,
      request: (at) => ['post', `/v2/${at.projectId}/${kind}`, aBody(at)],
    },
    {
      route: `GET /v2/:entity/:project/${kind}`,
      rule: READ,
      request: ({ projectId }) => ['get', `/v2/${projectId}/${kind}?limit=1`],
    },
    {
      route: `GET /v2/:entity/:project/${kind}/:object_id/versions/:digest`,
      rule: READ_ONE,
      request: async (at, admin) => ['get', `${await made(at, admin)}/versions/latest`],
    },
    {
      route: `DELETE /v2/:entity/:project/${kind}/:object_id`,
      rule: WRITE_ONE,
      request: async (at, admin) => ['delete', await made(at, admin)],
    },
  ];
};

const RUN = { evaluation: 'hone:///acme/demo/object/sums:v0', model: 'hone:///acme/demo/object/adder:v0' };
const ANSWER = { model: RUN.model, inputs: {}, output: 1 };
/** Evaluation runs, predictions or scores. @param aBody what makes one; asks for what is needed first */
const tracked = (
  kind: 'evaluation_run' | 'prediction' | 'score',
  create: AccessRow<TestApp>['rule'],
  aBody: (at: Target, admin: TestClient) => Promise<object>,
): AccessRow<TestApp>[] => {
  const made = async (at: Target, admin: TestClient): Promise<string> =>
    isThere(at) ? (await admin.post(`/v2/${at.projectId}/${kind}s`, await aBody(at, admin))).json()[`${kind}_id`] : 'x';
  const finish: AccessRow<TestApp> = {
    route: `POST /v2/:entity/:project/${kind}s/:${kind}_id/finish`,
    rule: WRITE_ONE,
    request: async (at, admin) => ['post', `/v2/${at.projectId}/${kind}s/${await made(at, admin)}/finish`, {}],
  };
  return [
    {
      route: `POST /v2/:entity/:project/${kind}s`,
      rule: create,
      request: async (at, admin) => ['post', `/v2/${at.projectId}/${kind}s`, await aBody(at, admin)],
    },
    {
      route: `GET /v2/:entity/:project/${kind}s`,
      rule: READ,
      request: async ({ projectId }) => ['get', `/v2/${projectId}/${kind}s?limit=1`],
    },
    {
      route: `GET /v2/:entity/:project/${kind}s/:${kind}_id`,
      rule: READ_ONE,
      request: async (at, admin) => ['get', `/v2/${at.projectId}/${kind}s/${await made(at, admin)}`],
    },
    {
      route: `DELETE /v2/:entity/:project/${kind}s`,
      rule: WRITE_ONE,
      request: async (at, admin) => ['delete', `/v2/${at.projectId}/${kind}s?${kind}_ids=${await made(at, admin)}`],
    },
    ...(kind === 'score' ? [] : [finish]),
  ];
};
const aScore = async (at: Target, admin: TestClient): Promise<object> => ({
  prediction_id: isThere(at) ? (await admin.post(`/v2/${at.projectId}/predictions`, ANSWER)).json().prediction_id : 'x',
  ...{ scorer: 'hone:///acme/demo/object/exact:v0', value: 1 },
});

const purge = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'none' }] } };
const price = { m: { prompt_token_cost: 1, completion_token_cost: 1 } };

const rows: AccessRow<TestApp>[] = [
  ...reads(
    READ,
    '/calls/stream_query',
    '/calls/query',
    '/calls/query_stats',
    '/trace/usage',
    '/threads/stream_query',
    '/cost/query',
  ),
  ...reads(
    READ_ONE,
    '/project/stats',
    '/project/call_logging/read',
    '/project/search/read',
    '/project/ttl_settings/read',
  ),
  {
    route: 'GET /calls/:call_id/used-in',
    rule: READ_ONE,
    request: (at) => ['get', `/calls/c1/used-in${ofProject(at)}`],
  },
  {
    route: 'POST /calls/usage',
    rule: READ,
    request: ({ projectId }) => ['post', '/calls/usage', { project_id: projectId, call_ids: ['c1'] }],
  },
  {
    route: 'POST /calls/stats',
    rule: READ,
    request: ({ projectId }) => ['post', '/calls/stats', { project_id: projectId, start: '2026-01-01T00:00:00Z' }],
  },
  {
    route: 'POST /calls/charts',
    rule: READ,
    request: ({ projectId }) => [
      'post',
      '/calls/charts',
      { project_id: projectId, start: '2026-01-15T00:00:00Z', measures: ['calls'] },
    ],
  },
  {
    route: 'POST /calls/facets',
    rule: READ,
    request: ({ projectId }) => ['post', '/calls/facets', { project_id: projectId, fields: ['op_name'] }],
  },
  {
    route: 'POST /feedback/stats',
    rule: READ,
    request: ({ projectId }) => ['post', '/feedback/stats', { project_id: projectId, start: '2026-01-01T00:00:00Z' }],
  },
  {
    route: 'POST /feedback/aggregate',
    rule: READ,
    request: ({ projectId }) => ['post', '/feedback/aggregate', { project_id: projectId, after_ms: 0, before_ms: 1 }],
  },
  {
    route: 'POST /export',
    rule: READ,
    request: ({ projectId }) => ['post', '/export', { project_id: projectId, source: 'calls' }],
  },
  {
    route: 'POST /cost/create',
    rule: WRITE,
    request: ({ projectId }) => ['post', '/cost/create', { project_id: projectId, costs: price }],
  },
  {
    route: 'POST /cost/purge',
    rule: WRITE_ONE,
    request: ({ projectId }) => ['post', '/cost/purge', { project_id: projectId, query: purge }],
  },
  {
    route: 'POST /project/call_logging/update',
    rule: byProject('owner', { unknown: 404 }),
    request: ({ projectId }) => ['post', '/project/call_logging/update', { project_id: projectId, log_calls: 'full' }],
  },
  {
    route: 'POST /project/search/update',
    rule: byProject('owner', { unknown: 404 }),
    request: ({ projectId }) => ['post', '/project/search/update', { project_id: projectId, search: true }],
  },
  {
    route: 'POST /project/ttl_settings/update',
    rule: byProject('owner', { unknown: 404 }),
    request: ({ projectId }) => [
      'post',
      '/project/ttl_settings/update',
      { project_id: projectId, retention_days: null },
    ],
  },
  {
    route: 'POST /feedback/create',
    rule: JUDGE,
    request: (at) => ['post', '/feedback/create', inProject(aFeedback(), at)],
  },
  {
    route: 'POST /feedback/batch/create',
    rule: JUDGE,
    request: (at) => ['post', '/feedback/batch/create', inProject({ batch: [aFeedback(), aFeedback()] }, at)],
  },
  {
    route: 'POST /feedback/replace',
    about: 'a record of someone else',
    rule: REJUDGE_ONE,
    request: async (at, admin) => {
      const made = isThere(at) && (await admin.post('/feedback/create', inProject(aFeedback(), at))).json();
      return ['post', '/feedback/replace', inProject({ ...aFeedback(), feedback_id: made ? made.id : 'f' }, at)];
    },
  },
  {
    route: 'POST /feedback/purge',
    rule: JUDGE_ONE,
    request: ({ projectId }) => ['post', '/feedback/purge', { project_id: projectId, query: purge }],
  },
  {
    route: 'POST /feedback/history',
    rule: READ_ONE,
    request: async (at, admin) => {
      const made = isThere(at) && (await admin.post('/feedback/create', inProject(aFeedback(), at))).json();
      return ['post', '/feedback/history', { project_id: at.projectId, id: made ? made.id : 'f' }];
    },
  },
  {
    route: 'POST /feedback/import',
    rule: JUDGE,
    request: ({ projectId }) => [
      'post',
      '/feedback/import',
      { project_id: projectId, format: 'langfuse', scores: [{ name: 'helpful', value: 1, traceId: 'ab'.repeat(16) }] },
    ],
  },
  {
    route: 'POST /api/public/scores',
    rule: JUDGE,
    request: ({ projectId }) => [
      'post',
      '/api/public/scores',
      { name: 'helpful', value: 1, traceId: 'ab'.repeat(16) },
      { 'hone-project': projectId },
    ],
  },
  {
    route: 'POST /api/public/ingestion',
    rule: JUDGE,
    request: ({ projectId }) => [
      'post',
      '/api/public/ingestion',
      { batch: [{ id: 'e', type: 'score-create', body: { name: 'helpful', value: 1, traceId: 'ab'.repeat(16) } }] },
      { 'hone-project': projectId },
    ],
  },
  ...reads(READ, '/feedback/payload_schema'),
  {
    route: 'POST /feedback/query',
    rule: READ,
    request: ({ projectId }) => ['post', '/feedback/query', { project_id: projectId }],
  },
  {
    route: 'POST /obj/create',
    rule: WRITE,
    request: (at) => ['post', '/obj/create', inProject(anObject('prompt', { text: 'x' }), at)],
  },
  {
    route: 'POST /obj/read',
    rule: READ_ONE,
    request: ({ projectId }) => ['post', '/obj/read', { project_id: projectId, object_id: 'adder', digest: 'latest' }],
  },
  {
    route: 'POST /obj/delete',
    rule: WRITE_ONE,
    request: async (at, admin) => {
      if (isThere(at)) await admin.post('/obj/create', inProject(anObject('prompt', { text: 'y' }), at));
      return ['post', '/obj/delete', { project_id: at.projectId, object_id: 'prompt' }];
    },
  },
  {
    route: 'POST /obj/erase',
    rule: WRITE_ONE,
    request: ({ projectId }) => ['post', '/obj/erase', { project_id: projectId, object_id: 'gone' }],
  },
  {
    route: 'POST /obj/restore',
    rule: WRITE_ONE,
    request: async (at, admin) => {
      const made =
        isThere(at) && (await admin.post('/obj/create', inProject(anObject('gone', { text: 'z' }), at))).json();
      const body = { project_id: at.projectId, object_id: 'gone' };
      if (isThere(at)) await admin.post('/obj/delete', body);
      return ['post', '/obj/restore', { ...body, digest: made ? made.digest : 'v0' }];
    },
  },
  {
    route: 'PUT /objs/:object_id/aliases',
    about: 'to protect them',
    rule: byProject('owner', { unknown: 404 }),
    request: async (at, admin) => {
      if (isThere(at)) await admin.post('/obj/create', inProject(anObject('kept', { text: 'k' }), at));
      const body = { project_id: at.projectId, digest: 'v0', aliases: ['kept'], protected: true };
      return ['put', '/objs/kept/aliases', body];
    },
  },
  {
    route: 'POST /refs/read_batch',
    rule: READ_ONE,
    request: ({ projectId }) => ['post', '/refs/read_batch', { refs: [`hone:///${projectId}/object/adder:v0`] }],
  },
  {
    route: 'POST /otel/v1/traces',
    rule: WRITE,
    request: ({ projectId }) => {
      const span = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), name: 'work' };
      const resourceSpans = [{ scopeSpans: [{ spans: [span] }] }];
      return ['post', '/otel/v1/traces', { resourceSpans }, { 'hone-project': projectId }];
    },
  },
  ...['traces', 'logs'].map((signal): AccessRow<TestApp> => ({
    route: `POST ${signal === 'traces' ? '/api/public' : ''}/otel/v1/${signal}`,
    rule: WRITE,
    request: ({ projectId }) => {
      const [traceId, spanId] = ['ab'.repeat(16), 'cd'.repeat(8)];
      const resourceSpans = [{ scopeSpans: [{ spans: [{ traceId, spanId, name: 'work' }] }] }];
      const resourceLogs = [{ scopeLogs: [{ logRecords: [{ traceId, spanId, eventName: 'gen_ai.choice' }] }] }];
      const path = `${signal === 'traces' ? '/api/public' : ''}/otel/v1/${signal}`;
      return ['post', path, { resourceSpans, resourceLogs }, { 'hone-project': projectId }];
    },
  })),
  { route: 'POST /otel/v1/metrics', rule: byKey(ANY_KEY), request: () => ['post', '/otel/v1/metrics', {}] },
  {
    route: 'POST /files/query_stats',
    rule: READ,
    request: ({ projectId }) => ['post', '/files/query_stats', { project_id: projectId }],
  },
  ...['file', 'files'].flatMap((path): AccessRow<TestApp>[] => [
    {
      route: `POST /${path}/create`,
      rule: WRITE,
      request: ({ projectId }) => {
        const { body, options } = multipart({ name: 'project_id', content: projectId }, aFile('a', 'x'));
        return ['post', `/${path}/create`, body, options.headers];
      },
    },
    {
      route: `POST /${path}/content`,
      rule: READ_ONE,
      request: ({ projectId }) => ['post', `/${path}/content`, { project_id: projectId, digest: SOURCE_DIGEST }],
    },
    {
      route: `POST /${path}/erase`,
      rule: WRITE_ONE,
      request: ({ projectId }) => ['post', `/${path}/erase`, { project_id: projectId, digests: [] }],
    },
  ]),
  {
    route: 'POST /table/create',
    rule: WRITE,
    request: (at) => ['post', '/table/create', aTable(at)],
  },
  {
    route: 'POST /table/create_from_digests',
    rule: WRITE_ONE,
    request: async (at, admin) => {
      const row_digests = isThere(at) ? (await admin.post('/table/create', aTable(at))).json().row_digests : [];
      return ['post', '/table/create_from_digests', { project_id: at.projectId, row_digests }];
    },
  },
  {
    route: 'POST /table/update',
    rule: WRITE_ONE,
    request: async (at, admin) => {
      if (isThere(at)) await admin.post('/table/create', aTable(at));
      return ['post', '/table/update', { project_id: at.projectId, base_digest: EMPTY_TABLE, updates: [] }];
    },
  },
  ...['/table/query', '/table/query_stream', '/table/query_stats'].map((path): AccessRow<TestApp> => ({
    route: `POST ${path}`,
    rule: READ_ONE,
    request: async (at, admin) => {
      if (isThere(at)) await admin.post('/table/create', aTable(at));
      return ['post', path, { project_id: at.projectId, digest: EMPTY_TABLE }];
    },
  })),
  {
    route: 'POST /table/erase',
    rule: WRITE_ONE,
    request: async (at, admin) => {
      if (isThere(at)) await admin.post('/table/create', aTable(at));
      return ['post', '/table/erase', { project_id: at.projectId, digest: EMPTY_TABLE }];
    },
  },
  {
    route: 'POST /table/rows/erase',
    rule: WRITE_ONE,
    request: ({ projectId }) => ['post', '/table/rows/erase', { project_id: projectId, row_digests: [] }],
  },
  {
    route: 'POST /table/query_stats_batch',
    rule: READ,
    request: ({ projectId }) => ['post', '/table/query_stats_batch', { project_id: projectId, digests: [EMPTY_TABLE] }],
  },
  {
    route: 'PUT /objs/:object_id/versions/:digest/tags',
    rule: WRITE_ONE,
    request: ({ projectId }) => ['put', '/objs/adder/versions/v0/tags', { project_id: projectId, tags: ['a'] }],
  },
  {
    route: 'POST /objs/:object_id/versions/:digest/tags/remove',
    rule: WRITE_ONE,
    request: ({ projectId }) => ['post', '/objs/adder/versions/v0/tags/remove', { project_id: projectId, tags: ['a'] }],
  },
  {
    route: 'PUT /objs/:object_id/aliases',
    rule: WRITE_ONE,
    request: ({ projectId }) => ['put', '/objs/adder/aliases', { project_id: projectId, digest: 'v0', aliases: ['a'] }],
  },
  {
    route: 'POST /objs/:object_id/aliases/remove',
    rule: WRITE_ONE,
    request: ({ projectId }) => ['post', '/objs/adder/aliases/remove', { project_id: projectId, aliases: ['a'] }],
  },
  {
    route: 'GET /objs/:object_id/aliases',
    rule: READ_ONE,
    request: ({ projectId }) => ['get', `/objs/adder/aliases?project_id=${encodeURIComponent(projectId)}`],
  },
  {
    route: 'GET /tags',
    rule: READ,
    request: ({ projectId }) => ['get', `/tags?project_id=${encodeURIComponent(projectId)}`],
  },
  {
    route: 'GET /aliases',
    rule: READ,
    request: ({ projectId }) => ['get', `/aliases?project_id=${encodeURIComponent(projectId)}`],
  },
  {
    route: 'POST /objs/query',
    rule: READ,
    request: ({ projectId }) => ['post', '/objs/query', { project_id: projectId }],
  },
  {
    route: 'POST /call/upsert_batch',
    rule: WRITE,
    request: (at) => ['post', '/call/upsert_batch', inProject(finishedCalls('c2'), at)],
  },
  {
    route: 'POST /call/read',
    rule: READ_ONE,
    request: ({ projectId }) => ['post', '/call/read', { project_id: projectId, id: 'c1' }],
  },
  {
    route: 'POST /call/update',
    rule: WRITE_ONE,
    request: ({ projectId }) => ['post', '/call/update', { project_id: projectId, call_id: 'c1', display_name: 'x' }],
  },
  {
    route: 'POST /calls/delete',
    rule: WRITE_ONE,
    request: ({ projectId }) => ['post', '/calls/delete', { project_id: projectId, call_ids: ['c9'] }],
  },
  {
    route: 'POST /call/start',
    rule: WRITE,
    request: (at) => ['post', '/call/start', inProject({ start: aCallStart('c2') }, at)],
  },
  {
    route: 'POST /call/end',
    rule: WRITE,
    request: (at) => ['post', '/call/end', inProject({ end: aCallEnd('c2') }, at)],
  },
  {
    route: 'POST /v2/:entity/:project/call/start',
    rule: WRITE,
    request: (at) => ['post', `/v2/${at.projectId}/call/start`, inProject({ start: aCallStart('c2') }, at)],
  },
  {
    route: 'POST /v2/:entity/:project/call/end',
    rule: WRITE,
    request: (at) => ['post', `/v2/${at.projectId}/call/end`, inProject({ end: aCallEnd('c2') }, at)],
  },
  {
    route: 'POST /v2/:entity/:project/calls/complete',
    rule: WRITE,
    request: (at) => ['post', `/v2/${at.projectId}/calls/complete`, inProject({ batch: [aWholeCall('c2')] }, at)],
  },
  {
    route: 'POST /annotation_queues',
    rule: WRITE,
    request: ({ projectId }) => ['post', '/annotation_queues', { project_id: projectId, name: 'q' }],
  },
  ...reads(READ, '/annotation_queues/query'),
  {
    route: 'POST /annotation_queues/stats',
    rule: READ,
    request: ({ projectId }) => ['post', '/annotation_queues/stats', { project_id: projectId, queue_ids: ['q'] }],
  },
  {
    route: 'GET /annotation_queues/:queue_id',
    rule: READ_ONE,
    request: async (at, admin) => ['get', `/annotation_queues/${(await aQueue(at, admin)).queue}${ofProject(at)}`],
  },
  {
    route: 'PUT /annotation_queues/:queue_id',
    rule: WRITE_ONE,
    request: async (at, admin) => {
      const { queue } = await aQueue(at, admin);
      return ['put', `/annotation_queues/${queue}`, { project_id: at.projectId, name: 'x' }];
    },
  },
  {
    route: 'DELETE /annotation_queues/:queue_id',
    rule: WRITE_ONE,
    request: async (at, admin) => ['delete', `/annotation_queues/${(await aQueue(at, admin)).queue}${ofProject(at)}`],
  },
  {
    route: 'DELETE /annotation_queues/:queue_id/items/:item_id',
    rule: WRITE_ONE,
    request: async (at, admin) => {
      const { queue, item } = await aQueue(at, admin);
      return ['delete', `/annotation_queues/${queue}/items/${item}${ofProject(at)}`];
    },
  },
  {
    route: 'POST /annotation_queues/:queue_id/items',
    rule: WRITE_ONE,
    request: async (at, admin) => {
      const { queue } = await aQueue(at, admin);
      return ['post', `/annotation_queues/${queue}/items`, { project_id: at.projectId, call_ids: ['c1'] }];
    },
  },
  {
    route: 'POST /annotation_queues/:queue_id/items/query',
    rule: READ,
    request: async (at, admin) => {
      const { queue } = await aQueue(at, admin);
      return ['post', `/annotation_queues/${queue}/items/query`, { project_id: at.projectId }];
    },
  },
  {
    route: 'POST /annotation_queues/:queue_id/items/:item_id/progress',
    rule: JUDGE_ONE,
    request: async (at, admin) => {
      const { queue, item } = await aQueue(at, admin);
      const body = { project_id: at.projectId, annotation_state: 'completed' };
      return ['post', `/annotation_queues/${queue}/items/${item}/progress`, body];
    },
  },
  {
    route: 'POST /annotation_queues/:queue_id/items/claim',
    rule: JUDGE_ONE,
    request: async (at, admin) => [
      'post',
      `/annotation_queues/${(await aQueue(at, admin)).queue}/items/claim`,
      { project_id: at.projectId },
    ],
  },
  ...['renew', 'release'].map((verb): AccessRow<TestApp> => ({
    route: `POST /annotation_queues/:queue_id/items/:item_id/lease/${verb}`,
    about: 'that the caller does not hold',
    rule: withStatus(JUDGE_ONE, 409),
    request: async (at, admin) => {
      const { queue, item } = await aQueue(at, admin);
      const body = { project_id: at.projectId, lease_id: 'l' };
      return ['post', `/annotation_queues/${queue}/items/${item}/lease/${verb}`, body];
    },
  })),
  ...['assignees', 'audit'].map((what): AccessRow<TestApp> => ({
    route: `GET /annotation_queues/:queue_id/items/:item_id/${what}`,
    rule: READ_ONE,
    request: async (at, admin) => {
      const { queue, item } = await aQueue(at, admin);
      return ['get', `/annotation_queues/${queue}/items/${item}/${what}${ofProject(at)}`];
    },
  })),
  {
    route: 'PUT /annotation_queues/:queue_id/items/:item_id/assignees',
    rule: WRITE_ONE,
    request: async (at, admin) => {
      const { queue, item } = await aQueue(at, admin);
      const body = { project_id: at.projectId, user_ids: [] };
      return ['put', `/annotation_queues/${queue}/items/${item}/assignees`, body];
    },
  },
  {
    route: 'POST /annotation_queues/:queue_id/items/:item_id/reopen',
    rule: WRITE_ONE,
    request: async (at, admin) => {
      const { queue, item } = await aQueue(at, admin);
      const path = `/annotation_queues/${queue}/items/${item}`;
      const done = { project_id: at.projectId, annotation_state: 'completed' };
      const user_id = isThere(at)
        ? (await admin.post(`${path}/progress`, done)).json().item.annotator_user_id
        : 'nobody';
      return ['post', `${path}/reopen`, { project_id: at.projectId, user_id, reason: 'again' }];
    },
  },
  {
    route: 'GET /annotation_queues/:queue_id/agreement',
    rule: READ_ONE,
    request: async (at, admin) => {
      const { queue } = await aQueue(at, admin);
      return ['get', `/annotation_queues/${queue}/agreement${ofProject(at)}&name=quality`];
    },
  },
  ...typed('models', 'adder', () => aModel),
  ...typed('evaluations', 'sums', anEvaluation),
  ...typed('datasets', 'questions', () => ({ name: 'questions', rows: [] })),
  {
    route: 'POST /v2/:entity/:project/datasets/from_csv',
    rule: WRITE,
    request: ({ projectId }) => ['post', `/v2/${projectId}/datasets/from_csv?name=questions`, 'q,a'],
  },
  ...typed('scorers', 'exact', () => ({ name: 'exact', op_source_code: 'def score(): pass' })),
  {
    route: 'POST /v2/:entity/:project/eval_results/query',
    rule: READ,
    request: ({ projectId }) => ['post', `/v2/${projectId}/eval_results/query`, { evaluation_run_ids: ['r'] }],
  },
  ...tracked('evaluation_run', WRITE, async () => RUN),
  ...tracked('prediction', WRITE, async () => ANSWER),
  ...tracked('score', WRITE_ONE, aScore),
  ...typed('ops', 'predict', () => ({ name: 'predict', source_code: 'def predict(): pass' })),
  {
    route: 'POST /compat/weave/service/projects_info',
    rule: byKey(ANY_KEY),
    request: () => ['post', '/compat/weave/service/projects_info', { project_ids: ['a/b'] }],
  },
  {
    route: 'POST /compat/weave/graphql',
    rule: byKey(ANY_KEY),
    request: () => ['post', '/compat/weave/graphql', { query: '{ viewer { username } }' }],
  },
  ...reads(
    READ,
    '/compat/weave/project/ingest_sampling_settings/read',
    '/compat/weave/project/sensitive_data_settings',
  ),
  {
    route: 'GET /compat/weave/project/sensitive_data_settings',
    rule: READ,
    request: (at) => ['get', `/compat/weave/project/sensitive_data_settings${ofProject(at)}`],
  },
  {
    route: 'POST /compat/weave/dataset_sources/link',
    rule: WRITE_ONE,
    request: async ({ projectId, ...at }, admin) => {
      if (isThere({ projectId, ...at }))
        await admin.post('/obj/create', inProject(anObject('rows', {}), { projectId, ...at }));
      const dataset = { dataset_object_id: 'rows', dataset_digest: 'latest' };
      return ['post', '/compat/weave/dataset_sources/link', { project_id: projectId, ...dataset, links: [] }];
    },
  },
  {
    route: 'POST /compat/weave/dataset_sources/link_delete',
    rule: WRITE_ONE,
    request: ({ projectId }) => [
      'post',
      '/compat/weave/dataset_sources/link_delete',
      { project_id: projectId, link_ids: [] },
    ],
  },
  {
    route: 'POST /compat/weave/dataset_sources/query',
    rule: READ,
    request: ({ projectId }) => [
      'post',
      '/compat/weave/dataset_sources/query',
      { project_id: projectId, dataset_object_id: 'rows' },
    ],
  },
  {
    route: 'POST /compat/weave/dataset_sources/source_datasets_query',
    rule: READ,
    request: ({ projectId }) => [
      'post',
      '/compat/weave/dataset_sources/source_datasets_query',
      { project_id: projectId, sources: [] },
    ],
  },
  ...['/compat/weave/completions/create', '/compat/weave/completions/create_stream'].map(
    (path): AccessRow<TestApp> => ({
      route: `POST ${path}`,
      rule: WRITE,
      request: ({ projectId }) => ['post', path, { project_id: projectId, inputs: { model: 'm', messages: [] } }],
    }),
  ),
];

describeAuthorisation({
  scope: 'trace',
  scheme: 'basic',
  // Nothing listens there: an allowed completion is one that fails.
  start: () => startTestApp(TraceModule, { gatewayUrl: 'http://127.0.0.1:9' } as object),
  seed: async (at, admin) => {
    await admin.post('/call/upsert_batch', inProject(finishedCalls('c1'), at));
    await admin.post(`/v2/${at.projectId}/models`, aModel);
  },
  rows,
});

describe('a queue of another project', () => {
  it('cannot be reached through a project of one’s own', async () => {
    const trace = await startTestApp(TraceModule);
    const admin = trace.as(await trace.user('root', { isAdmin: true }));
    const hidden: Target = { kind: 'foreign', entity: 'globex', project: 'secret', projectId: 'globex/secret' };
    await admin.post('/call/upsert_batch', inProject(finishedCalls('c1'), hidden));
    await admin.post('/call/upsert_batch', finishedCalls('c1'));
    const { queue, item } = await aQueue(hidden, admin);
    const client = trace.as(trace.writer);
    const body = { project_id: PROJECT, annotation_state: 'completed', call_ids: ['c1'] };
    const { annotation_state, call_ids, project_id } = body;
    for (const [path, sent] of [
      [`/annotation_queues/${queue}/items`, { project_id, call_ids }],
      [`/annotation_queues/${queue}/items/query`, { project_id }],
      [`/annotation_queues/${queue}/items/${item}/progress`, { project_id, annotation_state }],
    ] as const) {
      const known = await client.post(path, sent);
      const unknown = await client.post(path.replaceAll(queue, 'nothing').replaceAll(item, 'nothing'), sent);
      expect([known.status, known.json().code]).toEqual([404, unknown.json().code]);
      expect(known.text.replaceAll(queue, 'nothing').replaceAll(item, 'nothing')).toBe(unknown.text);
    }
    await trace.close();
  });
});
