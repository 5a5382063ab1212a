import {
  BIAS_PROBES,
  type BiasProbe,
  type BiasReportCreateDto,
  judgeModelOf,
  type ScorerDefinitionDto,
} from '@hone/contracts';

import { drawOf } from '../judged-calls/draw.js';

const DAY_MS = 86_400_000;
const DEFAULT_CALLS = 50;
/** Trials of a probe that changes answers: once for ever, as the change is always the same. */
const TRIALS: Record<Exclude<BiasProbe, 'repeat'>, number> = { longer: -1, bullets: -2, flattery: -3 };
/** A judge is asked again about unchanged answers once a day. */
const FIRST_REPEAT = -1_000;

/** Tells verdicts of a probe from all others about the same call. */
export const trialOf = (probe: BiasProbe, now: Date): number =>
  probe === 'repeat' ? FIRST_REPEAT - Math.floor(now.getTime() / DAY_MS) : TRIALS[probe];

/** The probes that a request asks for, each once. */
export const probesOf = ({ probes }: BiasReportCreateDto, definition: ScorerDefinitionDto): BiasProbe[] => [
  ...new Set(probes ?? (judgeModelOf(definition) === null ? [] : BIAS_PROBES)),
];

/** The judged calls that probes ask about: those that the request names, else some that are drawn of all. */
export function callsToProbe(
  judged: readonly string[],
  { call_ids: named, probe_calls, seed }: BiasReportCreateDto,
): string[] {
  if (named) {
    const wanted = new Set(named);
    return judged.filter((id) => wanted.has(id));
  }
  const draws = judged.map((id) => ({ id, draw: drawOf(`bias ${seed ?? 0}`, id) }));
  return draws
    .sort((a, b) => a.draw - b.draw)
    .slice(0, probe_calls ?? DEFAULT_CALLS)
    .map(({ id }) => id);
}
