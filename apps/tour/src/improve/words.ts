import type { ImprovementCandidateDto, ImprovementDto } from '@hone/client';

import { percent } from '../terminal/plot.js';
import { table } from '../terminal/table.js';

type Status = ImprovementDto['status'];

/** 0: promoted, or a dry run; 3: the current checkpoint stays; 1: it did not come to a decision. */
const EXIT_CODES: Readonly<Record<Status, 0 | 1 | 3>> = {
  ...{ proposed: 0, promoted: 0 },
  ...{ kept: 3, needs_labels: 3, no_data: 3, refused: 3, alias_moved: 3 },
  ...{ running: 1, failed: 1, cancelled: 1 },
};

export const exitCodeOf = ({ status }: Pick<ImprovementDto, 'status'>): 0 | 1 | 3 => EXIT_CODES[status];

/** What a dry run says: a line for each method. */
export function proposal({ candidates, sentence }: ImprovementDto): string {
  const rows = candidates.map(({ method, state, reason }) => [method, state === 'possible' ? 'yes' : 'no', reason]);
  return `${table(rows)}\n${sentence}`;
}

/** What has changed since it was read before, a line each. @param before null: this is the first time */
export function changes(before: ImprovementDto | null, now: ImprovementDto): string[] {
  const stateBefore = new Map(before?.candidates.map(({ method, state }) => [method, state]));
  const moved = now.candidates.filter(({ method, state }) => stateBefore.get(method) !== state);
  // What it says in the end is shown last, below the table.
  const isDoingAnother = now.ended_at === null && now.sentence !== before?.sentence;
  return [...(isDoingAnother ? [now.sentence] : []), ...moved.filter(isTried).map(lineOf)];
}

/** Methods that the data does not allow were shown by the dry run. */
const isTried = ({ state }: ImprovementCandidateDto): boolean => state !== 'possible' && state !== 'not_possible';

/** Why it is tried was said before. */
function lineOf({ method, state, step, reason }: ImprovementCandidateDto): string {
  if (state === 'training') return `${method}: training`;
  if (state === 'trained') return step === null ? `${method}: edited` : `${method}: trained, step ${step}`;
  return `${method}: ${word(state)}. ${reason}`;
}

/** What became of each method. */
export function results({ candidates }: Pick<ImprovementDto, 'candidates'>): string {
  const rows = candidates.map(({ method, calls, win_rate, gain, state }) => [
    ...[method, String(calls)],
    win_rate ? `${percent(win_rate.estimate)} (${percent(win_rate.low)} to ${percent(win_rate.high)})` : '–',
    gain ? interval(gain) : '–',
    word(state),
  ]);
  return table([['method', 'calls', 'win rate', 'gain', 'verdict'], ...rows], [1]);
}

const interval = ({ estimate, low, high }: NonNullable<ImprovementCandidateDto['gain']>): string =>
  `${signed(estimate)} (${signed(low)} to ${signed(high)})`;

const signed = (share: number): string => (share > 0 ? `+${percent(share)}` : percent(share).replace('-', '−'));

const word = (state: string): string => state.replaceAll('_', ' ');

/** `1:05`, minutes and seconds. */
export const elapsed = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1_000) % 60).padStart(2, '0')}`;
