import type { AliasSplitDto } from '@hone/client';

import { restOf, toBody, toForm } from './split-form.js';

const SPLIT: AliasSplitDto = {
  ...{
    id: 's',
    model_id: 'm',
    alias: 'production',
    version: 3,
    production_weight: 0.7,
    updated_at: '',
    updated_by: 'u',
  },
  arms: [{ name: 'candidate', model: 'm:step2', weight: 0.29 }],
  shadow: { model: 'large', share: 0.125, max_cost_usd_per_day: 2, spent_usd_today: 0.5 },
};

describe('the form of a split', () => {
  it('gives back the split that it was made of', () => {
    const { arms, shadow } = SPLIT;
    const { spent_usd_today: _spent, ...put } = shadow as NonNullable<typeof shadow>;
    expect(toBody(toForm(SPLIT), SPLIT)).toEqual({ arms, shadow: put, if_version: 3 });
  });

  it('begins with an arm that lacks a model, which is none', () => {
    const form = toForm(null);
    expect(form.arms).toEqual([{ name: 'candidate', model: '', percent: '5' }]);
    expect(toBody(form, null)).toBeNull();
    const shadow = { model: 'large', percent: '100', budget: '' };
    expect(toBody({ ...form, shadow }, null)).toEqual({
      ...{ arms: [], if_version: null },
      shadow: { model: 'large', share: 1, max_cost_usd_per_day: null },
    });
  });

  const arm = (change: object) => ({ name: 'a', model: 'm', percent: '10', ...change });
  it.each([[{ percent: '' }], [{ percent: 'x' }], [{ percent: '-1' }], [{ percent: '101' }], [{ name: ' ' }]])(
    'is not ready with %j',
    (change) => {
      expect(toBody({ ...toForm(null), arms: [arm(change)] }, null)).toBeNull();
    },
  );

  it('is not ready where the arms have more than all', () => {
    const arms = [arm({ percent: '70' }), arm({ name: 'b', percent: '31' })];
    expect(toBody({ ...toForm(null), arms }, null)).toBeNull();
    expect(restOf(arms)).toBeNull();
    expect(restOf([arm({ percent: '70' }), arm({ percent: '29.9' })])).toBe('0.1 %');
  });
});
