import { someNumbers } from '../../autodiff/gradient-check.fixture.js';
import { type PreferenceLoss, preferenceLoss, type PreferenceRole, type PreferenceSequence } from './index.js';

const DPO: PreferenceLoss = { method: 'dpo', beta: 0.4, labelSmoothing: 0, lambda: 0.7 };
const CASES: [string, PreferenceLoss][] = [
  ['DPO', DPO],
  ['smoothed DPO', { ...DPO, labelSmoothing: 0.2 }],
  ['IPO', { ...DPO, method: 'ipo' }],
  ['ORPO', { ...DPO, method: 'orpo' }],
  ['KTO', { ...DPO, method: 'kto' }],
];
const LENGTHS = [3, 5, 1, 4];

function rowOf(roles: readonly PreferenceRole[]): PreferenceSequence[] {
  return roles.map((role, index) => {
    const length = LENGTHS[index % LENGTHS.length] as number;
    const lp = Array.from(someNumbers(length, 70 + index), (value) => -1.4 + value / 2);
    return { role, lp, reference: -1.3 * length, weight: index < 2 ? 1 : 0.5 };
  });
}

const PAIRS = rowOf(['chosen', 'rejected', 'chosen', 'rejected']);
const ANSWERS = rowOf(['desirable', 'undesirable', 'undesirable', 'mismatched', 'mismatched', 'mismatched']);
const rowFor = ({ method }: PreferenceLoss) => (method === 'kto' ? ANSWERS : PAIRS);

const total = ({ lp }: PreferenceSequence) => Array.from(lp).reduce((sum, value) => sum + value, 0);
const s = (x: number) => 1 / (1 + Math.exp(-x));

describe('the loss of a row of preferences', () => {
  it.each(CASES)('%s: coefficients by central differences', (_name, settings) => {
    const row = rowFor(settings);
    const { coefficients } = preferenceLoss(settings, row);
    const moved = (sequence: number, at: number, by: number) =>
      preferenceLoss(
        settings,
        row.map((one, index) =>
          index === sequence ? { ...one, lp: Array.from(one.lp, (value, i) => (i === at ? value + by : value)) } : one,
        ),
      ).loss;
    row.forEach(({ role, lp }, sequence) => {
      if (role === 'mismatched') return;
      Array.from(lp).forEach((_, at) => {
        const slope = (moved(sequence, at, 1e-5) - moved(sequence, at, -1e-5)) / 2e-5;
        expect(coefficients[sequence]?.[at]).toBeCloseTo(-slope, 8);
      });
    });
  });

  it('is that of DPO as its paper writes it, averaged over weighted pairs', () => {
    const ratio = (index: number) => total(PAIRS[index] as PreferenceSequence) - (PAIRS[index]?.reference ?? NaN);
    const first = -Math.log(s(0.4 * (ratio(0) - ratio(1))));
    const second = -Math.log(s(0.4 * (ratio(2) - ratio(3))));
    expect(preferenceLoss(DPO, PAIRS).loss).toBeCloseTo((first + 0.5 * second) / 2, 12);
  });

  it('is that of ORPO as its paper writes it', () => {
    const odds = (index: number) => {
      const mean = total(PAIRS[index] as PreferenceSequence) / (PAIRS[index]?.lp.length ?? 0);
      return Math.exp(mean) / (1 - Math.exp(mean));
    };
    const ofOdds = (chosen: number) => -0.7 * Math.log(s(Math.log(odds(chosen) / odds(chosen + 1))));
    const [one, other] = [PAIRS[0], PAIRS[2]] as [PreferenceSequence, PreferenceSequence];
    const nll = -(total(one) + 0.5 * total(other)) / (one.lp.length + other.lp.length);
    const { loss } = preferenceLoss({ ...DPO, method: 'orpo' }, PAIRS);
    expect(loss).toBeCloseTo(nll + (ofOdds(0) + 0.5 * ofOdds(2)) / 2, 12);
  });

  it('is ln 2 at the reference, and moves both answers equally', () => {
    const row = PAIRS.map((one) => ({ ...one, reference: total(one), weight: 1 }));
    const { loss, coefficients, findings } = preferenceLoss(DPO, row);
    expect(loss).toBeCloseTo(Math.LN2, 12);
    expect(coefficients[0]?.[0]).toBeCloseTo(0.4 * 0.5 * 0.5, 12);
    expect(coefficients[1]?.[0]).toBeCloseTo(-0.4 * 0.5 * 0.5, 12);
    expect(findings.accuracy).toBe(0);
  });

  it('takes no mismatched answer that the policy likes less than the reference', () => {
    const unlikely = ANSWERS.map((one) => (one.role === 'mismatched' ? { ...one, reference: 0 } : one));
    const { findings, coefficients } = preferenceLoss({ ...DPO, method: 'kto' }, unlikely);
    expect(findings.divergence).toBe(0);
    expect(coefficients.slice(3).every((values) => values.every((value) => value === 0))).toBe(true);
  });

  it.each(CASES)('%s: stays finite where an answer is certain, or impossible', (_name, settings) => {
    const row = rowFor(settings).map((one, index) => ({
      ...one,
      lp: new Float64Array(4).fill(index % 2 === 0 ? 0 : -5_000),
      reference: index % 2 === 0 ? -9_000 : 0,
    }));
    const { loss, coefficients } = preferenceLoss(settings, row);
    expect(Number.isFinite(loss)).toBe(true);
    expect(coefficients.every((values) => values.every(Number.isFinite))).toBe(true);
  });
});
