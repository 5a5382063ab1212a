import type { JudgeReportDto } from '@hone/contracts';
import { momentsOf, Xoshiro128 } from '@hone/statistics';

import { meanFigures } from '../truth/corrected-mean.js';
import type { Criterion } from '../truth/criterion.js';
import { type LabelledCalls, readLabels } from '../truth/labelled-calls.js';
import type { CallDraw, VerdictGroup } from '../truth/verdict-groups.js';
import { type DrawableCall, drawCalls } from './label-draw.js';
import { labelledCandidates } from './labelled-candidates.js';
import { labelsToAdd } from './queue-size.js';

/** A judge that rates 0 to 10 by several votes, and how its errors and its doubts go together. */
export interface SimulatedJudge {
  readonly votes: number;
  /** Share of calls that are hard: each vote on them is right with the chance `rightWhenHard`. */
  readonly hard: number;
  readonly rightWhenHard: number;
  /** Chance of each vote on another call to be right. */
  readonly right: number;
  /** Share of calls on which all votes are wrong together: nothing tells them from others. */
  readonly blind: number;
}

/** A call as people and judge see it: both rate 0 to 10. */
export interface SimulatedCall extends DrawableCall {
  readonly human: number;
}

export const RATING: Criterion = { name: 'quality', isTag: false, scale: [0, 10] };
export const LEVEL = 0.95;
/** Share of calls that people pass: these they rate 10, the others 0. */
export const PASSED = 0.6;
const TOP = 10;

/** Draws calls, with votes and labels. */
export function simulateCalls(judge: SimulatedJudge, count: number, random: Xoshiro128): SimulatedCall[] {
  return Array.from({ length: count }, (_none, at) => {
    const passes = random.fraction() < PASSED;
    const isBlind = random.fraction() < judge.blind;
    const right = random.fraction() < judge.hard ? judge.rightWhenHard : judge.right;
    const votes = Array.from({ length: judge.votes }, () => {
      const isRight = !isBlind && random.fraction() < right;
      return isRight === passes ? TOP : 0;
    });
    const { mean, variance } = momentsOf(votes);
    const spread = judge.votes > 1 ? Math.sqrt(variance) : null;
    return { callId: `call-${at}`, stratum: '', human: passes ? TOP : 0, verdict: mean, spread };
  });
}

type MeanReport = Pick<JudgeReportDto, 'estimate' | 'low' | 'high' | 'method' | 'labels'>;

/** What a report says once people have labelled what a label queue drew. @param done share of it that they have labelled */
export function reportOfQueue(calls: readonly SimulatedCall[], size: number, seed: number, done = 1): MeanReport {
  const random = new Xoshiro128(seed);
  const { strata } = drawCalls(calls, RATING, size, seed);
  const drawn = strata.flatMap((stratum) => stratum.calls);
  return report(
    drawn.map(({ call, chance, isDrawn }) => ({
      ...{ call, isLabelled: isDrawn && random.fraction() < done },
      draws: [{ queueId: 'queue', seed, chance, isDrawn, isKnown: false }],
    })),
  );
}

/** What a report says of labels that were drawn with equal chances, outside of any queue. */
export function reportOfUniform(calls: readonly SimulatedCall[], labels: number): MeanReport {
  // The calls are drawn already: any of them are a random sample.
  return report(calls.map((call, at) => ({ call, isLabelled: at < labels, draws: null })));
}

/** What labels of the first calls tell before the others have any. */
export const pilotOf = (calls: readonly SimulatedCall[], labels: number): LabelledCalls =>
  read(calls.map((call, at) => ({ call, isLabelled: at < labels, draws: null })));

/** Calls that a label queue draws for a half-width, after a pilot of the first calls. */
export function sizeOfQueue(calls: readonly SimulatedCall[], labels: number, width: number): number {
  const found = calls.map((call, at) => ({ ...call, label: at < labels ? String(call.human) : null, draws: null }));
  return labelsToAdd(found, labelledCandidates(found, RATING, null, null), RATING, width, LEVEL);
}

interface SeenCall {
  readonly call: SimulatedCall;
  readonly isLabelled: boolean;
  readonly draws: readonly CallDraw[] | null;
}

const report = (seen: readonly SeenCall[]): MeanReport => meanFigures(read(seen), LEVEL);

function read(seen: readonly SeenCall[]): LabelledCalls {
  const groups = seen.flatMap(({ call, isLabelled, draws }): VerdictGroup[] =>
    isLabelled
      ? [{ judge: call.verdict, label: String(call.human), calls: 1, draws, callIds: [call.callId], feedbackIds: [''] }]
      : [],
  );
  const others = seen
    .filter(({ isLabelled }) => !isLabelled)
    .map(({ call, draws }) => ({
      ...{ draws: draws?.filter(({ isDrawn }) => isDrawn) ?? null, isBinary: false, unread: 0 },
      verdicts: { count: 1, mean: call.verdict, variance: 0 },
    }));
  return readLabels({ groups, others }, RATING, null, null);
}
