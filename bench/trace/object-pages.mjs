import { HttpConnection, toRequest } from '../harness/http-connection.mjs';
import { median } from '../harness/statistics.mjs';
import { describe, objectProjects } from './object-world.mjs';
import { checkMetadataPlan } from './page-plan.mjs';
import { bareQuery, ORDERS } from './page-queries.mjs';
import { World } from './world.mjs';

const LIMIT = 100;
const MAX_GROWTH = 1.5;
/** Rounds over all calls of one kind of page: at least, before they count, and how long they may take. */
const MIN_TIMES = 7;
const WARM_UP = 20;
const BUDGET_MS = 10_000;

/** `POST /objs/query`, latest versions, one page of 100: a hundred times the versions must not cost more. */
export async function measurePages(context) {
  const { options, progress, report } = context;
  const projects = await objectProjects(context);
  const world = await World.of(context);
  const [client] = await world.connect(1);
  const trace = await world.startTrace();
  const connection = await HttpConnection.open(trace.port);
  const times = options.quick ? 60 : 200;

  progress.step('pages of objects');
  for (const metadataOnly of [true, false]) {
    for (const [order, { sortBy }] of Object.entries(ORDERS)) {
      const pageOf = (project) => {
        const body = {
          project_id: project.id,
          filter: { latest_only: true },
          limit: LIMIT,
          metadata_only: metadataOnly,
          ...(sortBy && { sort_by: sortBy }),
        };
        const request = toRequest('/objs/query', world.authorization, body);
        return async () => assertFull(await connection.send(request));
      };
      const bare = bareQuery(order, metadataOnly, LIMIT);
      const [small, deep, wide, sql] = await medianTimes(times, [
        pageOf(projects.small),
        pageOf(projects.deep),
        pageOf(projects.wide),
        () => client.query({ ...bare, values: [projects.deep.rowId] }),
      ]);
      const measure = `page of ${metadataOnly ? 'metadata' : 'values'} by ${order}`;
      for (const [value, project] of [
        [deep, projects.deep],
        [wide, projects.wide],
      ]) {
        report.add({
          measure: `${measure}, ${describe(project.shape)}`,
          value,
          unit: 'ms',
          peer: small,
          peerName: `at ${describe(projects.small.shape)}`,
          target: `ratio <= ${MAX_GROWTH}`,
          isMet: value / small <= MAX_GROWTH,
        });
      }
      report.add({
        measure: '  the same against bare SQL',
        value: deep,
        unit: 'ms',
        peer: sql,
        peerName: 'bare SELECT',
      });
    }
  }
  await checkMetadataPlan(context, client, connection, projects.large);
  connection.close();
  await trace.stop();
  await client.end();
}

/** Milliseconds per call; the calls take turns, some of each warm up first, and slow ones get fewer turns. */
async function medianTimes(times, calls) {
  const samples = calls.map(() => []);
  const deadline = performance.now() + BUDGET_MS;
  for (let time = 0; time < times && (time < MIN_TIMES || performance.now() < deadline); time++) {
    for (const [index, call] of calls.entries()) {
      const begin = performance.now();
      await call();
      samples[index].push(performance.now() - begin);
    }
  }
  return samples.map((sample) => median(sample.slice(Math.min(WARM_UP, Math.floor(sample.length / 2)))));
}

function assertFull(body) {
  const found = body.toString('latin1').split('"object_id":').length - 1;
  if (found !== LIMIT) throw new Error(`a page has ${found} objects instead of ${LIMIT}`);
}
