import { planRuns, type PlanSources } from './run-plan.js';

const EVALUATION = 'hone:///acme/demo/object/eval:v0';
const DATASET = 'hone:///acme/demo/object/rows:v0';
const TABLE = 'hone:///acme/demo/table/abc';
const STORED: Record<string, object> = {
  [EVALUATION]: { dataset: DATASET, trials: 3 },
  [DATASET]: { rows: TABLE },
};
const UNKNOWN = { trials: null, table: null };

describe('planRuns', () => {
  const sources = (stored: Record<string, object> = STORED, projects = ['acme/demo']) => {
    const asked: string[] = [];
    const valueOf = (ref: string) => {
      asked.push(ref);
      return Promise.resolve(ref in stored ? JSON.stringify(stored[ref]) : null);
    };
    const projectOf = (id: string) => Promise.resolve(projects.includes(id) ? `row of ${id}` : null);
    return { asked, valueOf, projectOf } satisfies PlanSources & { asked: string[] };
  };
  const run = (id: string, self: unknown = EVALUATION, attributes: object = {}) => ({
    ...{ id, inputs: JSON.stringify({ self }), attributes: JSON.stringify(attributes) },
  });

  it('knows trials and table of the evaluation that a run names, and reads each evaluation once', async () => {
    const from = sources();
    const table = { projectRowId: 'row of acme/demo', digest: 'abc' };
    expect(await planRuns(['a', 'b'], [run('b'), run('a')], from)).toEqual([
      { id: 'a', trials: 3, table },
      { id: 'b', trials: 3, table },
    ]);
    expect(from.asked).toEqual([EVALUATION, DATASET]);
  });

  it('knows nothing of runs that are not there, name nothing, or are of a logger', async () => {
    const logged = { _weave_eval_meta: { imperative: true } };
    const calls = [run('odd', 7), run('text', 'eval'), run('logged', EVALUATION, logged), { id: 'bare' }];
    const ids = ['gone', 'odd', 'text', 'logged', 'bare'];
    expect(await planRuns(ids, calls, sources())).toEqual(ids.map((id) => ({ id, ...UNKNOWN })));
  });

  it('counts one trial where the evaluation says none that could be', async () => {
    for (const [trials, expected] of [
      [undefined, 1],
      ['3', 1],
      [0, 1],
      [1.5, 1],
      [1e12, 2_147_483_647],
    ] as const)
      expect(await planRuns(['a'], [run('a')], sources({ [EVALUATION]: { trials } }))).toEqual([
        { id: 'a', trials: expected, table: null },
      ]);
  });

  it('knows no table of a project that the caller may not read', async () => {
    expect(await planRuns(['a'], [run('a')], sources(STORED, []))).toEqual([{ id: 'a', trials: 3, table: null }]);
  });
});
