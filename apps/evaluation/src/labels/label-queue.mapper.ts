import type { LabelQueueCreateDto, LabelQueueDto } from '@hone/contracts';

import type { Candidate } from './candidates.repository.js';
import type { LabelDraw } from './label-draw.js';
import type { RecordedDraw } from './label-queues.repository.js';

/** What was drawn, and what was there without a draw. */
export interface DrawnQueue extends LabelDraw<Candidate> {
  /** Calls that people had labelled outside of label queues. */
  readonly known: readonly Candidate[];
  readonly seed: number;
  readonly isLabelled: (call: Candidate) => boolean;
}

/** Every call that could be drawn, with its chance, and those that were there for sure. */
export function recordedDraws({ strata, known }: DrawnQueue): RecordedDraw[] {
  return [
    ...strata.flatMap(({ calls }) =>
      calls.map(({ call, chance, isDrawn }) => ({ callId: call.callId, chance, isDrawn, isKnown: false })),
    ),
    ...known.map(({ callId }) => ({ callId, chance: 1, isDrawn: true, isKnown: true })),
  ];
}

/** Drawn calls that have no label yet. */
export const itemsOf = ({ strata, isLabelled }: DrawnQueue): string[] =>
  strata.flatMap(({ calls }) =>
    calls.flatMap(({ call, isDrawn }) => (isDrawn && !isLabelled(call) ? [call.callId] : [])),
  );

type DrawFigures = Omit<LabelQueueDto, 'queue_id' | 'scorer' | 'criterion' | 'items'>;

export function toLabelQueueDto(
  { by, strata, known, seed }: DrawnQueue,
  body: Pick<LabelQueueCreateDto, 'strata'>,
): DrawFigures {
  const counted = strata.map(({ value, calls }) => ({
    ...{ value, calls: calls.length },
    drawn: calls.filter(({ isDrawn }) => isDrawn).length,
  }));
  const sum = (name: 'calls' | 'drawn') => counted.reduce((total, stratum) => total + stratum[name], 0);
  return {
    ...{ seed, uncertainty: by, calls: sum('calls') + known.length, known: known.length, drawn: sum('drawn') },
    least_chance: strata.reduce(
      (least, { calls }) => calls.reduce((min, { chance }) => Math.min(min, chance), least),
      1,
    ),
    strata: typeof body.strata === 'string' ? counted : [],
  };
}
