import { planOf, rowsRead, type Statement, statementsOf } from '@hone/testing';

import { PROJECT } from '../testing/judged-project.fixture.js';
import { ComparedRunsRepository } from './compared-runs.repository.js';
import { Comparisons } from './comparisons.fixture.js';

const CALLS = 10;
const OTHERS = 20_000;
const MINUTES_MS = 300_000;

describe(`plans of a comparison of ${2 * CALLS} calls, amid feedback on ${OTHERS} others`, () => {
  const comparisons = new Comparisons();
  let sets: { name: string; filter: object }[];
  beforeAll(async () => {
    await comparisons.start();
    await comparisons.reset();
    const { app, runs } = comparisons;
    const [olds, news] = [await callsOf('old'), await callsOf('new')];
    sets = [olds, news].map((call_ids, at) => ({ name: `set ${at}`, filter: { call_ids } }));
    for (const id of [...olds, ...news]) await runs.project.addVerdict('helpful:v1', id, { rating: 1 });
    await app.sql(
      `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, payload_json, scorer_tags,
         scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences)
       SELECT p.id, 'f' || n, now(), $1, 'human.helpful', $2 || n, '{"value": 3}', '{}', '{}', '{}', '{}', '{}', '{}'
       FROM (SELECT project_id AS id FROM feedback LIMIT 1) p, generate_series(1, ${OTHERS}) n`,
      [app.writer.id, `${PROJECT}/call/other-`],
    );
    await app.sql('VACUUM ANALYZE calls, feedback');
  }, MINUTES_MS);
  afterAll(() => comparisons.app.close());

  const callsOf = (user: string) =>
    comparisons.runs.project.addCalls(
      ...Array.from({ length: CALLS }, (_none, row) => ({ user, inputs: { messages: [`Question ${row}?`] } })),
    );

  it('reads what was said about these calls alone', async () => {
    const truth = [{ metric: 'scores.helpful.rating', feedback_type: 'human.helpful' }];
    const sent = await statementsOf(async () => {
      const { status, json } = await comparisons.ask({ calls: sets, truth });
      expect([status, json()]).toEqual([200, expect.any(Object)]);
    });
    const reads = sent.filter(({ text }) => text.includes('feedback f'));
    expect(reads).toHaveLength(2);
    for (const statement of reads) {
      const plan = await planOf(comparisons.app.sql, statement);
      expect(rowsRead(plan.filter((node) => node['Relation Name'] === 'feedback'))).toBeLessThanOrEqual(2 * CALLS);
    }
  });

  it('tells by what was said about a run alone whether it has changed', async () => {
    const { app, runs } = comparisons;
    const run = await runs.ofServer(Array.from({ length: CALLS }, (_none, row) => ({ inputs: row, scores: { s: 1 } })));
    const project = { id: PROJECT, rowId: runs.project.rowId };
    const repository = app.app.get(ComparedRunsRepository);
    const sent = await statementsOf(() => repository.stateOf(project, [run], 'human.helpful'));
    expect(sent).toHaveLength(1);
    const plan = await planOf(app.sql, sent[0] as Statement);
    expect(rowsRead(plan.filter((node) => node['Relation Name'] === 'feedback'))).toBeLessThanOrEqual(2 * CALLS);
  });
});
