import { statementsOf } from '@hone/testing';

import { Gates, passes, QUALITY } from './gates.fixture.js';

const HELPFUL = 'scores.helpful.helpful';
const BODY = { metric: HELPFUL, scale: [1, 5], fact: false };
const TRUTH = { ...BODY, truth: { feedback_type: QUALITY } };
const ROWS = 300;

describe('gates by judges', () => {
  const gates = new Gates();
  beforeAll(() => gates.start());
  beforeEach(async () => {
    await gates.reset();
    await gates.runs.project.addField('quality');
  });
  afterAll(() => gates.app.close());

  /** A gate over runs whose judge gives so many of the rows 5 of 5, and the others 2. */
  const judged = async (rates: readonly [number, number], body: object, rows = ROWS) => {
    const runs = await gates.pair(rows, (row, side) => ({
      scores: { helpful: { helpful: passes(row, rates[side], rows) ? 5 : 2 } },
    }));
    return gates.create({ runs, ...body });
  };

  it('decide nothing by a judge alone, and say how many labels would', async () => {
    const gate = await gates.look((await judged([0.4, 0.8], BODY)).id);
    expect(gate).toMatchObject({ status: 'decided', verdict: 'needs_labels', reason: 'uncorrected', basis: 'judge' });
    expect(gate.label_plan?.width).toBeGreaterThanOrEqual(0.05);
    expect(gate.label_plan?.labels).toBeGreaterThan(0);
    expect(gate.queue_id).toBeNull();
    expect(gate.sentence).toContain('It needs labels');
  });

  it('promote by a judge alone where that is accepted, and say so for ever', async () => {
    const gate = await gates.look((await judged([0.4, 0.8], { ...BODY, accept_uncorrected: true })).id);
    expect(gate).toMatchObject({ verdict: 'promote', basis: 'judge', settings: { accept_uncorrected: true } });
    expect(gate.sentence).toMatch(/This is a judge’s opinion alone, which no label corrects\.$/);
  });

  it('say so of what they reject, too', async () => {
    const gate = await gates.look((await judged([0.8, 0.4], { ...BODY, accept_uncorrected: true })).id);
    expect(gate).toMatchObject({ verdict: 'reject', reason: 'no_gain' });
    expect(gate.sentence).toMatch(/This is a judge’s opinion alone, which no label corrects\.$/);
  });

  it('ask people about both answers of the pairs that were drawn, and wait for them', async () => {
    const { id, queue_id } = await judged([0.4, 0.8], TRUTH);
    expect(queue_id).toEqual(expect.any(String));
    const gate = await gates.look(id);
    expect(gate).toMatchObject({
      status: 'open',
      verdict: null,
      basis: 'corrected',
      pairs: ROWS,
      labels: 0,
      looks: [],
    });
    expect(gate.labels_asked).toBeGreaterThan(0.15 * ROWS);
    expect(gate.labels_asked).toBeLessThan(0.35 * ROWS);
    expect((await gates.asked(gate)).map((calls) => calls.length)).toEqual([gate.labels_asked, gate.labels_asked]);
    expect(gate.awaited_calls).toHaveLength(20);
    expect((await gates.look(id)).labels_asked).toBe(gate.labels_asked);
  });

  it('decide once people have judged, by what they say', async () => {
    const { id } = await judged([0.5, 0.5], TRUTH);
    const [old, candidate] = await gates.asked(await gates.look(id));
    // People see a gain where the judge sees none; of those whose answers the judge passes they pass most.
    await gates.label(old, (at) => (at % 2 ? 5 : 1));
    expect(await gates.look(id)).toMatchObject({ status: 'open', labels: 0 });
    await gates.label(candidate, () => 5);
    const gate = await gates.look(id);
    expect(gate).toMatchObject({ status: 'decided', basis: 'corrected', labels: gate.labels_asked });
    expect(gate.looks[0]?.labels).toBeGreaterThanOrEqual(50);
    expect(gate.awaited_calls).toEqual([]);
  });

  it('promote by a judge that agrees with people', async () => {
    const { id } = await judged([0.1, 0.9], TRUTH);
    const [old, candidate] = await gates.asked(await gates.look(id));
    const verdicts = await gates.app.sql<{ id: string; value: number }>(
      `SELECT c.parent_id AS id, (coalesce(v.output_json, v.output_text::jsonb) ->> 'helpful')::int AS value
       FROM calls c JOIN call_values v USING (project_id, id) WHERE c.op_name = 'Scorer.score'`,
    );
    const scores = new Map(verdicts.map(({ id: call, value }) => [call, value]));
    for (const calls of [old, candidate]) await gates.label(calls, (at) => scores.get(calls[at] as string));
    const gate = await gates.look(id);
    expect(gate).toMatchObject({ verdict: 'promote', reason: 'gain', basis: 'corrected' });
    expect(gate.sentence).toMatch(/pairs, \d+ of them judged by people, the candidate/);
  });

  it('let people alone decide where they judge all pairs', async () => {
    const { id } = await judged([0.8, 0.4], { ...TRUTH, label_share: 1 }, 60);
    const [old, candidate] = await gates.asked(await gates.look(id));
    expect(old).toHaveLength(60);
    await gates.label(old, () => 1);
    await gates.label(candidate, () => 5);
    expect(await gates.look(id)).toMatchObject({ verdict: 'promote', basis: 'people', labels: 60 });
  });

  it('do not count labels beyond the scale, say so, and take newer ones within it', async () => {
    const { id } = await judged([0.8, 0.4], { ...TRUTH, label_share: 1 }, 60);
    const [old, candidate] = await gates.asked(await gates.look(id));
    await gates.label(old, () => 1);
    await gates.label(candidate, (at) => [5, 6, 'five', 0, 5][at] ?? 5);
    const waiting = await gates.look(id);
    expect(waiting).toMatchObject({ status: 'open', labels: 57, left_out: { labels_off_scale: 3 } });
    expect(waiting.sentence).toContain('Labels that are no number of the scale do not count: 3;');
    for (const at of [1, 2, 3]) expect(waiting.awaited_calls).toContain(candidate[at]);
    await gates.label(candidate.slice(1, 4), () => 5);
    const gate = await gates.look(id);
    expect(gate).toMatchObject({ verdict: 'promote', basis: 'people', labels: 60, left_out: { labels_off_scale: 0 } });
  });

  it('read nothing again while nothing has changed', async () => {
    const { id } = await judged([0.8, 0.4], { ...TRUTH, label_share: 1 }, 60);
    const asked = await gates.asked(await gates.look(id));
    const statementsOfLook = async () => (await statementsOf(() => gates.look(id))).length;
    const idle = await statementsOfLook();
    expect(await statementsOfLook()).toBe(idle);
    const [[first], candidate] = asked as [[string], string[]];
    await gates.label([first], () => 1);
    expect(await statementsOfLook()).toBeGreaterThan(2 * idle);
    expect(await statementsOfLook()).toBe(idle);
    // Of each kind of what is read: a label that is gone, a prediction, and a run.
    for (const change of [
      `DELETE FROM feedback WHERE feedback_type = '${QUALITY}'`,
      `UPDATE calls SET deleted_at = now() WHERE id = '${candidate[0]}'`,
      `UPDATE calls SET deleted_at = now() WHERE parent_id = '${candidate[1]}'`,
      `UPDATE calls SET display_name = 'The old one' WHERE id = (SELECT parent_id FROM calls WHERE id = '${first}')`,
    ]) {
      await gates.app.sql(change);
      expect({ change, isRead: (await statementsOfLook()) > 2 * idle }).toEqual({ change, isRead: true });
      expect(await statementsOfLook()).toBe(idle);
    }
  });

  it('decide nothing by a judge that agrees too little with people', async () => {
    const { id } = await judged([1, 1], TRUTH);
    const [old, candidate] = await gates.asked(await gates.look(id));
    await gates.label(old, () => 1);
    await gates.label(candidate, () => 5);
    const gate = await gates.look(id);
    expect(gate).toMatchObject({ verdict: 'needs_labels', reason: 'advisory', basis: 'corrected' });
    expect(gate.label_plan?.labels).toBeGreaterThan(0);
  });

  it('do not wait for labels of answers that failed', async () => {
    const runs = await gates.pair(60, (row, side) =>
      side === 1 && row % 2 === 0 ? { exception: 'timed out' } : { scores: { helpful: { helpful: 5 } } },
    );
    const { id } = await gates.create({ runs, ...TRUTH, label_share: 1, without_guards: ['failed'] });
    const waiting = await gates.look(id);
    expect(waiting.awaited_calls).not.toContain(null);
    const [old, candidate] = await gates.asked(waiting);
    expect(old).toHaveLength(60);
    expect(candidate).toHaveLength(30);
    await gates.label(old, () => 5);
    await gates.label(candidate, () => 5);
    expect(await gates.look(id)).toMatchObject({ verdict: 'reject', basis: 'people', labels: 60 });
  });

  it('take labels of other feedback, mapped, without a queue', async () => {
    const truth = { feedback_type: 'thumb', path: 'value', map: { up: 5, down: 1 } };
    const { id, queue_id } = await judged([0.5, 0.5], { ...BODY, truth, label_share: 1 }, 60);
    expect(queue_id).toBeNull();
    await gates.look(id);
    for (const [run, value] of [
      [0, 'down'],
      [1, 'up'],
    ] as const) {
      const rows = await gates.app.sql<{ id: string }>('SELECT id FROM calls WHERE parent_id = $1', [
        (await gates.read(id)).settings.runs?.[run],
      ]);
      await gates.label(
        rows.map((row) => row.id),
        () => value,
        'thumb',
      );
    }
    expect(await gates.look(id)).toMatchObject({ verdict: 'promote', basis: 'people' });
  });

  it('refuse to ask people by a field that there is not', async () => {
    const runs = await gates.pair(1, () => ({ scores: { helpful: { helpful: 5 } } }));
    const { status, json } = await gates.ask({ runs, ...BODY, truth: { feedback_type: 'hone.annotation.none' } });
    expect(status).toBe(422);
    expect(json().detail[0].loc).toEqual(['body', 'truth', 'feedback_type']);
  });

  it('know that a check of the project is a fact, and the scale of its scorers', async () => {
    const check = { kind: 'check', check: { check: 'contains', value: 'cold' } };
    const scorer = `hone:///acme/judged/object/cold:${await gates.runs.project.addScorer('cold', check)}`;
    const runs = await gates.pair(60, (_row, side) => ({
      scores: { cold: { passed: side === 1 } },
      scorers: { cold: scorer },
    }));
    const { id } = await gates.create({ runs, metric: 'scores.cold.passed' });
    expect(await gates.look(id)).toMatchObject({ verdict: 'promote', basis: 'fact' });
  });
});
