import { wilsonInterval } from './wilson.js';
import { winRate } from './win-rate.js';

describe('a win rate', () => {
  it('is unknown without pairs', () => {
    expect(winRate([])).toBeNull();
  });

  it('is the rate of wins with its interval, where nothing ties', () => {
    const { estimate, low, high } = wilsonInterval(7, 10);
    const differences = [...Array<number>(7).fill(0.2), ...Array<number>(3).fill(-1)];
    expect(winRate(differences)).toEqual({ estimate, low, high, rows: 10 });
  });

  it('counts a tie half', () => {
    expect(winRate([1, 0, 0, -1, 1, 0])).toMatchObject({ estimate: (2 + 1.5) / 6, rows: 6 });
    expect(winRate([0, 0])).toMatchObject({ estimate: 0.5 });
  });
});
