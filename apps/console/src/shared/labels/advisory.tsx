import type { JudgeReportDto } from '@hone/client';

import { Badge } from '../ui/badge.js';

export type AdvisoryReason = NonNullable<JudgeReportDto['advisory_reason']>;

/** Why nothing should be decided by a judge. */
export const ADVISORY: Readonly<Record<AdvisoryReason, string>> = {
  no_labels: 'no person has labelled what it judged',
  few_labels: 'fewer than 20 of the calls have a label',
  no_pass_mark: 'nothing says which of its numbers pass',
  nothing_passed: 'people passed none of the labelled calls',
  nothing_failed: 'people failed none of the labelled calls',
  low_tpr: 'it fails too much of what people pass',
  low_tnr: 'it passes too much of what people fail',
};

/** Names a judge that reports, but should decide nothing. */
export const AdvisoryBadge = ({ reason }: { readonly reason: AdvisoryReason }) => (
  <span title={`Decide nothing by this judge alone: ${ADVISORY[reason]}.`}>
    <Badge tone="warn">advisory</Badge>
  </span>
);
