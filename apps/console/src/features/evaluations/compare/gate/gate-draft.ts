import type { GateCreateDto, JudgeTruthDto } from '@hone/client';

import { DEFAULT_GUARDS } from '../../../../shared/gates/guards.js';

/** What somebody chose for a gate, as it was typed. */
export interface GateDraft {
  readonly metric: string;
  readonly scale: readonly [least: string, most: string];
  readonly lowerIsBetter: boolean;
  readonly isFact: boolean;
  /** Percent of the scale. */
  readonly minGain: string;
  /** Of each guard that is kept, in percent. */
  readonly margins: Readonly<Record<string, string>>;
  readonly truth: JudgeTruthDto | null;
  /** Percent of the pairs. */
  readonly labelShare: string;
  readonly acceptsUncorrected: boolean;
}

const share = (percent: string): number => Number((Number(percent) / 100).toPrecision(12));

/** The margins that a gate has where nobody changes them, in percent. */
export const usualMargins = (): Record<string, string> =>
  Object.fromEntries(Object.entries(DEFAULT_GUARDS).map(([name, margin]) => [name, String(100 * margin)]));

/** Guards whose margins are as usual are not named: those that are have to be proven. */
export function toGate(projectId: string, runs: readonly string[], draft: GateDraft): GateCreateDto {
  const { metric, scale, margins, truth } = draft;
  const changed = Object.entries(margins).filter(([name, margin]) => share(margin) !== DEFAULT_GUARDS[name]);
  const left = Object.keys(DEFAULT_GUARDS).filter((name) => margins[name] === undefined);
  return {
    ...{ project_id: projectId, runs: [...runs], metric, scale: scale.map(Number), min_gain: share(draft.minGain) },
    ...(draft.lowerIsBetter && { lower_is_better: true }),
    ...(draft.isFact && { fact: true }),
    ...(changed.length > 0 && { guards: Object.fromEntries(changed.map(([name, to]) => [name, share(to)])) }),
    ...(left.length > 0 && { without_guards: left }),
    ...(truth && { truth, label_share: share(draft.labelShare) }),
    ...(draft.acceptsUncorrected && { accept_uncorrected: true }),
  };
}
