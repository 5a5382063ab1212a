import type { MonitorCreateDto, MonitorDto } from '@hone/client';

import { fromExpression, toInterfaceQuery } from '../../shared/query/expression.js';
import { printQuery } from '../../shared/query/print.js';

/** Which calls are meant, as one types it. */
export interface CallsMeant {
  /** As the query line has it; '': any. */
  readonly query: string;
  /** Whether calls within other calls are left out. */
  readonly isRootsOnly: boolean;
}

/** The same as the interface takes it. @throws QueryError the query has a mistake */
export function toCondition({ query, isRootsOnly }: CallsMeant): Pick<MonitorCreateDto, 'filter' | 'query'> {
  const condition = toInterfaceQuery(query);
  return {
    ...(isRootsOnly && { filter: { trace_roots_only: true } }),
    ...(condition && { query: condition as MonitorCreateDto['query'] }),
  };
}

/** Which calls are meant, for people. */
export function conditionText(filter: MonitorDto['filter'], query: MonitorDto['query']): string {
  const { trace_roots_only: isRoots, ...others } = filter ?? {};
  const parsed = query ? fromExpression((query as { $expr?: unknown }).$expr) : null;
  const conditions = [
    ...(parsed ? [printQuery(parsed)] : query ? [JSON.stringify(query)] : []),
    ...(Object.values(others).some((value) => (value ?? null) !== null) ? [JSON.stringify(others)] : []),
  ];
  const calls = isRoots ? 'calls that no other call made' : 'all calls';
  return conditions.length === 0 ? calls : `${calls} with ${conditions.join(' and ')}`;
}
