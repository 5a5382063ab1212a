import { useInfiniteQuery } from '@tanstack/react-query';

import { hone } from '../../shared/data/hone.js';
import { formatTime } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import styles from './settings.module.css';

const LIMIT = 50;

const COLUMNS = [
  { name: 'When' },
  { name: 'Who' },
  { name: 'What' },
  { name: 'Of', kind: 'optional' },
  { name: 'Detail', kind: 'optional' },
] as const;

/** Who changed users, keys, roles and limits, the newest first. */
export function AuditLog() {
  const log = useInfiniteQuery({
    queryKey: ['audit log'],
    queryFn: ({ pageParam, signal }) =>
      hone.accounts.listAuditEntries({ limit: LIMIT, ...(pageParam !== '' && { after: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ data, has_more }) => (has_more ? (data.at(-1)?.id ?? null) : null),
  });
  if (log.error && !log.data) return <ErrorNote error={log.error} retry={() => void log.refetch()} />;
  if (!log.data) return <Loading what="the audit log" />;
  const entries = log.data.pages.flatMap(({ data }) => data);
  return (
    <>
      <Table label="Entries" columns={COLUMNS}>
        {entries.map(({ id, at, actor, action, subject, detail }) => (
          <tr key={id}>
            <td className={page['muted']}>{formatTime(at)}</td>
            <td>{actor}</td>
            <td>{action}</td>
            <td data-kind="optional">{subject}</td>
            <td data-kind="optional" className={styles['detail']} title={JSON.stringify(detail, null, 1)}>
              <code>{JSON.stringify(detail)}</code>
            </td>
          </tr>
        ))}
      </Table>
      {entries.length === 0 && <p className={page['muted']}>Nobody has changed anything yet.</p>}
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
