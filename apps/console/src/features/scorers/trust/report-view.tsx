import type { JudgeAgreementDto, JudgeFigureDto, JudgeMatrixDto, JudgeReportDto } from '@hone/client';
import type { ReactNode } from 'react';

import { formatCount, formatMetric, formatShare } from '../../../shared/format/format.js';
import { ADVISORY, AdvisoryBadge } from '../../../shared/labels/advisory.js';
import page from '../../../shared/page/page.module.css';
import { Badge } from '../../../shared/ui/badge.js';
import styles from '../scorers.module.css';
import { Disagreements } from './disagreements.js';

/** As many labels correct a figure. */
const ENOUGH_LABELS = 20;

interface Props {
  readonly report: JudgeReportDto;
}

interface ViewProps extends Props {
  /** Number of the scale -> what the rubric says of it; empty: it says nothing. */
  readonly steps: Readonly<Record<string, string>>;
}

/** A judge's figure with its interval, whether to decide by it, and how far people agree with the judge. */
export function ReportView({ report, steps }: ViewProps) {
  const { estimate, low, high, level, labels, calls, judge_only, unread_labels, check, agreement } = report;
  if (estimate === null || low === null || high === null)
    return <p className={page['muted']}>This version has judged fewer than two calls. Choose “Judge calls”.</p>;
  return (
    <>
      <p className={styles['figure']}>
        <b>{formatMetric(estimate)}</b>
        <span>
          {formatMetric(low)} … {formatMetric(high)}
        </span>
        <span className={page['muted']}>
          mean of {formatCount(calls)} calls, {Math.round(100 * level)} % interval
        </span>
        <Badge tone={judge_only ? 'warn' : 'good'}>
          {judge_only ? 'uncorrected' : `corrected by ${formatCount(labels)} labels`}
        </Badge>
        {report.advisory_reason && <AdvisoryBadge reason={report.advisory_reason} />}
      </p>
      <Gate report={report} />
      {judge_only && (
        <p className={page['muted']}>
          {labels === 0 ? 'No person has judged these calls' : `${formatCount(labels)} of these calls have a label`}:
          the interval leaves out the judge’s errors. {ENOUGH_LABELS} labels correct it.
        </p>
      )}
      {check && (
        <p className={page['muted']}>
          By another way, of Rogan and Gladen: {formatMetric(check.estimate)} ({formatMetric(check.low)} …{' '}
          {formatMetric(check.high)}).
        </p>
      )}
      <LeftOut report={report} />
      {unread_labels > 0 && (
        <p className={page['muted']}>
          {formatCount(unread_labels)} calls have feedback of this type that is no number on the scale.
        </p>
      )}
      {agreement && <Agreement agreement={agreement} />}
      <Disagreements disagreements={report.disagreements} steps={steps} />
    </>
  );
}

/** What is asked of the judge before anything is decided by it, and why it falls short. */
function Gate({ report: { gate, advisory_reason } }: Props) {
  const asked = `It has to pass ${formatShare(gate.min_tpr)} of what people pass, and fail ${formatShare(gate.min_tnr)} of what they fail`;
  return (
    <p className={page['muted']}>
      {advisory_reason === null
        ? `${asked}: it does.`
        : `Decide nothing by this judge alone: ${ADVISORY[advisory_reason]}. ${asked}.`}
    </p>
  );
}

/** Labels and calls that do not count, and why. */
const LeftOut = ({ report: { label_source, labels_left_out, calls_without_chance } }: Props) => (
  <>
    {labels_left_out > 0 && (
      <p className={page['muted']}>
        {formatCount(labels_left_out)} labels are left out:{' '}
        {label_source === 'drawn'
          ? 'nobody knows how their calls were chosen, as no label queue drew them.'
          : 'label queues drew their calls, and 20 of those are not labelled yet.'}
      </p>
    )}
    {calls_without_chance > 0 && (
      <p className={page['muted']}>
        {formatCount(calls_without_chance)} calls are left out, as no label queue could draw them: make another queue.
      </p>
    )}
  </>
);

const FIGURES = {
  accuracy: 'Says what people say',
  tpr: 'Passes what people pass (TPR)',
  tnr: 'Fails what people fail (TNR)',
  kappa: 'Cohen’s kappa',
  ac1: 'Gwet’s AC1',
  pearson: 'Correlation (Pearson)',
} as const;

function Agreement({ agreement }: { readonly agreement: JudgeAgreementDto }) {
  const figures = Object.entries(FIGURES).flatMap(([key, title]): [string, JudgeFigureDto][] => {
    const figure = agreement[key as keyof typeof FIGURES];
    return figure ? [[title, figure]] : [];
  });
  return (
    <>
      <h2>Agreement</h2>
      {figures.length === 0 && <p className={page['muted']}>Too few labels to say.</p>}
      <dl className={page['facts']}>
        {figures.map(([title, { estimate, low, high }]) => (
          <Fact key={title} title={title}>
            <b>{formatMetric(estimate)}</b>{' '}
            <span className={page['muted']}>
              {formatMetric(low)} … {formatMetric(high)}
            </span>
          </Fact>
        ))}
      </dl>
      {agreement.matrix && <Matrix {...agreement.matrix} />}
    </>
  );
}

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </>
);

/** Calls by people's verdict and the judge's. */
const Matrix = ({ categories, counts }: JudgeMatrixDto) => (
  <div className={styles['wide']} role="region" aria-label="Confusion matrix" tabIndex={0}>
    <table className={styles['matrix']}>
      <thead>
        <tr>
          <th scope="col">people ↓ judge →</th>
          {categories.map((category) => (
            <th key={category} scope="col">
              {formatMetric(category)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {categories.map((category, row) => (
          <tr key={category}>
            <th scope="row">{formatMetric(category)}</th>
            {categories.map((judged, column) => (
              <td key={judged} data-agree={row === column}>
                {formatCount(counts[row]?.[column] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
