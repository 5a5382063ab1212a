import type { JudgeTruthDto, LabelSource } from '@hone/contracts';

import type { Criterion } from '../truth/criterion.js';
import { type LabelledCalls, readLabels } from '../truth/labelled-calls.js';
import type { Candidate } from './candidates.repository.js';

/** Labels among judged calls, call by call. */
export interface LabelledCandidates {
  readonly calls: LabelledCalls;
  /** The calls of the labels that count, in the order of `calls.human`. */
  readonly used: readonly Candidate[];
}

/** @param wanted null: labels of label queues, if there are enough */
export function labelledCandidates(
  found: readonly Candidate[],
  criterion: Criterion,
  map: JudgeTruthDto['map'],
  wanted: LabelSource | null,
): LabelledCandidates {
  const byId = new Map(found.map((call) => [call.callId, call]));
  const groups = found.flatMap(({ callId, verdict, label, draws }) =>
    label === null ? [] : [{ judge: verdict, label, draws, calls: 1, callIds: [callId], feedbackIds: [] }],
  );
  const others = found.flatMap(({ verdict, label, draws }) =>
    label === null
      ? [
          {
            draws,
            isBinary: verdict === 0 || verdict === 1,
            unread: 0,
            verdicts: { count: 1, mean: verdict, variance: 0 },
          },
        ]
      : [],
  );
  const calls = readLabels({ groups, others }, criterion, map, wanted);
  return { calls, used: calls.used.flatMap(({ callIds }) => byId.get(callIds[0] as string) ?? []) };
}
