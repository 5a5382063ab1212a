import { median } from '../harness/statistics.mjs';
import { World } from '../trace/world.mjs';
import { callProjects } from './call-world.mjs';

const MAX_MS = 400;

/** `POST /calls/stream_query` of all calls of one large trace, as a tree view reads them, until the last byte. */
export async function measureTrees(context) {
  const { options, progress, report } = context;
  const { tree } = await callProjects(context);
  const world = await World.of(context);
  const trace = await world.startTrace();
  progress.step('a large trace');
  const columns = [
    'op_name',
    'display_name',
    'parent_id',
    'started_at',
    'ended_at',
    'exception',
    'summary.hone.status',
  ];
  for (const [name, body] of Object.entries({ 'without values': { columns }, 'whole calls': {} })) {
    const samples = [];
    for (let time = 0; time < (options.quick ? 3 : 9); time++) {
      const begin = performance.now();
      const response = await fetch(`http://127.0.0.1:${trace.port}/calls/stream_query`, {
        method: 'POST',
        headers: { authorization: world.authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ project_id: tree.id, filter: { trace_ids: ['tree'] }, ...body }),
      });
      const lines = (await response.text()).split('\n').length - 1;
      if (lines !== tree.calls) throw new Error(`the trace has ${lines} calls instead of ${tree.calls}`);
      samples.push(performance.now() - begin);
    }
    const value = median(samples);
    const isTarget = name === 'without values';
    report.add({
      measure: `a trace of ${tree.calls.toLocaleString('en-US')} calls, ${name}`,
      value,
      unit: 'ms',
      ...(isTarget && { target: `<= ${MAX_MS} ms`, isMet: value <= MAX_MS }),
    });
  }
  await trace.stop();
}
