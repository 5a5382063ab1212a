import type { UsageReportDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { download } from '../../shared/data/download.js';
import { hone } from '../../shared/data/hone.js';
import { useKeyNames } from '../../shared/data/key-names.js';
import { modelTitle } from '../../shared/data/model-names.js';
import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { formatCost, formatCount, formatDuration } from '../../shared/format/format.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { ButtonLink } from '../../shared/ui/button-link.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';
import { Limits } from './limits.js';
import styles from './usage.module.css';
import { type Group, GROUP_NAMES, GROUPS, type NameOf, namesOf, shareOf, toCsv } from './usage-rows.js';

const DAYS = { '1': 'Last day', '7': 'Last 7 days', '30': 'Last 30 days', '90': 'Last 90 days' };
const DAY_MS = 86_400_000;
const POLL_MS = 10_000;
/** Of two groups there may be thousands; the file has all. */
const MOST_ROWS = 500;

const COLUMNS = [
  { name: 'Share of requests', kind: 'optional', isHidden: true },
  ...['Requests', 'Failed', 'Aborted', 'Prompt tokens', 'Completion tokens', 'Mean latency', 'Cost'].map((name) => ({
    name,
    kind: 'number' as const,
  })),
] as const;

/** What a project used and what it cost, and the limits that hold for it. */
export default function UsagePage() {
  const project = useProject();
  const [range, setRange] = useSearchState('days');
  const [grouping, setGrouping] = useSearchState('by');
  const days = Object.hasOwn(DAYS, range) ? range : '30';
  const [second, setSecond] = useSearchState('and');
  const by = (Object.hasOwn(GROUPS, grouping) ? grouping : 'day') as Group;
  const thenBy = Object.hasOwn(GROUPS, second) && second !== by ? (second as Group) : null;
  const kinds = thenBy === null ? [by] : [by, thenBy];
  const keyNames = useKeyNames();
  const report = useQuery({
    queryKey: ['usage', project.id, days, by, thenBy],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - Number(days) * DAY_MS).toISOString();
      return hone.inference.getUsage({ project: project.id, from, by, ...(thenBy && { then_by: thenBy }) }, { signal });
    },
    refetchInterval: POLL_MS,
  });
  const usernameOf = useUsernames();
  const nameOf: NameOf = (kind, group) => {
    if (kind === 'user') return usernameOf(group);
    if (kind === 'model') return modelTitle(group, project.id);
    return kind === 'key' ? (keyNames.get(group) ?? group) : group;
  };
  const save = (rows: UsageReportDto['data']) =>
    download(`usage-${kinds.join('-')}.csv`, 'text/csv', [toCsv(rows, kinds, nameOf)]);
  return (
    <Page
      title="Usage"
      actions={
        <>
          <Choice label="Time" value={days} options={DAYS} onChoose={setRange} />
          <Choice label="Grouped" value={by} options={GROUPS} onChoose={setGrouping} />
          <Choice label="And grouped" value={thenBy ?? ''} options={secondOf(by)} onChoose={setSecond} />
          {report.data && report.data.data.length > 0 && (
            <Button onClick={() => save(report.data.data)}>Download CSV</Button>
          )}
        </>
      }
    >
      {report.error && !report.data && <ErrorNote error={report.error} retry={() => void report.refetch()} />}
      {report.isPending && <Loading what="usage" />}
      {report.data && <Report report={report.data} kinds={kinds} nameOf={nameOf} />}
      <div className={page['body']}>
        <p className={page['muted']}>
          This page counts requests through the gateway. <Link to={project.path()}>Home</Link> also counts the calls
          that SDKs trace, and <Link to={project.path('calls')}>Calls</Link> lists each of them.
        </p>
        <Limits />
      </div>
    </Page>
  );
}

interface ReportProps {
  readonly report: UsageReportDto;
  /** What its rows are grouped by: one or two. */
  readonly kinds: readonly Group[];
  readonly nameOf: NameOf;
}

/** What the second choice offers beside the first. */
const secondOf = (by: Group): Readonly<Record<string, string>> => ({
  '': 'and no more',
  ...Object.fromEntries(
    Object.entries(GROUPS).flatMap(([group, name]) => (group === by ? [] : [[group, name.replace('by', 'and')]])),
  ),
});

function Report({ report: { data, total }, kinds, nameOf }: ReportProps) {
  if (data.length === 0) return <NothingUsed />;
  return (
    <>
      <Table label="What was used" columns={[...kinds.map((kind) => ({ name: GROUP_NAMES[kind] })), ...COLUMNS]}>
        {data.slice(0, MOST_ROWS).map((row) => (
          <tr key={`${row.group} ${row.then_group}`}>
            {namesOf(row, kinds, nameOf).map((name, at) => (
              <th key={kinds[at]} scope="row">
                {name}
              </th>
            ))}
            <td data-kind="optional">
              <span className={styles['bar']} style={{ width: `${100 * shareOf(row, data)}%` }} />
            </td>
            <Sums sums={row} />
          </tr>
        ))}
        <tr>
          <th scope="row" colSpan={kinds.length}>
            All
          </th>
          <td data-kind="optional" />
          <Sums sums={total} />
        </tr>
      </Table>
      {data.length > MOST_ROWS && (
        <p className={page['more']}>
          The first {MOST_ROWS} of {formatCount(data.length)} rows are shown; the CSV has all.
        </p>
      )}
    </>
  );
}

function NothingUsed() {
  const project = useProject();
  return (
    <EmptyNote title="Nothing was asked through the gateway in this time">
      <p>
        Each request through the gateway is counted here within a second, also those that fail. Look at a longer time,
        ask a model in the playground, or paste:
      </p>
      <Snippet
        text={`curl ${location.origin}/v1/chat/completions -H 'Content-Type: application/json' \\
  -H "Authorization: Bearer $HONE_API_KEY" -H 'Hone-Project: ${project.id}' \\
  -d '{"model":"hone-tiny","messages":[{"role":"user","content":"Who are you?"}]}'`}
      />
      <p>
        <ButtonLink kind="primary" to={project.path('playground')}>
          Open the playground
        </ButtonLink>
      </p>
    </EmptyNote>
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
