import type { CallChartsDto, CallChartsResultDto, CallFilterDto, ChartGroup, ChartMeasure } from '@hone/contracts';
import fc from 'fast-check';

import { PROJECT } from '../testing/bodies.fixture.js';
import { type ChartModel, type ModelCall, ZONES } from './chart-model.fixture.js';

export const FIRST_MS = Date.UTC(2026, 0, 10, 5);
const HOURS = 72;
/** Time in which drawn calls begin, from {@link FIRST_MS} on. */
export const DRAWN_MS = HOURS * 3_600_000;
export const MODELS = ['large', 'small', 'free'];
export const OPS = [
  'hone:///acme/demo/op/ask:v0',
  'hone:///acme/demo/op/ask:v1',
  'hone:///acme/demo/op/look:v0',
  'plain',
];
const MEASURES: ChartMeasure[] = [
  ...(['calls', 'errors', 'error_rate', 'prompt_tokens', 'cached_tokens', 'total_tokens', 'cost'] as const),
  ...(['avg_latency_ms', 'p50_latency_ms', 'p95_latency_ms', 'p99_latency_ms'] as const),
  ...(['thumbs_up', 'thumbs_down', 'thumbs_down_rate'] as const),
];
const GROUPS: ChartGroup[] = ['model', 'op', 'status', 'error_class', 'user', 'thread'];
const isLatency = (name: string) => /^p\d+_latency/.test(name);

const aTime = fc.integer({ min: FIRST_MS, max: FIRST_MS + DRAWN_MS });
const aLatency = fc.oneof(fc.constantFrom(0, 1, 2), fc.integer({ min: 3, max: 100_000 }));
const aTokenCount = fc.record({
  ...{ prompt_tokens: fc.integer({ min: 100, max: 999 }), completion_tokens: fc.integer({ min: 1_000, max: 9_999 }) },
  cached_tokens: fc.nat(100),
});
const aUsage = fc.dictionary(fc.constantFrom(...MODELS), aTokenCount, { maxKeys: 2, noNullPrototype: true });
/** What a call is made of: see {@link callOf}. */
export const aDrawnCall = fc.record({
  ...{
    startedMs: aTime,
    latencyMs: fc.option(aLatency, { freq: 5 }),
    exception: fc.option(fc.constantFrom('no', 'openai.Late'), { freq: 1 }),
  },
  ...{
    op: fc.constantFrom(...OPS),
    user: fc.option(fc.constantFrom('ada', 'bob')),
    thread: fc.option(fc.constantFrom('t', 'u')),
  },
  ...{ usage: aUsage, isChild: fc.boolean() },
});
/** What a chart is asked of: see {@link bodyOf}. */
export const aDrawnChart = fc.record({
  ...{ from: aTime, span: fc.integer({ min: 0, max: DRAWN_MS }), isAligned: fc.boolean() },
  granularity: fc.constantFrom(900, 3_600, 7_200, 86_400),
  timezone: fc.constantFrom(...Object.keys(ZONES)),
  measures: fc.uniqueArray(fc.constantFrom(...MEASURES), { minLength: 1, maxLength: 4 }),
  group_by: fc.uniqueArray(fc.constantFrom(...GROUPS), { maxLength: 2 }),
  limit: fc.constantFrom(1, 2, 50),
  filter: fc.constantFrom<CallFilterDto | null>(
    null,
    { trace_roots_only: true },
    { op_names: ['plain', OPS[0] as string] },
  ),
});

export const iso = (ms: number): string => new Date(ms).toISOString();

type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

/** Without a parent. Failures and models are of calls that have ended. */
export function callOf(
  { startedMs, latencyMs, exception, isChild: _isChild, usage, ...rest }: Drawn<typeof aDrawnCall>,
  id: string,
): ModelCall {
  const endedMs = latencyMs === null ? null : startedMs + latencyMs;
  const isOpen = endedMs === null;
  return {
    ...{ ...rest, id, parent: null, startedMs, endedMs, exception: isOpen ? null : exception },
    ...{ usage: isOpen ? {} : usage, isDeleted: false, thumbs: [], ratings: {} },
  };
}

/** @param stretch of the time that is drawn of */
export function bodyOf({ from, span, isAligned, ...rest }: Drawn<typeof aDrawnChart>, stretch = 1): CallChartsDto {
  const begin = FIRST_MS + (from - FIRST_MS) * stretch;
  const start = isAligned ? Math.floor(begin / 3_600_000) * 3_600_000 : begin;
  return { ...rest, project_id: PROJECT, start: iso(start), end: iso(start + span * stretch) };
}

/** Body of `POST /call/upsert_batch` of calls, with an end of those that have ended. */
export const upsertOf = (calls: readonly ModelCall[], inputs: (call: ModelCall) => object = () => ({})): object => ({
  batch: calls.flatMap((call) => {
    const { id, op, parent, user, thread, startedMs, endedMs, exception, usage } = call;
    const start = { project_id: PROJECT, id, op_name: op, started_at: iso(startedMs), trace_id: id };
    const more = { inputs: inputs(call), parent_id: parent, thread_id: thread };
    const attributes = user === null ? {} : { user };
    const ends = endedMs === null ? [] : [{ project_id: PROJECT, id, ended_at: iso(endedMs), exception }];
    return [
      { mode: 'start', req: { start: { ...start, ...more, attributes } } },
      ...ends.map((end) => ({ mode: 'end', req: { end: { ...end, summary: { usage } } } })),
    ];
  }),
});

/** Asserts that a chart is that of the model; quantiles within 1 %. */
export function expectChart(found: CallChartsResultDto, model: ChartModel, body: CallChartsDto): void {
  const { timestamps, series, other, totals } = model.chart(body);
  const near = (value: number | null, isSketch: boolean): unknown =>
    value === null ? null : expect.closeTo(value, isSketch ? -Math.log10(2 * (0.0101 * value + 1e-6)) : 6);
  const asNear = (values: Record<string, number | null | (number | null)[]>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map((one) => near(one, isLatency(name))) : near(value, isLatency(name)),
      ]),
    );
  const asSeries = (one: CallChartsResultDto['series'][number]) => ({
    key: one.key,
    totals: asNear(one.totals),
    values: asNear(one.values),
  });
  expect([body, found]).toEqual([
    body,
    expect.objectContaining({
      timestamps,
      series: series.map(asSeries),
      other: other && asSeries(other),
      totals: asNear(totals),
    }),
  ]);
}
