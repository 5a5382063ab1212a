import type { JsonValue } from '@hone/contracts';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';
import fc from 'fast-check';

import { aCallStart, aWholeCall, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';
import { evaluate, type ModelRecord } from './expression-model.fixture.js';

const EXPRESSIONS = 2_000;
/** Expressions that one request asks for, each as one page. */
const AT_ONCE = 8;
const MINUTES_MS = 600_000;

const TEXTS = [
  '',
  'a',
  'A',
  'B',
  'é',
  'É',
  '1',
  '1.5',
  '-2',
  '1e2',
  'x',
  'true',
  'false',
  'null',
  '10',
  "'; --",
  '%',
  'ab c',
];
const NUMBERS = [0, 1, -2, 1.5, 10, 100, 2.25];
const aScalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(...TEXTS),
  fc.constantFrom<JsonValue>(...NUMBERS),
  fc.constantFrom<JsonValue>(true, false, null),
);
const aJson: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: aScalar },
  { weight: 1, arbitrary: fc.array(aScalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('a', 'bb', 'c.d'), aScalar, { maxKeys: 3 }) },
);
const anObject = fc.dictionary(fc.constantFrom('a', 'b', 'list', 'c.d'), aJson, { maxKeys: 4 });

const FIELDS = [
  ...['id', 'op_name', 'display_name', 'parent_id', 'exception', 'run_id', 'run_step', 'started_at', 'ended_at'],
  ...[
    'inputs',
    'inputs.a',
    'inputs.b',
    'inputs.list',
    'inputs.list.0',
    'inputs.list.-1',
    'inputs.c\\.d',
    'inputs.none.x',
  ],
  ...[
    'output',
    'output.a',
    'output.list.1',
    'attributes.a',
    'summary.b',
    'summary.hone.status',
    'summary.hone.latency_ms',
  ],
];
const TIMES = ['2026-01-15T09:59:00.000Z', '2026-01-15T09:59:00.500Z', '2026-01-15T09:59:01.000Z'];
const aLiteral: fc.Arbitrary<JsonValue> = aScalar.map(($literal) => ({ $literal }));
const isTime = (name: string) => name === 'started_at' || name === 'ended_at';
const aField = fc.constantFrom(...FIELDS.filter((name) => !isTime(name))).map(($getField) => ({ $getField }));
const aTimeField = fc.constantFrom(...FIELDS.filter(isTime)).map(($getField) => ({ $getField }));
const COMPARISON = fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte');

const anExpression = fc.letrec<{ any: JsonValue; operand: JsonValue }>((tie) => ({
  operand: fc.oneof(
    { weight: 4, arbitrary: aField },
    { weight: 3, arbitrary: aLiteral },
    {
      weight: 1,
      arbitrary: fc.record({
        $convert: fc.record({
          input: tie('operand'),
          to: fc.constantFrom('double', 'int', 'string', 'bool', 'exists'),
        }),
      }),
    },
  ) as fc.Arbitrary<JsonValue>,
  any: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.tuple(COMPARISON, tie('operand'), tie('operand')).map(([operator, a, b]) => ({ [operator]: [a, b] })),
    fc
      .tuple(COMPARISON, aTimeField, fc.constantFrom(...TIMES))
      .map(([operator, time, $literal]) => ({ [operator]: [time, { $literal }] })),
    fc.tuple(tie('operand'), fc.array(aLiteral, { maxLength: 4 })).map(([left, values]) => ({ $in: [left, values] })),
    fc
      .tuple(tie('operand'), tie('operand'), fc.boolean())
      .map(([input, substr, case_insensitive]) => ({ $contains: { input, substr, case_insensitive } })),
    fc.array(tie('any'), { maxLength: 3 }).map(($and) => ({ $and })),
    fc.array(tie('any'), { maxLength: 3 }).map(($or) => ({ $or })),
    tie('any').map((one) => ({ $not: one })),
    tie('operand'),
  ) as fc.Arbitrary<JsonValue>,
})).any;

const aCall = fc.record({
  inputs: anObject,
  output: fc.oneof(aJson, anObject as fc.Arbitrary<JsonValue>),
  attributes: anObject,
  summary: anObject,
  op_name: fc.constantFrom('a', 'B', 'é', 'true', '10'),
  display_name: fc.constantFrom('a', 'x', null),
  parent_id: fc.constantFrom('1', 'a', null),
  exception: fc.constantFrom('x', null),
  run_id: fc.constantFrom('1.5', null),
  run_step: fc.constantFrom(1, 10, null),
  started_at: fc.constantFrom(...TIMES.slice(0, 2)),
});

describe('expressions on calls', () => {
  let trace: TestApp;
  let client: TestClient;
  const records: ModelRecord[] = [];
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    const drawn = fc.sample(aCall, { numRuns: 40, seed: 7 });
    for (const [index, fields] of drawn.entries()) {
      const isRunning = index % 8 === 0;
      const { output, summary, exception, ...start } = fields;
      const id = `c${String(index).padStart(2, '0')}`;
      const body = isRunning ? { start: aCallStart(id, start) } : { batch: [aWholeCall(id, fields)] };
      const path = isRunning ? '/call/start' : '/v2/acme/demo/calls/complete';
      expect((await client.post(path, body)).status).toBe(200);
      const ended_at = isRunning ? null : '2026-01-15T09:59:01.000Z';
      const status = isRunning ? 'running' : exception === null ? 'success' : 'error';
      records.push({
        ...(start as ModelRecord),
        ...{ id, ended_at, exception: isRunning ? null : exception },
        ...(isRunning ? {} : { output, summary: summary as JsonValue }),
        'summary.hone.status': status,
        'summary.hone.latency_ms': ended_at === null ? null : Date.parse(ended_at) - Date.parse(fields.started_at),
      });
    }
  });
  afterAll(() => trace.close());

  it(
    `find the same calls as the model, ${EXPRESSIONS} at random`,
    async () => {
      const expressions = fc.sample(anExpression, { numRuns: EXPRESSIONS, seed: 11 });
      let met = 0;
      const check = async (expression: JsonValue) => {
        const body = { project_id: PROJECT, query: { $expr: expression }, columns: ['id'], limit: 100 };
        const { status, text } = await client.post('/calls/stream_query', body);
        const found = [...text.matchAll(/"id":"(c\d+)"/g)].map(([, id]) => id as string).sort();
        const expected = records.filter((record) => evaluate(expression, record) === true).map(({ id }) => id);
        expect([JSON.stringify(expression), status, found]).toEqual([JSON.stringify(expression), 200, expected]);
        if (found.length > 0 && found.length < records.length) met++;
      };
      for (let at = 0; at < expressions.length; at += AT_ONCE)
        await Promise.all(expressions.slice(at, at + AT_ONCE).map(check));
      // Most of them must tell calls apart, else equal answers would say little.
      expect(met).toBeGreaterThan(EXPRESSIONS / 5);
    },
    MINUTES_MS,
  );
});
