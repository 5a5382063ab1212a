import { newId } from '@hone/database';

import { EvaluationRuns } from '../testing/evaluation-runs.fixture.js';
import { Gates, METRIC, PATH, QUALITY } from './gates.fixture.js';

const OTHER = 'acme/other';
const times = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_none, n) => of(n));
const SETS = [{ name: 'old' }, { name: 'new' }];
const TRUE = { $literal: true };

describe('POST /evaluation/gates refuses', () => {
  const gates = new Gates();
  let runs: [string, string];
  beforeAll(() => gates.start());
  beforeEach(async () => {
    await gates.reset();
    runs = await gates.pair(2, () => ({ scores: { exact: true } }));
  });
  afterAll(() => gates.app.close());

  /** Status, and where the first issue is, or the code. */
  const refusal = async (body: object): Promise<unknown[]> => {
    const { status, json } = await gates.ask(body);
    const { detail, code } = json() as { detail: { loc: unknown[] }[] | string; code?: string };
    return typeof detail === 'string' ? [status, code] : [status, ...(detail[0]?.loc ?? []).slice(1)];
  };

  it('what is not one baseline and one candidate', async () => {
    const [a, b] = runs;
    for (const [body, ...loc] of [
      [{}, 'runs'],
      [{ runs: null, calls: null }, 'runs'],
      [{ runs: [a] }, 'runs'],
      [{ runs: [a, b, newId()] }, 'runs'],
      [{ runs: [a, a] }, 'runs', 1],
      [{ runs: 'a' }, 'runs'],
      [{ runs, calls: SETS }, 'calls'],
      [{ calls: SETS.slice(1) }, 'calls'],
      [{ calls: [...SETS, { name: 'third' }] }, 'calls'],
      [{ calls: [SETS[0], SETS[0]] }, 'calls', 1, 'name'],
    ] as [object, ...unknown[]][])
      expect([body, ...(await refusal({ metric: METRIC, ...body }))]).toEqual([body, 422, ...loc]);
  });

  it('settings out of their range', async () => {
    for (const [field, value, ...loc] of [
      ['metric', 'exact'],
      ['metric', ''],
      ['metric', 'latency_ms'],
      ['metric', 'scores.'],
      ['metric', null],
      ['metric', `scores.${'x'.repeat(1_024)}`],
      ['scale', [1, 0]],
      ['scale', [1, 1]],
      ['scale', [0]],
      ['scale', [0, 1, 2]],
      ['scale', [0, 1e13], 1],
      ['scale', [0, 'NaN'], 1],
      ['label_share', 0.05],
      ['label_share', 1.1],
      ['min_gain', -0.1],
      ['min_gain', 'NaN'],
      ['min_gain', 1.5],
      ['alpha', 0],
      ['alpha', 0.5],
      ['look_every', 9],
      ['look_every', 10.5],
      ['max_pairs', 49],
      ['max_pairs', 5_001],
      ['trials', 0],
      ['trials', 21],
      ['slice_margin', 2],
      ['guards', []],
      ['guards', { speed: 1 }, 'speed'],
      ['guards', { length: -1 }, 'length'],
      ['guards', { length: 'NaN' }, 'length'],
      ['guards', { 'scores.': 1 }, 'scores.'],
      ['guards', Object.fromEntries(times(21, (n) => [`scores.s${n}`, 1]))],
      ['without_guards', times(21, String)],
      ['without_guards', ['bulets'], 0],
      [
        'slices',
        [
          { expression: TRUE, name: 'a' },
          { expression: TRUE, name: 'a' },
        ],
        1,
        'name',
      ],
      ['slices', [{ expression: TRUE, name: 'length' }], 0, 'name'],
      ['slices', [{ expression: { $getField: 'output' } }], 0],
      ['slices', times(21, (n) => ({ expression: TRUE, name: `s${n}` }))],
      ['reward', {}, 'metric'],
      ['reward', { metric: 'latency_ms' }, 'metric'],
      ['reward', { metric: METRIC, max_gap: 2 }, 'max_gap'],
      ['truth', {}, 'feedback_type'],
      ['name', ''],
      ['name', 'x'.repeat(129)],
      ['verdict', 'promote'],
    ] as [string, unknown, ...unknown[]][]) {
      const [status, ...where] = await refusal({ runs, metric: METRIC, [field]: value });
      expect([field, value, status, ...where.slice(0, 1 + loc.length)]).toEqual([field, value, 422, field, ...loc]);
    }
    expect(await gates.app.db.client.gate.count()).toBe(0);
  });

  it('labels of a fact, which would ask people for nothing', async () => {
    await gates.runs.project.addField('quality');
    const truth = { feedback_type: QUALITY };
    expect(await refusal({ runs, metric: METRIC, truth, fact: true })).toEqual([422, 'truth']);
    await gates.create({ runs, metric: METRIC, truth, fact: false });
    expect(await gates.app.db.client.annotationQueue.count()).toBe(1);
  });

  it('runs that there are not, and those of other projects', async () => {
    const other = await EvaluationRuns.of(gates.app, OTHER);
    const foreign = await other.ofServer([{ inputs: { n: 1 }, scores: { exact: 1 } }]);
    for (const run of [newId(), foreign, `hone:///${OTHER}/call/${foreign}`])
      expect(await refusal({ runs: [runs[0], run], metric: METRIC })).toEqual([404, 'comparison.run_not_found']);
  });

  it('more open gates than a project may have, and pages through those that there are', async () => {
    const { id } = await gates.create({ runs, metric: METRIC, fact: true });
    await gates.app.sql(
      `INSERT INTO gates (project_id, id, name, settings, status, key_id, created_by)
       SELECT project_id, gen_random_uuid(), name, settings, 'open', key_id, created_by FROM gates, generate_series(1, 49)`,
    );
    expect(await refusal({ runs, metric: METRIC })).toEqual([409, 'gate.too_many']);
    const writer = gates.app.as(gates.app.writer);
    await writer.post(`${PATH}/${id}/cancel`, {});
    await gates.create({ runs, metric: METRIC });
    const first = (await writer.get(`${PATH}?project_id=acme/judged`)).json();
    const next = (await writer.get(`${PATH}?project_id=acme/judged&cursor=${first.next_cursor}`)).json();
    expect([first.gates.length, next.gates.length, next.next_cursor]).toEqual([50, 1, null]);
  });
});
