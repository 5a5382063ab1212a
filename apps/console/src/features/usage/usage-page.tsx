import type { UsageReportDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { download } from '../../shared/data/download.js';
import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { formatCost, formatCount, formatDuration } from '../../shared/format/format.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Limits } from './limits.js';
import styles from './usage.module.css';
import { shareOf, toCsv } from './usage-rows.js';
import { useKeyNames } from './use-key-names.js';

const DAYS = { '1': 'Last day', '7': 'Last 7 days', '30': 'Last 30 days', '90': 'Last 90 days' };
const GROUPS = { day: 'by day', hour: 'by hour', model: 'by model', key: 'by key', user: 'by user' };
const DAY_MS = 86_400_000;
const POLL_MS = 10_000;

const COLUMNS = [
  { name: 'Share of requests', kind: 'optional', isHidden: true },
  ...['Requests', 'Failed', 'Aborted', 'Prompt tokens', 'Answer tokens', 'Mean latency', 'Cost'].map((name) => ({
    name,
    kind: 'number' as const,
  })),
] as const;

type Group = keyof typeof GROUPS;

/** What a project used and what it cost, and the limits that hold for it. */
export default function UsagePage() {
  const project = useProject();
  const [range, setRange] = useSearchState('days');
  const [grouping, setGrouping] = useSearchState('by');
  const days = range in DAYS ? range : '30';
  const by = (grouping in GROUPS ? grouping : 'day') as Group;
  const keyNames = useKeyNames();
  const report = useQuery({
    queryKey: ['usage', project.id, days, by],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - Number(days) * DAY_MS).toISOString();
      return hone.inference.getUsage({ project: project.id, from, by }, { signal });
    },
    refetchInterval: POLL_MS,
  });
  const usernameOf = useUsernames();
  const nameOf = (group: string) => {
    if (by === 'user') return usernameOf(group);
    return by === 'key' ? (keyNames.get(group) ?? group) : group;
  };
  return (
    <Page
      title="Usage"
      actions={
        <>
          <Choice label="Time" value={days} options={DAYS} onChoose={setRange} />
          <Choice label="Grouped" value={by} options={GROUPS} onChoose={setGrouping} />
          {report.data && report.data.data.length > 0 && (
            <Button onClick={() => download(`usage-${by}.csv`, 'text/csv', [toCsv(report.data.data, nameOf)])}>
              Download CSV
            </Button>
          )}
        </>
      }
    >
      {report.error && !report.data && <ErrorNote error={report.error} retry={() => void report.refetch()} />}
      {report.isPending && <Loading what="usage" />}
      {report.data && <Report report={report.data} nameOf={nameOf} />}
      <div className={page['body']}>
        <p className={page['muted']}>
          Counted are requests through the gateway. What traced calls of an SDK say that they used is not: see{' '}
          <Link to={project.path()}>Home</Link> for their sum, and <Link to={project.path('calls')}>Calls</Link> for
          each.
        </p>
        <Limits />
      </div>
    </Page>
  );
}

interface ReportProps {
  readonly report: UsageReportDto;
  readonly nameOf: (group: string) => string;
}

function Report({ report: { data, total, by }, nameOf }: ReportProps) {
  if (data.length === 0) {
    return (
      <EmptyNote title="Nothing was asked through the gateway in this time">
        <p>Each request through the gateway is counted here within a second, also those that fail.</p>
      </EmptyNote>
    );
  }
  return (
    <Table label="What was used" columns={[{ name: GROUPS[by as Group].slice('by '.length) }, ...COLUMNS]}>
      {data.map((row) => (
        <tr key={row.group}>
          <th scope="row">{nameOf(row.group)}</th>
          <td data-kind="optional">
            <span className={styles['bar']} style={{ width: `${100 * shareOf(row, data)}%` }} />
          </td>
          <Sums sums={row} />
        </tr>
      ))}
      <tr>
        <th scope="row">all</th>
        <td data-kind="optional" />
        <Sums sums={total} />
      </tr>
    </Table>
  );
}

const Sums = ({ sums }: { readonly sums: UsageReportDto['total'] }) => (
  <>
    {[sums.requests, sums.errors, sums.aborted, sums.prompt_tokens, sums.completion_tokens].map((count, at) => (
      <td key={at} data-kind="number">
        {formatCount(count)}
      </td>
    ))}
    <td data-kind="number">{sums.mean_latency_ms === null ? '–' : formatDuration(sums.mean_latency_ms)}</td>
    <td data-kind="number" title={`$${sums.cost_usd}`}>
      {formatCost(Number(sums.cost_usd))}
    </td>
  </>
);

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: Readonly<Record<string, string>>;
  readonly onChoose: (value: string) => void;
}

const Choice = ({ label, value, options, onChoose }: ChoiceProps) => (
  <Select aria-label={label} value={value} onChange={({ target }) => onChoose(target.value)}>
    {Object.entries(options).map(([one, name]) => (
      <option key={one} value={one}>
        {name}
      </option>
    ))}
  </Select>
);
