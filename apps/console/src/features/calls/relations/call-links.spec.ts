import { answeringOf, hasInput, linksOfRefs, peersQuery, playgroundQuery } from './call-links.js';

describe('what a call leads to', () => {
  it('is each row, prompt and call that its values name, once', () => {
    const refs = [
      'weave:///acme/demo/object/sums:v1/attr/rows/id/abc',
      'hone:///acme/demo/object/sums:v1/attr/rows/id/abc',
      'hone:///acme/other/object/a%20prompt:latest',
      'hone:///acme/demo/op/answer:v0',
      'hone:///acme/demo/call/c 1',
      'hone:///acme/demo/table/xyz',
      'no ref',
    ];
    expect(linksOfRefs(refs)).toEqual([
      { label: 'row of sums:v1', projectId: 'acme/demo', page: 'datasets/sums?version=v1&digest=abc' },
      { label: 'object a prompt:latest', projectId: 'acme/other', page: 'objects/a%20prompt?version=latest' },
      { label: 'op answer:v0', projectId: 'acme/demo', page: 'objects/answer?kind=op&version=v0' },
      { label: 'call c 1', projectId: 'acme/demo', page: 'calls/c%201' },
    ]);
  });

  it.each([
    [
      { model_id: 'm', step: 3 },
      { modelId: 'm', step: 3 },
    ],
    [{ model_id: 'm' }, { modelId: 'm', step: null }],
    [{ model_id: 7 }, null],
    [{ route: 'x' }, null],
    ['text', null],
    [undefined, null],
  ])('the weights that %j names', (attributes, answering) => expect(answeringOf(attributes)).toEqual(answering));

  it.each([
    [{ messages: [] }, true],
    [{ message: [] }, false],
    [['messages'], false],
    [Object.create({ messages: [] }) as object, false],
    [null, false],
  ])('is found among the inputs %j: %s', (inputs, isThere) => expect(hasInput(inputs, 'messages')).toBe(isThere));

  it('is the playground, which reads the call itself', () => {
    expect(playgroundQuery('a&b c')).toBe('call=a%26b+c');
  });

  it('is the list of the calls of its op', () => {
    expect(peersQuery('a&b c')).toBe('op=a%26b+c&depth=all');
  });
});
