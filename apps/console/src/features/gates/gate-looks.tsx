import type { GateDto, GateLookDto } from '@hone/client';
import { useMemo } from 'react';

import { SequenceChart } from '../../shared/charts/sequence-chart.js';
import { formatCount } from '../../shared/format/format.js';
import { formatPercent } from '../../shared/gates/guards.js';
import page from '../../shared/page/page.module.css';
import { Table, type TableColumn } from '../../shared/page/table.js';

const LABELS: TableColumn = { name: 'Judged by people' };
const FIGURES: readonly TableColumn[] = [{ name: 'Gain' }, { name: 'Interval', kind: 'wide' }];

/** How much better the candidate is, look by look: as a picture, and as numbers. */
export function GateLooks({ gate: { looks, settings } }: { readonly gate: GateDto }) {
  const points = useMemo(() => looks.map(({ pairs, gain }) => ({ x: pairs, ...gain })), [looks]);
  const minGain = settings.min_gain ?? 0;
  if (looks.length === 0)
    return <p className={page['muted']}>Nothing was looked at yet: a look comes every {settings.look_every} pairs.</p>;
  const hasLabels = looks.some(({ labels }) => labels > 0);
  const columns = [{ name: 'Pairs' }, ...(hasLabels ? [LABELS] : []), ...FIGURES];
  const level = 100 * (1 - (settings.alpha ?? 0));
  return (
    <section className={page['section']} aria-label="Looks">
      <SequenceChart
        title="How much better the candidate is"
        axes={['pairs', 'gain']}
        points={points}
        mark={{ label: 'to promote', value: minGain }}
        format={formatPercent}
      />
      <p className={page['muted']}>
        The gain is in percent of the scale. The intervals hold it at all looks together with {level} % confidence. The
        gate promotes once the whole interval is above {minGain === 0 ? '0' : formatPercent(minGain)}, and rejects once
        all of it is below.
      </p>
      <Table label="Each look" columns={columns}>
        {looks.toReversed().map((look) => (
          <Look key={look.pairs} {...{ look, hasLabels }} />
        ))}
      </Table>
    </section>
  );
}

interface LookProps {
  readonly look: GateLookDto;
  readonly hasLabels: boolean;
}

const Look = ({ look: { pairs, labels, gain }, hasLabels }: LookProps) => (
  <tr>
    <td>{formatCount(pairs)}</td>
    {hasLabels && <td>{formatCount(labels)}</td>}
    <td>{formatPercent(gain.estimate)}</td>
    <td>
      {formatPercent(gain.low)} to {formatPercent(gain.high)}
    </td>
  </tr>
);
