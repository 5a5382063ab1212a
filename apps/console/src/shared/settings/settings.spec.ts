import { stringifyJson } from '@hone/client';

import { toSettings } from './settings.js';

describe('settings that are filled in', () => {
  it('are the fields that were filled in, and the others', () => {
    expect(toSettings({ learning_rate: '2e-3', n_epochs: ' ' }, ' {"seed": 1} ')).toEqual({
      ...{ seed: 1, learning_rate: 0.002 },
    });
  });

  it('keep each digit of integers of 64 bits', () => {
    expect(stringifyJson(toSettings({ seed: ' 9007199254740993' }, '{"priority": -9223372036854775807}'))).toBe(
      '{"priority":-9223372036854775807,"seed":9007199254740993}',
    );
  });

  it('are none where nothing was filled in', () => expect(toSettings({ n_epochs: '' }, '')).toEqual({}));

  it.each([
    [{ learning_rate: 'fast' }, '', '“fast” is no number for learning_rate.'],
    [{}, '{', 'are no JSON'],
    [{}, '[1]', 'should be a JSON object'],
    [{}, 'null', 'should be a JSON object'],
  ])('are refused as %j and %s', (fields, others, sentence) => {
    expect(() => toSettings(fields, others)).toThrow(sentence);
  });
});
