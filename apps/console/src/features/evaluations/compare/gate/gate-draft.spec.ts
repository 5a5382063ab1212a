import { type GateDraft, toGate, usualMargins } from './gate-draft.js';

const DRAFT: GateDraft = {
  ...{ metric: 'scores.exact', scale: ['0', '1'], lowerIsBetter: false, isFact: false, minGain: '2' },
  ...{ margins: usualMargins(), truth: null, labelShare: '25', acceptsUncorrected: false },
};
const gateOf = (change: Partial<GateDraft>) => toGate('local/demo', ['a', 'b'], { ...DRAFT, ...change });

describe('what a gate is asked', () => {
  it('is no more than what somebody chose', () => {
    expect(gateOf({})).toEqual({
      ...{ project_id: 'local/demo', runs: ['a', 'b'], metric: 'scores.exact', scale: [0, 1], min_gain: 0.02 },
    });
  });

  it('names the guards that were changed, and those that were left out', () => {
    const { bullets: _left, ...margins } = usualMargins();
    const gate = gateOf({ margins: { ...margins, length: '12.5' } });
    expect(gate.guards).toEqual({ length: 0.125 });
    expect(gate.without_guards).toEqual(['bullets']);
  });

  it('has a share of labels only where people label', () => {
    const truth = { feedback_type: 'hone.annotation.quality' };
    expect(gateOf({ truth, labelShare: '100' })).toMatchObject({ truth, label_share: 1 });
    expect(gateOf({})).not.toHaveProperty('label_share');
  });

  it('says what is accepted', () => {
    expect(gateOf({ acceptsUncorrected: true, isFact: true, lowerIsBetter: true })).toMatchObject({
      ...{ accept_uncorrected: true, fact: true, lower_is_better: true },
    });
  });
});
