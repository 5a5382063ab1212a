import { Gates } from './gates.fixture.js';

const METRIC = 'scores.exact';
/** Passes of `rate` of the rows, spread over them. */
const passes = (row: number, rate: number): boolean => Math.floor((row + 1) * rate) > Math.floor(row * rate);

describe('gates', () => {
  const gates = new Gates();
  beforeAll(() => gates.start());
  beforeEach(() => gates.reset());
  afterAll(() => gates.app.close());

  const compare = async (rates: readonly [number, number], more: object = {}, rows = 200) => {
    const runs = await gates.pair(rows, (row, side) => ({ scores: { exact: passes((7 * row) % rows, rates[side]) } }));
    const { id } = await gates.create({ runs, metric: METRIC, fact: true, ...more });
    return gates.look(id);
  };

  it('promotes a candidate that is better, after as many pairs as it takes', async () => {
    const gate = await compare([0.4, 0.8]);
    expect(gate).toMatchObject({ status: 'decided', verdict: 'promote', reason: 'gain', basis: 'fact', pairs: 200 });
    const last = gate.looks.at(-1);
    expect(last?.gain.low).toBeGreaterThan(0);
    expect(last?.pairs).toBeLessThan(200);
    expect(gate.looks.map(({ pairs }) => pairs)).toEqual(gate.looks.map((_look, at) => 25 * (at + 1)));
    expect(gate.sentence).toMatch(/^Promote: of \d+ pairs the candidate is [\d.]+ % better/);
  });

  it('rejects one that is worse', async () => {
    expect(await compare([0.8, 0.4])).toMatchObject({ status: 'decided', verdict: 'reject', reason: 'no_gain' });
  });

  it('lets the current one stay where nothing tells them apart', async () => {
    expect(await compare([0.5, 0.5])).toMatchObject({
      status: 'decided',
      verdict: 'undecided',
      reason: 'pairs_used_up',
    });
  });
});
