import { useInfiniteQuery } from '@tanstack/react-query';
import type { ChangeEvent } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useKeyNames } from '../../shared/data/key-names.js';
import { useSearchValues } from '../../shared/data/search-state.js';
import { formatTime } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import { toAuditQuery, toDetailText, toSubjectText } from './audit-query.js';

const LIMIT = 50;

/** What entries are about, the part of an action before its dot. */
const AREAS = [
  'annotation_queue',
  'api_key',
  'artifact',
  'call_logging',
  'call_search',
  'calls',
  'checkpoint_alias',
  'checkpoints',
  'cost',
  'entity',
  'feedback',
  'member',
  'model',
  'object_versions',
  'project',
  'retention',
  'session',
  'usage_limits',
  'user',
];

const COLUMNS = [
  { name: 'When', kind: 'short' },
  { name: 'Who' },
  { name: 'What' },
  { name: 'Of', kind: 'optional' },
  { name: 'Detail', kind: 'optional' },
] as const;

/** Who changed users, keys, roles and limits, the newest first. */
export function AuditLog() {
  const [value, set] = useSearchValues();
  const wanted = toAuditQuery({ who: value('who'), what: value('what'), from: value('from'), to: value('to') });
  const log = useInfiniteQuery({
    queryKey: ['audit log', wanted],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...wanted, limit: LIMIT, ...(pageParam !== '' && { after: pageParam }) };
      return hone.accounts.listAuditEntries(query, { signal });
    },
    placeholderData: (before) => before,
    initialPageParam: '',
    getNextPageParam: ({ data, has_more }) => (has_more ? (data.at(-1)?.id ?? null) : null),
  });
  const keyNames = useKeyNames();
  const entries = log.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <AuditFilter value={value} set={set} />
      {log.error && <ErrorNote error={log.error} retry={() => void log.refetch()} />}
      {log.isPending && <Loading what="the audit log" />}
      <Table label="Entries" columns={COLUMNS}>
        {entries.map(({ id, at, actor, action, subject, detail }) => (
          <tr key={id}>
            <td data-kind="short" className={`${page['muted']} ${page['unbroken']}`}>
              {formatTime(at)}
            </td>
            <td>{actor}</td>
            <td className={page['unbroken']}>{action}</td>
            <td data-kind="optional" title={subject}>
              {toSubjectText(subject, detail, keyNames)}
            </td>
            <td data-kind="optional" className={page['muted']}>
              {toDetailText(detail)}
            </td>
          </tr>
        ))}
      </Table>
      {log.data && entries.length === 0 && (
        <p className={page['muted']}>
          {Object.keys(wanted).length > 0 ? 'No entry matches.' : 'Nobody has changed anything yet.'}
        </p>
      )}
      {log.hasNextPage && (
        <p>
          <Button disabled={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Older entries
          </Button>
        </p>
      )}
    </>
  );
}

interface FilterProps {
  readonly value: (name: string) => string;
  readonly set: (name: string, value: string) => void;
}

function AuditFilter({ value, set }: FilterProps) {
  const field = (name: string) => ({
    defaultValue: value(name),
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => set(name, target.value.trim()),
  });
  return (
    <form className={page['form']} role="search" aria-label="Entries" onSubmit={(event) => event.preventDefault()}>
      <label>
        Who
        <Input type="search" maxLength={128} placeholder="anybody" {...field('who')} />
      </label>
      <label>
        What
        <Input
          type="search"
          maxLength={128}
          placeholder="api_key, member.put, …"
          list="audit-areas"
          {...field('what')}
        />
        <datalist id="audit-areas">
          {AREAS.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </label>
      <label>
        From
        <Input type="date" {...field('from')} />
      </label>
      <label>
        To, included
        <Input type="date" {...field('to')} />
      </label>
    </form>
  );
}
