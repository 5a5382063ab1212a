import { setTimeout as sleep } from 'node:timers/promises';

import { median } from '../harness/statistics.mjs';
import { World } from '../trace/world.mjs';
import { openTrace } from './trace-client.mjs';
import { MONTH, YEAR, yearOfCalls } from './year.mjs';

const DAY = 86_400;
/** Milliseconds that a chart of each time may take. */
const TIMES = {
  '30 days': { ...MONTH, granularity: DAY, most: 300 },
  'a year': { ...YEAR, granularity: 7 * DAY, most: 1_000 },
};
const TOTALS = [
  'calls',
  'errors',
  'cost',
  'total_tokens',
  'p50_latency_ms',
  'p95_latency_ms',
  'p99_latency_ms',
  'thumbs_down_rate',
];
/** The charts of the console's dashboard, as it asks for them. */
const CHARTS = {
  'all totals': { measures: TOTALS },
  'spend by model': { measures: ['cost', 'total_tokens'], group_by: ['model'], limit: 7 },
  'ops, slowest and dearest': {
    ...{ measures: ['cost', 'calls', 'errors', 'p95_latency_ms'], group_by: ['op'], limit: 50 },
    granularity: 31_536_000,
  },
  'models by status': { measures: ['calls', 'p95_latency_ms'], group_by: ['model', 'status'] },
};
const PRICES = { small: 1e-7, medium: 5e-7, large: 2e-6, huge: 1e-5 };

/** `POST /calls/charts` over 30 days and over a year, of sums of hours that are all made, and of hours that have just changed. */
export async function measureCharts(context) {
  const { options, progress, report } = context;
  const project = await yearOfCalls(context);
  const world = await World.of(context);
  const [client] = await world.connect(1);
  const { send, close } = await openTrace(world, project);
  const costs = Object.entries(PRICES).map(([model, price]) => [
    model,
    { prompt_token_cost: price, completion_token_cost: 4 * price, effective_date: YEAR.start },
  ]);
  await send('/cost/create', { costs: Object.fromEntries(costs) });
  progress.step('sums of hours');
  const begin = performance.now();
  await sumsOf(client, project, progress);
  report.add({
    measure: `sums of hours of ${words(project)}, made`,
    value: (performance.now() - begin) / 1_000,
    unit: 's',
  });
  progress.step('charts');
  for (const [time, { most, ...span }] of Object.entries(TIMES)) {
    for (const [name, chart] of Object.entries(CHARTS)) {
      const samples = [];
      for (let at = 0; at < (options.quick ? 5 : 20); at++) {
        const sent = performance.now();
        const { totals } = JSON.parse(await send('/calls/charts', { ...span, ...chart }));
        if (!(totals[chart.measures[0]] > 0)) throw new Error(`a chart counts nothing: ${JSON.stringify(totals)}`);
        if (at > 0) samples.push(performance.now() - sent);
      }
      const value = median(samples);
      const measure = `chart of ${time}, ${name}, ${words(project)}`;
      report.add({ measure, value, unit: 'ms', target: `<= ${most} ms`, isMet: value <= most });
    }
  }
  await close();
  await client.end();
}

const words = ({ calls }) => `${calls.toLocaleString('en-US')} calls`;

/** Until the job of the service has summed up every hour. */
async function sumsOf(client, project, progress) {
  for (;;) {
    const { rows } = await client.query(
      'SELECT count(DISTINCT hour)::int AS left FROM call_hour_changes WHERE project_id = $1',
      [project.rowId],
    );
    if (rows[0].left === 0) return;
    progress.detail(`${rows[0].left.toLocaleString('en-US')} hours left`);
    await sleep(1_000);
  }
}
