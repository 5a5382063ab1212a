import type { PlanRow } from './plan.js';
import { planDigest, readPlanLine, toPlanLine } from './plan-lines.js';

const ROW: PlanRow = {
  row: 0,
  sequences: [{ ids: [1, 2, 3], mask: [0, 0, 1], old: [NaN, NaN, -0.1], adv: -1 / 3, weight: 1.5 }],
  numTrajectories: 1,
  learningRate: 5e-6,
  staleness: null,
};

describe('a plan line', () => {
  it('is JSON with null for NaN and the shortest digits that round trip', () => {
    expect(toPlanLine(ROW)).toBe(
      '{"row":0,"num_trajectories":1,"learning_rate":0.000005,"staleness":null,"sequences":' +
        '[{"ids":[1,2,3],"mask":[0,0,1],"old":[null,null,-0.1],"adv":-0.3333333333333333,"weight":1.5}]}',
    );
  });

  it('names the row whose sequences it repeats', () => {
    const again = { ...ROW, row: 1, repeats: 0, learningRate: 1 };
    const line = toPlanLine(again);
    expect(line).toBe('{"row":1,"num_trajectories":1,"learning_rate":1,"staleness":null,"repeats":0}');
    expect(readPlanLine(line, [ROW])).toEqual(again);
  });

  it('reads back as the same row', () => {
    const finetuning = { ...ROW, sequences: [{ ids: [1], mask: [0 as const], old: null, adv: null, weight: 1 }] };
    expect([ROW, finetuning].map((row) => readPlanLine(toPlanLine(row)))).toEqual([ROW, finetuning]);
  });
});

describe('planDigest', () => {
  it('is the SHA-256 of the lines', () => {
    // printf '{"row":0,"num_trajectories":0,"learning_rate":1,"staleness":null,"sequences":[]}\n' | sha256sum
    const empty = { row: 0, sequences: [], numTrajectories: 0, learningRate: 1, staleness: null };
    expect(planDigest([empty])).toBe('38d7591ec436208b43a880bfeb3e93f138a59f57edad3d2eb1b296e250fa37bc');
  });
});
