import { median } from '../harness/statistics.mjs';
import { World } from '../trace/world.mjs';
import { callProjects } from './call-world.mjs';

const MAX_MS = 400;

/** What a tree view reads, and what SDKs do: `[path, body beside the project and the trace]`. */
const READS = {
  'without values': [
    '/calls/stream_query',
    {
      columns: ['op_name', 'display_name', 'parent_id', 'started_at', 'ended_at', 'exception', 'summary.hone.status'],
    },
  ],
  'whole calls': ['/calls/stream_query', {}],
  'whole calls as SDKs read them': ['/compat/weave/calls/stream_query', {}],
};

/** All calls of one large trace, until the last byte; the ways to read them take turns. */
export async function measureTrees(context) {
  const { options, progress, report } = context;
  const { tree } = await callProjects(context);
  const world = await World.of(context);
  const trace = await world.startTrace();
  progress.step('a large trace');
  const samples = new Map(Object.keys(READS).map((name) => [name, []]));
  for (let time = 0; time < (options.quick ? 3 : 9); time++)
    for (const [name, [path, body]] of Object.entries(READS)) {
      const begin = performance.now();
      const response = await fetch(`http://127.0.0.1:${trace.port}${path}`, {
        method: 'POST',
        headers: { authorization: world.authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ project_id: tree.id, filter: { trace_ids: ['tree'] }, ...body }),
      });
      const lines = (await response.text()).split('\n').length - 1;
      if (lines !== tree.calls) throw new Error(`the trace has ${lines} calls instead of ${tree.calls}`);
      samples.get(name).push(performance.now() - begin);
    }
  const [narrow, whole, bySdk] = [...samples.values()].map(median);
  const measure = (name) => `a trace of ${tree.calls.toLocaleString('en-US')} calls, ${name}`;
  const [narrowName, wholeName, sdkName] = Object.keys(READS).map(measure);
  report.add({
    ...{ measure: narrowName, value: narrow, unit: 'ms' },
    ...{ target: `<= ${MAX_MS} ms`, isMet: narrow <= MAX_MS },
  });
  report.add({ measure: wholeName, value: whole, unit: 'ms' });
  report.add({ measure: sdkName, value: bySdk, unit: 'ms', peer: whole, peerName: 'canonical' });
  await trace.stop();
}
