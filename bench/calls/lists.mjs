import { median, percentile } from '../harness/statistics.mjs';
import { World } from '../trace/world.mjs';
import { openTrace } from './trace-client.mjs';
import { MONTH, yearOfCalls } from './year.mjs';

const WARM_UP = 5;
const MOST_PAGE_MS = 50;
const MOST_FACETS_MS = 300;
/** The columns that the console's list shows by itself. */
const COLUMNS = [
  ...['id', 'op_name', 'display_name', 'parent_id', 'started_at', 'ended_at', 'exception'],
  ...['status', 'latency_ms', 'trace', 'input_preview', 'output_preview', 'model', 'total_tokens', 'cost', 'user'].map(
    (name) => `summary.hone.${name}`,
  ),
];
const FACETS = ['summary.hone.status', 'op_name', 'summary.hone.trace.models', 'summary.hone.user', 'svc_user_id'];

/** The first page of the console's list of calls, the facets beside it, and the bars above it. */
export async function measureLists(context) {
  const { options, progress, report } = context;
  const project = await yearOfCalls(context);
  const { send, close } = await openTrace(await World.of(context), project);
  progress.step('lists of calls');
  const words = `${project.calls.toLocaleString('en-US')} calls`;
  const times = WARM_UP + (options.quick ? 20 : 100);
  const newest = { sort_by: [{ field: 'started_at', direction: 'desc' }], columns: COLUMNS, limit: 100 };
  for (const [name, filter] of Object.entries({ 'all calls': {}, 'roots alone': { trace_roots_only: true } })) {
    const samples = await timesOf(times, async () => {
      const { calls } = JSON.parse(await send('/calls/query', { ...newest, filter }));
      if (calls.length !== 100) throw new Error(`a page has ${calls.length} calls`);
    });
    const value = percentile(samples, 0.95);
    report.add({
      ...{ measure: `newest page of the list, ${name}, p95, ${words}`, value, unit: 'ms' },
      ...{ target: `<= ${MOST_PAGE_MS} ms`, isMet: value <= MOST_PAGE_MS },
      note: `p50 ${median(samples).toFixed(1)} ms`,
    });
  }
  const value = median(
    await timesOf(WARM_UP + 20, async () => {
      const filter = { trace_roots_only: true };
      const { facets } = JSON.parse(await send('/calls/facets', { fields: FACETS, filter, limit: 12 }));
      if (!facets.every(({ values }) => values.length > 0)) throw new Error('a facet has no values');
    }),
  );
  report.add({
    ...{ measure: `facets of the list, ${words}`, value, unit: 'ms' },
    ...{ target: `<= ${MOST_FACETS_MS} ms`, isMet: value <= MOST_FACETS_MS },
  });
  const bars = median(
    await timesOf(WARM_UP + 20, async () => {
      await send('/calls/charts', { ...MONTH, measures: ['calls', 'errors'], filter: { trace_roots_only: true } });
    }),
  );
  report.add({ measure: `bars above the list, 30 days, ${words}`, value: bars, unit: 'ms' });
  await close();
}

/** @returns milliseconds of each time but the first ones */
async function timesOf(times, read) {
  const samples = [];
  for (let time = 0; time < times; time++) {
    const begin = performance.now();
    await read();
    if (time >= WARM_UP) samples.push(performance.now() - begin);
  }
  return samples;
}
