import { momentsOf, weightedMean } from '@hone/statistics';

import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { CONTAINS, repeat, TRUTH } from '../truth/reports.fixture.js';
import { DrawnProject, PATH } from './label-queues.fixture.js';

describe('POST /evaluation/label-queues', () => {
  const drawn = new DrawnProject();
  const { add, addCalls, addRated, addRate, askQueue, draw, drawsOf, itemsOf, label, reportHelpful } = drawn;
  beforeAll(() => drawn.start());
  afterAll(() => drawn.app.close());
  beforeEach(() => drawn.reset());

  /** Ratings of which a quarter is in the middle of the scale. */
  const ratings = (count: number) => Array.from({ length: count }, (_none, at) => [5, 1, 5, 3][at % 4] as number);

  it('fills an annotation queue with calls that the judge is unsure of, and records the chance of each call', async () => {
    const calls = await addRated(ratings(400));
    const queue = await draw({ size: 60 });
    expect(queue).toMatchObject({
      ...{ scorer: `hone:///${PROJECT}/object/${drawn.helpful}`, criterion: 'helpful', seed: 1, uncertainty: 'scale' },
      ...{ calls: 400, known: 0, strata: [], items: queue.drawn },
    });
    const rows = await drawsOf(queue);
    expect(rows.map((row) => row.call_id)).toEqual(calls);
    const [sure, unsure] = [rows[0]!.chance, rows[3]!.chance];
    expect(rows.map(({ chance }) => chance)).toEqual(ratings(400).map((rating) => (rating === 3 ? unsure : sure)));
    // Half of what an equal draw has; the rest is for those that it is unsure of.
    expect(sure).toBeCloseTo(60 / 400 / 2, 12);
    expect(queue.least_chance).toBe(sure);
    expect(300 * sure + 100 * unsure).toBeCloseTo(60, 9);
    const ids = rows.filter((row) => row.is_drawn).map((row) => row.call_id);
    expect(ids).toHaveLength(queue.drawn);
    expect(Math.abs(queue.drawn - 60)).toBeLessThan(25);
    const items = await itemsOf(queue);
    expect([...items].sort()).toEqual(ids);
    expect(items).not.toEqual(ids);
    const [stored] = await drawn.app.sql(
      'SELECT name, scorer_refs, reviewers_per_item, created_by FROM annotation_queues WHERE id = $1',
      [queue.queue_id],
    );
    expect(stored).toMatchObject({
      ...{ name: 'Labels of helpful: helpful', reviewers_per_item: 1, created_by: drawn.app.writer.id },
      scorer_refs: [expect.stringMatching(new RegExp(`^${PROJECT}/object/quality:`))],
    });
  });

  it('follows the spread of votes where there are several, and draws alike where neither is', async () => {
    await addRated(repeat([3, 40]), [...repeat([0, 30]), ...repeat([1, 10])]);
    const queue = await draw({ size: 10 });
    expect(queue.uncertainty).toBe('votes');
    const rows = await drawsOf(queue);
    expect(rows[39]!.chance).toBeGreaterThan(3 * rows[0]!.chance);
    await drawn.reset();
    await addRate([], repeat([1, 30], [0, 10]));
    const equal = await draw({ scorer: 'cold', criterion: 'passed', size: 10 });
    expect(equal).toMatchObject({ uncertainty: 'equal', least_chance: 0.25 });
    expect((await drawsOf(equal)).every(({ chance }) => chance === 0.25)).toBe(true);
  });

  it('draws the same with one seed, and something else with another', async () => {
    await addRated(ratings(200));
    const [first, again, other] = [
      await draw({ size: 40 }),
      await draw({ size: 40 }),
      await draw({ size: 40, seed: 2 }),
    ];
    const ids = (of: typeof first) =>
      drawsOf(of).then((rows) => rows.filter((row) => row.is_drawn).map((row) => row.call_id));
    expect(await ids(again)).toEqual(await ids(first));
    expect(await ids(other)).not.toEqual(await ids(first));
    expect((await draw({ size: 1, seed: null })).seed).toEqual(expect.any(Number));
  });

  it('gives each stratum as many labels, as far as it has calls', async () => {
    const calls = await drawn.project.addCalls(
      ...Array.from({ length: 300 }, (_none, at) => ({
        inputs: { plan: at < 10 ? 'gold' : at < 100 ? 'pro' : 'free' },
      })),
    );
    await add(...calls.map((call) => drawn.ofJudge(call, { helpful: 4 })));
    const queue = await draw({ size: 70, strata: 'inputs.plan' });
    expect(queue.strata.map(({ value, calls: count }) => [value, count])).toEqual([
      ['free', 200],
      ['pro', 90],
      ['gold', 10],
    ]);
    expect(queue.strata[2]?.drawn).toBe(10);
    const rows = await drawsOf(queue);
    const chanceOf = (at: number) => rows.find((row) => row.call_id === calls[at])?.chance;
    expect([chanceOf(0), chanceOf(10), chanceOf(299)]).toEqual([
      1,
      expect.closeTo(30 / 90, 9),
      expect.closeTo(30 / 200, 9),
    ]);
    const { status, json } = await askQueue({ size: 10, strata: 'nothing.plan' });
    expect([status, json().detail[0].loc]).toEqual([422, ['body', 'strata']]);
  });

  it('draws from the calls that are meant, the newest first, and from judged ones alone', async () => {
    const calls = await addRated(ratings(30));
    await addCalls(5);
    const queue = await draw({ size: 5, limit: 20 });
    expect((await drawsOf(queue)).map((row) => row.call_id)).toEqual(calls.slice(10));
    const named = await draw({ size: 5, call_ids: [calls[0], calls[1], 'nowhere'] });
    expect(await drawsOf(named)).toEqual([
      { call_id: calls[0], chance: 1, is_drawn: true, is_known: false },
      { call_id: calls[1], chance: 1, is_drawn: true, is_known: false },
    ]);
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: calls[7] }] } };
    expect(await draw({ size: 5, query })).toMatchObject({ calls: 1, drawn: 1 });
  });

  it('draws as many as a width needs', async () => {
    await addRated(ratings(500));
    const body = { project_id: PROJECT, scorer: 'helpful', criterion: 'helpful', truth: TRUTH, width: 0.4 };
    const plan = (await drawn.app.as(drawn.app.writer).post('/evaluation/label-plans', body)).json();
    const queue = await draw({ width: 0.4 });
    const sum = (await drawsOf(queue)).reduce((total, { chance }) => total + chance, 0);
    expect(sum).toBeCloseTo(plan.with_judge, 6);
    await add(...(await itemsOf(queue)).map((call, at) => label(call, 1 + (at % 5))));
    const code = async (width: number) => {
      const { status, json } = await askQueue({ width });
      return [status, json().code];
    };
    expect(await code(0.001)).toEqual([422, 'label_queue.width_out_of_reach']);
    expect(await code(2)).toEqual([422, 'label_queue.nothing_to_draw']);
  });

  it('draws what a width lacks of the calls without a label, though others have a chance as well', async () => {
    const calls = await addRated(ratings(500));
    const first = await itemsOf(await draw({ size: 15, seed: 3 }));
    const labelled = first.slice(0, 15);
    await add(...labelled.map((call, at) => label(call, 1 + (at % 5))));
    const body = { project_id: PROJECT, scorer: 'helpful', criterion: 'helpful', truth: TRUTH, width: 0.4 };
    const plan = (await drawn.app.as(drawn.app.writer).post('/evaluation/label-plans', body)).json();
    expect(plan.basis).toBe('worst_case');
    const rows = await drawsOf(await draw({ width: 0.4 }));
    expect(rows.map((row) => row.call_id)).toEqual(calls);
    const sumOf = (some: typeof rows) => some.reduce((total, { chance }) => total + chance, 0);
    const isLabelled = ({ call_id }: (typeof rows)[0]) => labelled.includes(call_id);
    expect(sumOf(rows.filter((row) => !isLabelled(row)))).toBeCloseTo(plan.with_judge - labelled.length, 5);
    expect(sumOf(rows.filter(isLabelled))).toBeGreaterThan(1);
  });

  describe('and reports', () => {
    it('weigh its labels by their chances', async () => {
      const calls = await addRated(ratings(400));
      const queue = await draw({ size: 120 });
      const labels = new Map((await itemsOf(queue)).map((call, at) => [call, 1 + (at % 5)]));
      await add(...[...labels].map(([call, value]) => label(call, value)));
      const rows = await drawsOf(queue);
      const rated = new Map(calls.map((call, at) => [call, ratings(400)[at] as number]));
      const used = rows.filter((row) => row.is_drawn);
      const expected = weightedMean(
        {
          human: used.map((row) => labels.get(row.call_id) as number),
          judge: used.map((row) => rated.get(row.call_id) as number),
          chances: used.map((row) => row.chance),
        },
        momentsOf(rows.filter((row) => !row.is_drawn).map((row) => rated.get(row.call_id) as number)),
      );
      const found = await reportHelpful();
      expect(found).toMatchObject({
        ...{ method: 'active-inference t', label_source: 'drawn', labels: queue.drawn, calls: 400, check: null },
        ...{ labels_left_out: 0, calls_without_chance: 0, judge_only: false },
      });
      expect(found.estimate).toBeCloseTo(expected.estimate, 9);
      expect(found.low).toBeCloseTo(expected.low, 9);
      expect(found.high).toBeCloseTo(expected.high, 9);
      expect(found.lambda).toBeCloseTo(expected.lambda as number, 9);
    });

    it('are wider while the queue is half done', async () => {
      await addRated(ratings(400));
      const queue = await draw({ size: 120 });
      const items = await itemsOf(queue);
      const labelOf = (call: string, at: number) => label(call, 1 + (at % 5));
      await add(...items.slice(0, 60).map(labelOf));
      const half = await reportHelpful();
      expect(half).toMatchObject({ label_source: 'drawn', labels: 60, calls: 400 });
      await add(...items.slice(60).map(labelOf));
      const whole = await reportHelpful();
      const width = ({ low, high }: typeof whole) => (high as number) - (low as number);
      expect(width(half)).toBeGreaterThan(1.2 * width(whole));
    });

    it('know labels that were there before, and leave out those that came later elsewhere and calls without a chance', async () => {
      const calls = await addRated(ratings(200));
      await add(...calls.slice(0, 8).map((call) => label(call, 5)));
      const queue = await draw({ size: 50 });
      expect(queue).toMatchObject({ calls: 200, known: 8 });
      expect((await drawsOf(queue)).slice(0, 8)).toEqual(
        calls.slice(0, 8).map((call_id) => ({ call_id, chance: 1, is_drawn: true, is_known: true })),
      );
      const items = await itemsOf(queue);
      expect(items.filter((call) => calls.indexOf(call) < 8)).toEqual([]);
      await add(...items.map((call) => label(call, 4)));
      const outside = calls
        .slice(8)
        .filter((call) => !items.includes(call))
        .slice(0, 7);
      await add(...outside.map((call) => label(call, 1)));
      const [late] = await addRated([1]);
      await add(label(late as string, 1));
      expect(await reportHelpful()).toMatchObject({
        ...{ label_source: 'drawn', labels: items.length + 8, calls: 200, labels_left_out: 8, calls_without_chance: 1 },
      });
      // The others, as if they had been drawn alike.
      expect(await reportHelpful({ label_source: 'given' })).toMatchObject({
        ...{ label_source: 'given', labels: 16, calls: 201, labels_left_out: items.length, calls_without_chance: 0 },
        ...{ judge_only: true, method: 'uncorrected' },
      });
    });

    it('wait for 20 drawn labels', async () => {
      const calls = await addRated(ratings(100));
      await add(...calls.slice(0, 30).map((call, at) => label(call, 1 + (at % 5))));
      const queue = await draw({ size: 40 });
      await add(...(await itemsOf(queue)).slice(0, 19).map((call) => label(call, 4)));
      expect(await reportHelpful()).toMatchObject({
        label_source: 'given',
        labels: 30,
        labels_left_out: 19,
        method: 'ppi++ t',
      });
      expect(await reportHelpful({ label_source: 'drawn' })).toMatchObject({
        ...{ label_source: 'drawn', labels: 19, labels_left_out: 30, judge_only: true },
      });
    });

    it('take the newest of two labels of a call, by whomever', async () => {
      await addRated(ratings(60));
      const queue = await draw({ size: 60 });
      const [call, ...others] = await itemsOf(queue);
      await add(...others.map((other) => label(other, 3)), label(call as string, 1), label(call as string, 5));
      const annotator = await drawn.app.user('anna', { roles: { acme: 'annotator' } });
      await drawn.app.sql(`UPDATE feedback SET svc_user_id = $1 WHERE payload_json->>'value' = '5'`, [annotator.id]);
      const found = await reportHelpful();
      expect(found).toMatchObject({ labels: 60, calls: 60 });
      expect(found.estimate).toBeCloseTo((59 * 3 + 5) / 60, 9);
    });

    it('take one chance of a call that two queues could draw', async () => {
      const calls = await addRated(repeat([4, 400]));
      const [first, second] = [await draw({ size: 100 }), await draw({ size: 200, seed: 2 })];
      const [one, two] = [await itemsOf(first), await itemsOf(second)];
      expect(one.filter((call) => two.includes(call)).length).toBeGreaterThan(0);
      const all = [...new Set([...one, ...two])];
      // People rate what is drawn by the parity of its number: half of them 5, the others 1.
      await add(...all.map((call) => label(call, calls.indexOf(call) % 2 === 0 ? 5 : 1)));
      const found = await reportHelpful();
      expect(found).toMatchObject({ label_source: 'drawn', labels: all.length, calls: 400, calls_without_chance: 0 });
      // All have the chance 1 − (3/4)(1/2), so that the mean is that of the labels.
      expect(found.estimate).toBeCloseTo(
        all.reduce((sum, call) => sum + (calls.indexOf(call) % 2 === 0 ? 5 : 1), 0) / all.length,
        9,
      );
      // A queue of calls that are labelled already asks nobody again.
      expect(await draw({ size: 400, seed: 3 })).toMatchObject({ drawn: 400, known: 0, items: 400 - all.length });
    });

    it('lose nothing with a queue that is deleted, nor with calls that are', async () => {
      const calls = await addRated(ratings(200));
      const queue = await draw({ size: 80 });
      const items = await itemsOf(queue);
      await add(...items.map((call) => label(call, 4)));
      await drawn.app.sql('UPDATE annotation_queues SET deleted_at = now() WHERE id = $1', [queue.queue_id]);
      expect(await reportHelpful()).toMatchObject({ label_source: 'drawn', labels: items.length, calls: 200 });
      await drawn.app.sql('UPDATE calls SET deleted_at = now() WHERE id = ANY($1)', [items.slice(0, 10)]);
      expect(await reportHelpful()).toMatchObject({ labels: items.length - 10, calls: 190 });
      // Erased content takes its draws along.
      await drawn.app.sql('DELETE FROM call_values WHERE id = ANY($1)', [calls.slice(0, 50)]);
      expect((await drawsOf(queue)).map((row) => row.call_id)).toEqual(calls.slice(50));
      await drawn.app.sql('UPDATE calls SET deleted_at = now()');
      expect(await reportHelpful()).toMatchObject({ label_source: 'given', labels: 0, calls: 0, estimate: null });
    });
  });

  it.each([
    ['neither size nor width', {}, 'size'],
    ['both', { size: 10, width: 0.1 }, 'size'],
    ['a size of nothing', { size: 0 }, 'size'],
    ['a size beyond the limit', { size: 5_001 }, 'size'],
    ['a width of nothing', { width: 0 }, 'width'],
    ['a width of strata', { width: 0.4, strata: 'inputs.plan' }, 'strata'],
    ['a seed that is no integer', { size: 1, seed: 0.5 }, 'seed'],
    ['no truth', { size: 1, truth: null }, 'truth'],
    ['labels that are no annotations', { size: 1, truth: { feedback_type: 'review' } }, 'truth'],
    ['an annotation field that is not there', { size: 1, truth: { feedback_type: 'hone.annotation.other' } }, 'truth'],
    ['an object that is no annotation field', { size: 1, truth: { feedback_type: 'hone.annotation.cold' } }, 'truth'],
    ['a criterion that the scorer does not find', { size: 1, criterion: 'other' }, 'criterion'],
    ['a condition on nothing', { size: 1, query: { $expr: { $eq: [{ $getField: 'x' }, { $literal: 1 }] } } }, 'query'],
  ])('refuses %s, and stores nothing', async (_what, body, field) => {
    await addRated([1, 2, 3]);
    const { status, json } = await askQueue(body);
    expect([status, json().detail[0].loc[1]]).toEqual([422, field]);
    expect(await drawn.app.sql('SELECT FROM annotation_queues')).toEqual([]);
  });

  it('says where there is nothing to draw', async () => {
    const code = async () => (await askQueue({ size: 5 })).json().code;
    expect(await code()).toBe('label_queue.nothing_to_draw');
    const calls = await addRated([1, 2, 3]);
    await add(...calls.map((call) => label(call, 3)));
    expect(await code()).toBe('label_queue.nothing_to_draw');
    expect((await askQueue({ size: 5, scorer: 'unknown' })).json().code).toBe('scorer.not_found');
  });

  it('draws once where the request is sent again', async () => {
    await addRated(ratings(20));
    const body = { project_id: PROJECT, scorer: 'helpful', criterion: 'helpful', truth: TRUTH, size: 5 };
    const post = () => drawn.app.as(drawn.app.writer).post(PATH, body, { headers: { 'idempotency-key': 'once' } });
    const [first, second] = [(await post()).json(), (await post()).json()];
    expect(second).toEqual(first);
    expect(await drawn.app.sql('SELECT FROM label_queues')).toHaveLength(1);
  });

  it('is for writers of the project, and draws nothing of others', async () => {
    await addRated(ratings(20));
    const ask = async (who: Parameters<typeof askQueue>[1], body: object = {}) =>
      (await askQueue({ size: 5, ...body }, who)).status;
    expect(await ask(await drawn.app.user('rita', { roles: { acme: 'reader' } }))).toBe(403);
    expect(await ask(await drawn.app.user('stranger', { roles: { globex: 'owner' } }))).toBe(403);
    const other = await JudgedProject.of(drawn.app, 'acme/other');
    await other.addScorer('helpful', CONTAINS);
    const bound = await drawn.app.user('bound', { roles: { acme: 'owner' }, onlyProject: 'acme/other' });
    expect(await ask(bound)).toBe(403);
    // Neither the field nor the calls of another project are found.
    const inOther = { project_id: 'acme/other', criterion: 'passed' };
    const refused = await askQueue({ size: 5, ...inOther }, bound);
    expect([refused.status, refused.json().detail[0].loc]).toEqual([422, ['body', 'truth', 'feedback_type']]);
    await other.addField('quality');
    expect((await askQueue({ size: 5, ...inOther }, bound)).json().code).toBe('label_queue.nothing_to_draw');
  });
});
