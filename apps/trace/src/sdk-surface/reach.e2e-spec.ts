import { exampleOf } from '@hone/contracts';
import { bodyClass, queryClass, type RouteHandler, routeHandlers } from '@hone/platform';
import { aFile, multipart, startTestApp, type TestApp, type TestClient } from '@hone/testing';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';

import { aFeedback, anObject, aWholeCall } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

/** The SDKs of this surface have no name for what these answer. */
const NOT_REACHED = new Set([
  ...['ProbesController', 'SdkServerController', 'SdkSettingsController', 'CompletionsController'],
  ...[
    'LangfuseOtlpController',
    'LangfuseScoresController',
    'DatasetSourcesController',
    'ExportController',
    'CallFacetsController',
  ],
  'ChartsController',
]);
/** Answered in the form of OTLP, whoever asks. */
const SIGNALS = ['traces', 'logs', 'metrics'].map((signal) => `POST /otel/v1/${signal}`);
const OWN_NAMES = /hone|trace_ref|svc_user_id|"run_id|"run_step/;
const SDK_NAMES = /weave:\/\/\/|weave_ref|wb_|wandb\./;

const partOf = (target: object, key: string): string => Reflect.getMetadata(key, target) as string;

/** `<METHOD> <path>` with values for its parameters. */
function nameOf({ controller, handler }: RouteHandler): string {
  const path = `/${partOf(controller, PATH_METADATA)}/${partOf(handler, PATH_METADATA)}`.replace(/\/{2,}/g, '/');
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
  return `${method} ${path
    .replace(/\/$/, '')
    .replace(':entity', 'acme')
    .replace(':project', 'demo')
    .replace(/:\w+/g, 'x')}`;
}

/** A body as an SDK says it. */
const asSdk = (body: unknown): string =>
  JSON.stringify(body)
    .replaceAll('hone:///', 'weave:///')
    .replaceAll('"hone.', '"wandb.')
    .replaceAll('summary.hone', 'summary.weave')
    .replaceAll('trace_ref"', 'weave_ref"')
    .replaceAll('"svc_user_id', '"wb_user_id')
    .replaceAll('"run_id', '"wb_run_id');

describe('every route of the canonical surface', () => {
  let trace: TestApp;
  let client: TestClient;
  const seen = new Map<string, string>();
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    const owner = await trace.user('olga', { roles: { acme: 'owner' } });
    client = trace.as(owner);
    await client.post('/v2/acme/demo/calls/complete', { batch: [aWholeCall('c1', { run_id: 'r' })] });
    await client.post('/feedback/create', aFeedback({ feedback_type: 'hone.note.1', payload: { note: 'n' } }));
    await client.post('/obj/create', anObject('x', { ref: 'hone:///acme/demo/object/x:v0' }));
    for (const route of routeHandlers(trace.app)) {
      if (NOT_REACHED.has(route.controller.name)) continue;
      const name = nameOf(route);
      const [method, path] = name.split(' ') as ['GET', string];
      const upload = path.startsWith('/file') && path.endsWith('/create');
      const csv = path.endsWith('/from_csv');
      const form = multipart({ name: 'project_id', content: 'acme/demo' }, aFile('f'));
      const type = bodyClass(route);
      const queryType = queryClass(route);
      const response = await trace.app.inject({
        method,
        url: `/compat/weave${path}`,
        query: ((queryType && exampleOf(queryType)) ?? {}) as Record<string, string>,
        headers: {
          authorization: `Bearer ${owner.key}`,
          project_id: 'acme/demo', // of spans
          ...(upload ? form.options.headers : { 'content-type': 'application/json' }),
        },
        ...(csv && { payload: 'q,a\n2+2,4\n' }),
        ...(upload ? { payload: form.body } : type && { payload: asSdk(exampleOf(type)) }),
      });
      seen.set(name, `${response.statusCode} ${response.body}`);
    }
  });
  afterAll(() => trace.close());

  it('is reached by SDKs', () => {
    expect(seen.size).toBeGreaterThan(60);
    const answers = [...seen].map(([name, answer]) => [name, /^(?:200|400|404|409) /.test(answer) || answer]);
    expect(answers.filter(([, isAnswered]) => isAnswered !== true)).toEqual([]);
    expect([...seen].filter(([, answer]) => answer.includes('Not supported'))).toEqual([]);
    expect([...seen.values()].filter((answer) => answer.startsWith('200')).length).toBeGreaterThan(45);
  });

  it('answers them under none of its own names', () => {
    const isOwn = ([name, answer]: [string, string]) => !SIGNALS.includes(name) && OWN_NAMES.test(answer);
    expect([...seen].filter(isOwn)).toEqual([]);
  });

  it('keeps nothing under theirs', async () => {
    const project_id = 'acme/demo';
    for (const path of ['/calls/stream_query', '/feedback/query', '/objs/query', '/cost/query']) {
      const { status, text } = await client.post(path, { project_id });
      expect([path, status, SDK_NAMES.exec(text)]).toEqual([path, 200, null]);
    }
  });
});
