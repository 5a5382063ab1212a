import { drawn, paretoFront } from './pareto.js';

const rated = (...gains: (number | null)[][]) => gains.map((of, id) => ({ id, gains: of }));

describe('the Pareto front of prompts', () => {
  it('has those that are the best on a row, with how many', () => {
    expect(paretoFront(rated([1, 0, 0], [0, 1, 1], [0.5, 0.5, 0.5]))).toEqual([
      { id: 0, rows: 1 },
      { id: 1, rows: 2 },
    ]);
  });

  it('leaves out who is the best only where another one is, too, that is better elsewhere', () => {
    expect(paretoFront(rated([1, 0], [1, 1]))).toEqual([{ id: 1, rows: 2 }]);
    expect(paretoFront(rated([1, 0, 1], [1, 1, 0], [1, 0, 0]))).toEqual([
      { id: 0, rows: 2 },
      { id: 1, rows: 2 },
    ]);
  });

  it('keeps the first of equal ones', () => {
    expect(paretoFront(rated([0, 1], [0, 1], [0, 1]))).toEqual([{ id: 0, rows: 2 }]);
  });

  it('takes a row without a score for one that nobody leads', () => {
    expect(paretoFront(rated([null, 0], [null, 1]))).toEqual([{ id: 1, rows: 1 }]);
    expect(paretoFront(rated([null, 1], [0, 0]))).toEqual([
      { id: 0, rows: 1 },
      { id: 1, rows: 1 },
    ]);
    expect(paretoFront(rated([null], [null]))).toEqual([]);
    expect(paretoFront([])).toEqual([]);
  });

  it('is drawn from by the rows that each leads', () => {
    const front = [
      { id: 4, rows: 1 },
      { id: 7, rows: 3 },
    ];
    expect([0, 0.24, 0.25, 0.99].map((draw) => drawn(front, draw))).toEqual([4, 4, 7, 7]);
    expect(drawn([], 0.5)).toBeNull();
  });
});
