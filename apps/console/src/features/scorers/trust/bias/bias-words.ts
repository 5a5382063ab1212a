import type { BiasFigureDto, BiasProbeDto, BiasReportDto } from '@hone/client';

import { formatCount, formatMetric, formatShare } from '../../../../shared/format/format.js';

type Probe = BiasProbeDto['probe'];

/** What each probe does to an answer. */
export const PROBES: Readonly<Record<Probe, string>> = {
  longer: 'it says the same once more',
  bullets: 'each of its sentences is a bullet',
  flattery: 'it flatters whoever asked',
  repeat: 'nothing is changed',
};

/** Which way a figure of bias leans; `none`: its interval holds 0. */
type Lean = 'up' | 'down' | 'none';

export const leanOf = ({ low, high }: Pick<BiasFigureDto, 'low' | 'high'>): Lean =>
  low > 0 ? 'up' : high < 0 ? 'down' : 'none';

/** A finding in words, and whether it is a bias. */
export interface Finding {
  readonly text: string;
  readonly isBias: boolean;
  /** null: there is none. */
  readonly figure: BiasFigureDto | null;
}

const finding = (figure: BiasFigureDto | null, missing: string, texts: Readonly<Record<Lean, string>>): Finding => {
  const lean = figure ? leanOf(figure) : 'none';
  return { figure, isBias: lean !== 'none', text: figure ? texts[lean] : missing };
};

export const lengthFinding = ({ length }: Pick<BiasReportDto, 'length'>): Finding =>
  finding(length, 'Length: unknown. It needs six labels, of answers of different lengths.', {
    up: 'It likes long answers more than people do.',
    down: 'It likes short answers more than people do.',
    none: 'Length: no sign that it likes long or short answers more than people do.',
  });

export function selfFinding({
  self_preference,
  judge_family,
}: Pick<BiasReportDto, 'self_preference' | 'judge_family'>) {
  if (judge_family === null) return null;
  const missing = `Own family (${judge_family}): unknown. It needs six labels, of answers by models of it and by others.`;
  return finding(self_preference, missing, {
    up: `It likes answers of its own family, ${judge_family}, more than people do.`,
    down: `It likes answers of its own family, ${judge_family}, less than people do.`,
    none: `Own family (${judge_family}): no sign that it likes its answers more than people do.`,
  });
}

/** How often a judge of two answers changed its mind when they were swapped, and between which shares that lies. */
export const orderText = ({ estimate, low, high, calls }: BiasFigureDto) => ({
  text: `Order: with the two answers swapped, it changed its verdict in ${formatShare(estimate)} of ${formatCount(calls)} calls; a call where it did is a tie.`,
  interval: `${formatShare(low)} … ${formatShare(high)}`,
});

/** What a probe found. */
export function probeFinding({ probe, change }: Pick<BiasProbeDto, 'probe' | 'change'>): Finding {
  if (probe === 'repeat')
    return finding(change, 'Asked again: no verdicts yet.', {
      up: 'Asked again about the same answers, its verdict is higher than it was: it drifts.',
      down: 'Asked again about the same answers, its verdict is lower than it was: it drifts.',
      none: 'Asked again about the same answers, its verdict is as it was on the whole.',
    });
  const when = `When ${PROBES[probe].replace(/^it/, 'the answer').replace('its sentences', 'the answer’s sentences')}`;
  return finding(change, `${when}: no verdicts yet.`, {
    up: `${when}, its verdict is higher.`,
    down: `${when}, its verdict is lower.`,
    none: `${when}, its verdict does not change on the whole.`,
  });
}

/** `+0.35 (+0.2 … +0.5), of 50 calls`. */
export const figureText = ({ estimate, low, high, calls }: BiasFigureDto): string =>
  `${signed(estimate)} (${signed(low)} … ${signed(high)}), of ${calls} calls`;

const signed = (value: number): string => `${value > 0 ? '+' : value < 0 ? '−' : ''}${formatMetric(Math.abs(value))}`;
