import { covers, eachScore, scoreMetric, toNumber } from './score-numbers.js';

describe('scores', () => {
  const found = (scores: unknown): [string, number | null][] => {
    const all: [string, number | null][] = [];
    eachScore(scores, (metric, value) => all.push([metric, value]));
    return all;
  };

  it('are numbers by the names of metrics, those within objects by their path', () => {
    expect(found({ exact: true, wrong: false, grade: { points: 2.5, by: { style: -1 } } })).toEqual([
      ['scores.exact', 1],
      ['scores.wrong', 0],
      ['scores.grade.points', 2.5],
      ['scores.grade.by.style', -1],
    ]);
  });

  it('keep a dot within a name apart from a path', () => {
    expect(found({ 'a.b': 1, a: { b: 2 } })).toEqual([
      ['scores.a\\.b', 1],
      ['scores.a.b', 2],
    ]);
    expect(scoreMetric('a.b')).toBe('scores.a\\.b');
  });

  it('say where something is no number, and nothing where there is nothing', () => {
    expect(found({ text: '1', large: 1e13, none: null, list: [1], empty: {} })).toEqual([
      ['scores.text', null],
      ['scores.large', null],
      ['scores.list', null],
    ]);
    for (const odd of [null, undefined, 1, 'x', [1], true]) expect(found(odd)).toEqual([]);
    expect([NaN, Infinity, -1e12, 1e12 + 1, '1', null].map(toNumber)).toEqual([null, null, -1e12, null, null, null]);
  });

  it('are looked into eight levels deep', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
    expect(found(nested(8))).toHaveLength(1);
    expect(found(nested(9))).toEqual([]);
  });

  it('are meant by their name and by what they are within, not by the begin of a name', () => {
    expect(covers('scores.a', 'scores.a')).toBe(true);
    expect(covers('scores.a', 'scores.a.b')).toBe(true);
    expect(covers('scores.a', 'scores.ab')).toBe(false);
    expect(covers('scores.a', 'scores.a\\.b')).toBe(false);
  });
});
