import type { AdvisoryReason, JudgeGateDto, JudgeReportDto, JudgeReportQueryDto } from '@hone/contracts';
import { MIN_LABELS } from '@hone/statistics';

import { passRates, toFigure, weightsOf } from './agreement.js';
import type { Criterion } from './criterion.js';
import type { LabelledCalls } from './labelled-calls.js';

/** Least share of what people pass that a judge has to pass, and of what they fail that it has to fail. */
export const MIN_RATE = 0.8;

type GateFigures = Pick<JudgeReportDto, 'advisory' | 'advisory_reason' | 'gate'>;
type Asked = Pick<JudgeReportQueryDto, 'min_tpr' | 'min_tnr' | 'pass_above'>;

/** Whether a judge agrees with people so far that something may be decided by it. */
export function gateFigures(calls: LabelledCalls, criterion: Criterion, asked: Asked, level: number): GateFigures {
  const passAbove = asked.pass_above ?? middleOf(criterion);
  const rates = passAbove === null ? null : ratesOf(calls, passAbove, level);
  const gate = {
    ...{ min_tpr: asked.min_tpr ?? MIN_RATE, min_tnr: asked.min_tnr ?? MIN_RATE, pass_above: passAbove },
    ...{ tpr: toFigure(rates?.tpr), tnr: toFigure(rates?.tnr) },
  };
  const reason = reasonOf(gate, calls.human.length);
  return { advisory: reason !== null, advisory_reason: reason, gate };
}

const middleOf = ({ scale }: Criterion): number | null => (scale === null ? null : (scale[0] + scale[1]) / 2);

function ratesOf(calls: LabelledCalls, passAbove: number, level: number) {
  const passes = (values: readonly number[]): number[] => values.map((value) => Number(value > passAbove));
  return passRates(passes(calls.human), passes(calls.judge), weightsOf(calls), level);
}

function reasonOf({ pass_above, tpr, tnr, min_tpr, min_tnr }: JudgeGateDto, labels: number): AdvisoryReason | null {
  if (labels < MIN_LABELS) return labels === 0 ? 'no_labels' : 'few_labels';
  if (pass_above === null) return 'no_pass_mark';
  if (tpr === null) return 'nothing_passed';
  if (tnr === null) return 'nothing_failed';
  if (tpr.estimate < min_tpr) return 'low_tpr';
  return tnr.estimate < min_tnr ? 'low_tnr' : null;
}
