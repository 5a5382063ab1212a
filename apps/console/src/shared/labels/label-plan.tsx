import type { LabelPlanDto, LabelPlanQueryDto } from '@hone/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { hone } from '../data/hone.js';
import form from '../dialog/dialog.module.css';
import { formatCount } from '../format/format.js';

/** How many labels make a mean known within a width. @param isReady whether one can say where the labels are */
export const useLabelPlan = (planned: LabelPlanQueryDto, isReady: boolean) =>
  useQuery({
    queryKey: ['label plan', planned],
    queryFn: ({ signal }) => hone.evaluation.planLabels(planned, { signal }),
    enabled: planned.width > 0 && isReady,
    placeholderData: keepPreviousData,
  });

/** What it costs in labels to know the mean of what a judge finds. */
export const LabelPlan = ({
  plan: { width, without_judge, with_judge, basis, labels, calls },
}: {
  readonly plan: LabelPlanDto;
}) => (
  <div role="status">
    <p>
      {with_judge === null ? (
        `Not even labels of all ${formatCount(calls)} judged calls reach ±${width}: choose a wider one.`
      ) : (
        <>
          ±{width} needs{' '}
          {without_judge === null ? 'more labels than there are calls' : `${formatCount(without_judge)} labels`}; with
          the judge <b>{formatCount(with_judge)}</b>.
        </>
      )}
    </p>
    <p className={form['hint']}>
      {labels === 0 ? 'No label is there' : `${formatCount(labels)} labels are there`}, of {formatCount(calls)} judged
      calls.{' '}
      {basis === 'worst_case' &&
        'With fewer than 20 it is the worst case: the judge may be of no use. Label a few, then ask again.'}
    </p>
  </div>
);
