import { HttpConnection, toRequest } from '../harness/http-connection.mjs';
import { median } from '../harness/statistics.mjs';
import { World } from '../trace/world.mjs';
import { callProjects } from './call-world.mjs';

const LIMIT = 100;
const MAX_GROWTH = 1.5;
const WARM_UP = 20;

const OP = 'hone:///bench/calls/op/step-3:v0';
const NEWEST = [{ field: 'started_at', direction: 'desc' }];
const COLUMNS = ['op_name', 'display_name', 'started_at', 'ended_at', 'trace_id', 'summary.hone.status'];

/** Ways to read a page, as a request says them. */
const PAGES = {
  'newest first': { sort_by: NEWEST, columns: COLUMNS },
  'newest first, whole calls': { sort_by: NEWEST },
  'newest of one op': { sort_by: NEWEST, columns: COLUMNS, filter: { op_names: [OP] } },
  'newest of one op that meet a JSON path': {
    ...{ sort_by: NEWEST, columns: COLUMNS, filter: { op_names: [OP] } },
    query: { $expr: { $gte: [{ $getField: 'inputs.n' }, { $literal: 500 }] } },
  },
};

/** `POST /calls/stream_query`, a page of 100: a hundred times the calls must not cost more. */
export async function measurePages(context) {
  const { options, progress, report } = context;
  const { small, large } = await callProjects(context);
  const world = await World.of(context);
  const trace = await world.startTrace();
  const connection = await HttpConnection.open(trace.port);
  const times = options.quick ? 60 : 200;
  progress.step('pages of calls');
  for (const [name, body] of Object.entries(PAGES)) {
    const samples = { small: [], large: [] };
    for (let time = 0; time < times; time++) {
      for (const [side, project] of Object.entries({ small, large })) {
        const request = toRequest('/calls/stream_query', world.authorization, {
          ...{ project_id: project.id, limit: LIMIT },
          ...body,
        });
        const begin = performance.now();
        assertFull(await connection.send(request));
        if (time >= WARM_UP) samples[side].push(performance.now() - begin);
      }
    }
    const [value, peer] = [median(samples.large), median(samples.small)];
    report.add({
      measure: `page of calls, ${name}, ${large.calls.toLocaleString('en-US')} calls`,
      value,
      unit: 'ms',
      peer,
      peerName: `at ${small.calls.toLocaleString('en-US')}`,
      target: `ratio <= ${MAX_GROWTH}`,
      isMet: value / peer <= MAX_GROWTH,
    });
  }
  connection.close();
  await trace.stop();
}

function assertFull(body) {
  const found = body.toString('latin1').split('\n').length - 1;
  if (found !== LIMIT) throw new Error(`a page has ${found} calls instead of ${LIMIT}`);
}
