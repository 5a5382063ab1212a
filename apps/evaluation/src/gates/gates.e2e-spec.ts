import type { JsonObject } from '@hone/contracts';

import { Gates, METRIC, passes } from './gates.fixture.js';

describe('gates', () => {
  const gates = new Gates();
  beforeAll(() => gates.start());
  beforeEach(() => gates.reset());
  afterAll(() => gates.app.close());

  it('promotes a candidate that is better, after as many pairs as it takes', async () => {
    const gate = await gates.compare([0.4, 0.8]);
    expect(gate).toMatchObject({ status: 'decided', verdict: 'promote', reason: 'gain', basis: 'fact', pairs: 200 });
    const last = gate.looks.at(-1);
    expect(last?.gain.low).toBeGreaterThan(0);
    expect(last?.pairs).toBeLessThan(200);
    expect(gate.looks.map(({ pairs }) => pairs)).toEqual(gate.looks.map((_look, at) => 25 * (at + 1)));
    expect(gate.sentence).toMatch(/^Promote: of \d+ pairs the candidate is [\d.]+ % better/);
  });

  it('rejects one that is worse', async () => {
    expect(await gates.compare([0.8, 0.4])).toMatchObject({ status: 'decided', verdict: 'reject', reason: 'no_gain' });
  });

  it('lets the current one stay where nothing tells them apart', async () => {
    expect(await gates.compare([0.5, 0.5])).toMatchObject({
      status: 'decided',
      verdict: 'undecided',
      reason: 'pairs_used_up',
    });
  });

  it('wants as much of a gain as was asked', async () => {
    expect(await gates.compare([0.4, 0.8], { min_gain: 0.6 })).toMatchObject({ verdict: 'reject', reason: 'no_gain' });
  });

  it('turns round what is better where less is', async () => {
    const gate = await gates.compare([0.8, 0.4], { lower_is_better: true });
    expect(gate).toMatchObject({ verdict: 'promote', reason: 'gain' });
  });

  it('takes an answer that failed for the worst one', async () => {
    const fails = (row: number, side: 0 | 1) => (side === 1 && !passes(row, 0.5) ? { exception: 'timed out' } : {});
    const gate = await gates.compare([0.5, 0.5], { without_guards: ['failed'] }, fails);
    expect(gate).toMatchObject({ verdict: 'undecided', reason: 'pairs_used_up', pairs: 200 });
    expect(gate.looks.at(-1)?.gain.estimate).toBeCloseTo(0, 12);
  });

  it('counts a trial that failed as the worst among those of its row', async () => {
    const trials = (side: 0 | 1) =>
      Array.from({ length: 100 }, (_none, row) => ({ inputs: { question: `Question ${row}?` } })).flatMap((row) => [
        { ...row, scores: { exact: true } },
        side === 1 ? { ...row, exception: 'timed out' } : { ...row, scores: { exact: false } },
      ]);
    const dataset = Array.from({ length: 100 }, (_none, row) => ({ question: `Question ${row}?` }));
    const { ref: evaluation } = await gates.runs.addEvaluation('twice', dataset, 2);
    const runs = [
      await gates.runs.ofServer(trials(0), { evaluation }),
      await gates.runs.ofServer(trials(1), { evaluation }),
    ];
    const { id } = await gates.create({ runs, metric: METRIC, fact: true, trials: 2, without_guards: ['failed'] });
    const gate = await gates.look(id);
    expect(gate.pairs).toBe(100);
    expect(gate.looks.at(-1)?.gain.estimate).toBeCloseTo(0, 12);
  });

  it('rejects a candidate of which nothing but failures came', async () => {
    const gate = await gates.compare([0.5, 0.5], {}, (_row, side) => (side === 1 ? { exception: 'no model' } : {}));
    expect(gate).toMatchObject({ status: 'decided', verdict: 'reject', reason: 'guard_broken' });
    expect(gate.reason_guards).toEqual(['failed']);
  });

  it('waits for as many answers of a row as were asked for', async () => {
    expect(await gates.compare([0.4, 0.8], { trials: 2 })).toMatchObject({ reason: 'too_few_pairs', pairs: 0 });
  });

  it('counts rows that are no pairs, and says why', async () => {
    const odd = (row: number): JsonObject => (row < 3 ? { exact: null } : row < 5 ? { exact: 7 } : {});
    const gate = await gates.compare([0.4, 0.8], {}, (row, side) => ({ scores: side === 0 ? odd(row) : {} }));
    expect(gate.left_out).toEqual({ no_score: 3, off_scale: 2, labels_off_scale: 0 });
    expect(gate.pairs).toBe(195);
  });

  it('names the slices in which the candidate is worse', async () => {
    const language = (row: number) => (row % 4 === 0 ? 'de' : 'en');
    const of = (value: string) => ({
      name: value,
      expression: { $eq: [{ $getField: 'inputs.language' }, { $literal: value }] },
    });
    const gate = await gates.compare([0.5, 0.5], { slices: [of('de'), of('en')] }, (row, side) => ({
      inputs: { question: `Question ${row}?`, language: language(row) },
      scores: { exact: (side === 1) === (language(row) === 'en') },
    }));
    expect(gate).toMatchObject({ verdict: 'reject', reason: 'slice_worse', reason_guards: ['de'] });
    expect(gate.sentence).toContain("it is worse in 'de'");
    const states = Object.fromEntries(gate.guards.map(({ name, state }) => [name, state]));
    expect(states).toMatchObject({ de: 'broken', en: 'holds' });
  });
});
