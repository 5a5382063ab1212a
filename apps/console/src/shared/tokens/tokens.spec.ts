import { doubtOf, toTokens } from './tokens.js';

describe('the tokens of a choice', () => {
  it('have texts, log-probabilities, and what else was likely', () => {
    const content = [{ token: 'a', logprob: -0.1, top_logprobs: [{ token: 'b', logprob: -2 }, { token: 3 }] }];
    expect(toTokens({ logprobs: { content } })).toEqual([
      { text: 'a', logprob: -0.1, alternatives: [{ text: 'b', logprob: -2, alternatives: [] }] },
    ]);
  });

  it.each([
    [null],
    [{}],
    [{ logprobs: null }],
    [{ logprobs: { content: [] } }],
    [{ logprobs: { content: [{ logprob: -1 }] } }],
  ])('are none in %j', (choice) => expect(toTokens(choice)).toBeNull());

  it.each([
    [0, 0],
    [Math.log(0.6), 0],
    [Math.log(0.4), 1],
    [Math.log(0.01), 4],
    [-Infinity, 4],
  ])('with the log-probability %d are in doubt by %d', (logprob, doubt) => {
    expect(doubtOf({ logprob })).toBe(doubt);
  });
});
