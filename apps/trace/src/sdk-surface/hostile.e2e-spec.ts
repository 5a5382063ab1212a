import { type Class, exampleOf, fieldsOf } from '@hone/contracts';
import { bodyClass, routeHandlers } from '@hone/platform';
import { fuzzOf, startTestApp, type TestApp, type TestClient } from '@hone/testing';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import fc from 'fast-check';

import { anObject } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';
import { toSdkField } from './names.js';

/** Bodies of each endpoint. */
const FUZZ = fuzzOf(25);

const AT = '/compat/weave';
const STRINGS = [
  ...['', '\0', '\ud800', '__proto__', 'weave:///', 'weave:///acme/demo/call/c', 'hone:///acme/demo/object/a:v0'],
  ...[
    'weave-trace-internal:///',
    'weave-trace-internal:///YWNtZS9kZW1v/object/a:v0',
    'wandb.note.1',
    'summary.weave.x',
  ],
  ...['sdk_extras.span_trace_id', 'span_trace_id', 'trace_ref', 'weave_ref', "'; --", 'x'.repeat(3_000), 'acme/demo'],
];
const KEYS = ['__proto__', 'constructor', '$getField', '$literal', '$eq', '$in', '$convert', 'weave', 'hone', 'input'];
const toObject = (entries: [string, string][]) =>
  `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
const aString = fc.oneof(fc.constantFrom(...STRINGS), fc.string({ unit: 'binary', maxLength: 20 }));
const aJson: fc.Arbitrary<string> = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', '1.0', '-0', '1e400', 'NaN', '-Infinity', '99999999999999999999', '-1'),
    aString.map((text) => JSON.stringify(text)),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc.array(fc.tuple(fc.oneof(aString, fc.constantFrom(...KEYS)), tie('json')), { maxLength: 4 }).map(toObject),
  ),
})).json;

/** Bodies near the example of a class, under the names of the SDKs. */
function aBodyOf(type: Class): fc.Arbitrary<string> {
  const example = exampleOf(type) as Record<string, unknown>;
  const names = fieldsOf(type).map(({ name }) => name);
  const field = (name: string) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(name in example ? JSON.stringify(example[name]) : undefined) },
      { weight: 2, arbitrary: aJson },
      { weight: 1, arbitrary: fc.constant(undefined) },
    );
  return fc
    .tuple(fc.tuple(...names.map(field)), fc.array(fc.tuple(aString, aJson), { maxLength: 1 }))
    .map(([values, extra]) =>
      toObject([
        ...names.flatMap((name, index): [string, string][] =>
          values[index] === undefined ? [] : [[toSdkField(name), values[index]]],
        ),
        ...extra,
      ]),
    );
}

const partOf = (target: object, key: string): string => Reflect.getMetadata(key, target) as string;

describe('the SDK surface and hostile clients', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  it('answers any body to any route without a 5xx, in its own form', async () => {
    const routes = routeHandlers(trace.app).flatMap((route) => {
      const { controller, handler } = route;
      const path = `/${partOf(controller, PATH_METADATA)}/${partOf(handler, PATH_METADATA)}`.replace(/\/{2,}/g, '/');
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
      const type = bodyClass(route);
      if (!type || method !== 'POST' || path.startsWith('/compat') || path.startsWith('/otel')) return [];
      const url = path.replace(':entity', 'acme').replace(':project', 'demo').replace(/:\w+/g, 'x');
      return fieldsOf(type).length > 0 && exampleOf(type) ? [[url, type] as const] : [];
    });
    expect(routes.length).toBeGreaterThan(40);
    for (const [url, type] of routes) {
      await fc.assert(
        fc.asyncProperty(aBodyOf(type), async (body) => {
          const { status, text } = await client.post(AT + url, body);
          expect([url, body, [200, 400, 403, 404, 409, 413, 422].includes(status) || text]).toEqual([url, body, true]);
          if (status >= 400) expect(Object.keys(JSON.parse(text))).not.toContain('code');
        }),
        FUZZ,
      );
    }
  }, 600_000);

  it.each([
    ['deep', '['.repeat(100_000)],
    ['beyond the numbers', '{"obj":1e999}'],
    ['no UTF-8', Buffer.from('{"obj":"\xff"}', 'latin1')],
    ['empty', ''],
    ['null', 'null'],
    ['a list', '[]'],
  ])('refuses a body that is %s', async (_what, body) => {
    const { status, json } = await client.post(`${AT}/obj/create`, body);
    expect(Object.keys(json())).toEqual(['detail']);
    expect(status).toBe(422);
  });

  it('reads no project through another one’s name', async () => {
    const admin = trace.as(await trace.user('root', { isAdmin: true }));
    const secret = { ...anObject('s', { secret: 'hidden' }).obj, project_id: 'globex/secret' };
    await admin.post('/obj/create', { obj: secret });
    const id = Buffer.from('globex/secret').toString('base64url');
    const attempts: [string, object][] = [
      ['/obj/read', { project_id: 'globex/secret', object_id: 's', digest: 'v0' }],
      ['/obj/read', { project_id: id, object_id: 's', digest: 'v0' }],
      ['/refs/read_batch', { refs: ['weave:///globex/secret/object/s:v0'] }],
      ['/refs/read_batch', { refs: [`weave-trace-internal:///${id}/object/s:v0`] }],
      ['/objs/query', { project_id: 'acme/../globex/secret' }],
    ];
    for (const [path, body] of attempts) {
      const { status, text } = await client.post(AT + path, body);
      expect([path, [400, 403, 422].includes(status), text.includes('hidden')]).toEqual([path, true, false]);
    }
  });

  it.each([
    '/compat/weave/../metrics',
    '/compat/weave//metrics',
    '/compat/weave/call%2Fread',
    '/traces/%00',
    '/compat',
  ])('answers %s as any path that is not there', async (path) => {
    const { status, json } = await client.post(path, {});
    expect(json()).toEqual({ reason: 'Not supported by this server' });
    expect(status).toBe(404);
  });

  it('takes no other credentials than keys', async () => {
    for (const header of [
      'Bearer',
      'Bearer  ',
      `Bearer ${trace.writer.key} x`,
      'Digest x',
      'Basic !!',
      `Bearer ${'x'.repeat(9_000)}`,
    ]) {
      const { status, json } = await trace.as(header).post(`${AT}/objs/query`, { project_id: 'acme/demo' });
      expect(header.slice(0, 20)).toEqual(header.slice(0, 20));
      expect(status).toBe(401);
      expect(json()).toEqual({ reason: '401 Error' });
    }
  });
});
