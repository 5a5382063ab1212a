import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';

import type { RemoteBranch } from '../payload/large-payload.js';
import { Button } from '../ui/button.js';
import { localMembers } from './json-value.js';
import styles from './json-view.module.css';

/** Shows more members. */
export const More = ({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) => (
  <li>
    <button type="button" className={styles['more']} onClick={onClick}>
      {children}
    </button>
  </li>
);

interface RowsProps {
  readonly from: number;
  readonly to: number;
  readonly toRow: (member: readonly [string, unknown], index: number) => ReactNode;
}

/** Members of a value that is all there. */
export function LocalRows({ value, from, to, toRow }: RowsProps & { readonly value: unknown }) {
  const members = useMemo(() => localMembers(value) ?? [], [value]);
  return members.slice(from, to).map(toRow);
}

/** Members that a worker has. */
export function RemoteRows({ branch, from, to, toRow }: RowsProps & { readonly branch: RemoteBranch }) {
  const isFirst = from === 0 && branch.first.length >= Math.min(to, branch.count);
  const rows = useQuery({
    queryKey: ['members', branch.name, from, to],
    queryFn: async ({ signal }) => ({ from, members: await branch.members(from, to, signal) }),
    enabled: !isFirst,
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    // They hold what belongs to a worker.
    structuralSharing: false,
  });
  if (isFirst) return branch.first.slice(0, to).map(toRow);
  if (rows.error)
    return (
      <li role="alert">
        {rows.error.message} <Button onClick={() => void rows.refetch()}>Retry</Button>
      </li>
    );
  // Rows of another part would stand at wrong positions.
  if (rows.data?.from !== from) return <li role="status">…</li>;
  return rows.data.members.map(toRow);
}
