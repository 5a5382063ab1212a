import { changeOf } from './change.js';

describe('changeOf', () => {
  it.each([
    [12, 10, undefined, { text: '+20 %' }],
    [8, 10, 'less', { text: '−20 %', isBetter: true }],
    [8, 10, 'more', { text: '−20 %', isBetter: false }],
    [10.01, 10, 'more', { text: '±0 %' }],
    [500, 10, undefined, { text: '×50' }],
    [0, 10, undefined, { text: '−100 %' }],
    [10, 0, 'more', null],
    [null, 10, 'more', null],
    [10, undefined, 'more', null],
  ] as const)('%s after %s', (now, before, better, expected) =>
    expect(changeOf(now, before, better)).toEqual(expected),
  );
});
