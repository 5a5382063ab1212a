import { chooseScorers, WhichScorerError } from './choose-scorers.js';

const PROJECT = 'acme/demo';

describe('chooseScorers', () => {
  it('takes those that are named, else the only one', () => {
    expect(chooseScorers(['short', 'bare'], ['bare', 'kind', 'short'], PROJECT)).toEqual(['short', 'bare']);
    expect(chooseScorers([], ['bare'], PROJECT)).toEqual(['bare']);
  });

  it('lists them where there are several', () => {
    expect(() => chooseScorers([], ['short', 'bare'], PROJECT)).toThrow(
      new WhichScorerError('acme/demo has 2 scorers. Say which judges the answers, by --scorer: bare, short.'),
    );
  });

  it('says so where there is none', () => {
    expect(() => chooseScorers([], [], PROJECT)).toThrow('acme/demo has no scorer that Hone runs');
  });
});
