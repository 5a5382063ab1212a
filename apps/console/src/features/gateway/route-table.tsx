import type {
  GatewayLatencyDto,
  GatewayRouteDto,
  GatewayRouteTargetDto,
  GatewayStateDto,
  GatewayTargetDto,
} from '@hone/client';

import { formatAge, formatCount, formatDuration } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { EmptyNote } from '../../shared/ui/notes.js';
import styles from './gateway.module.css';
import { reasonText } from './standing.js';
import { StandingBadge } from './standing-badge.js';

const COLUMNS = [
  { name: 'Route' },
  { name: 'Target' },
  { name: 'State' },
  { name: 'In flight', kind: 'number' },
  { name: 'Failed', kind: 'number' },
  { name: 'First token', kind: 'number' },
  { name: 'Whole answer', kind: 'number' },
  { name: 'Last failure' },
] as const;

interface Props {
  readonly state: GatewayStateDto;
  /** Ids of the targets whose trained model or checkpoint was deleted. */
  readonly deleted: ReadonlySet<string>;
  /** Id of the target that is shown in full; '': none. */
  readonly opened: string;
  readonly open: (target: string) => void;
}

/** Each route with its targets, in the order in which requests try them. */
export function RouteTable({ state, deleted, opened, open }: Props) {
  const { routes, targets, read_at, window_seconds } = state;
  const byId = new Map(targets.map((target) => [target.id, target]));
  if (routes.length === 0)
    return (
      <EmptyNote title="No model can be asked for">
        <p>
          Routes with their targets would be here: those of the upstreams file, and trained models once they are asked.
        </p>
      </EmptyNote>
    );
  return (
    <section className={page['section']} aria-label="Routes">
      <Table label="Routes and targets" columns={COLUMNS}>
        {routes.flatMap((route) =>
          route.targets.length === 0 ? (
            <tr key={route.id} className={styles['row']}>
              <RouteHead route={route} rows={1} />
              <td colSpan={COLUMNS.length - 1} className={page['muted']}>
                All of its upstreams are disabled.
              </td>
            </tr>
          ) : (
            route.targets.map((placed, index) => (
              <tr key={`${route.id} ${placed.target}`} className={styles['row']}>
                {index === 0 && <RouteHead route={route} rows={route.targets.length} />}
                <TargetCells
                  placed={placed}
                  target={byId.get(placed.target)}
                  readAt={read_at}
                  isDeleted={deleted.has(placed.target)}
                  open={() => open(placed.target === opened ? '' : placed.target)}
                  isOpen={placed.target === opened}
                />
              </tr>
            ))
          ),
        )}
      </Table>
      <p className={page['muted']}>
        Failures and times (median · 99th percentile) are those of the last {window_seconds / 60} minutes.
      </p>
    </section>
  );
}

const RouteHead = ({ route, rows }: { readonly route: GatewayRouteDto; readonly rows: number }) => (
  <th scope="rowgroup" rowSpan={rows} className={styles['route']}>
    <bdi>{route.id}</bdi>
    {route.aliases.map((alias) => (
      <span key={alias} className={page['muted']}>
        also <bdi>{alias}</bdi>
      </span>
    ))}
    {route.kind === 'trained' && <span className={page['muted']}>trained model</span>}
    {route.stream_guard === 'buffered' && <span className={page['muted']}>streams are buffered</span>}
    {route.queued > 0 && <b>{formatCount(route.queued)} waiting</b>}
  </th>
);

interface CellsProps {
  readonly placed: GatewayRouteTargetDto;
  readonly target: GatewayTargetDto | undefined;
  readonly readAt: string;
  readonly isDeleted: boolean;
  readonly isOpen: boolean;
  readonly open: () => void;
}

function TargetCells({ placed: { priority, weight }, target, readAt, isDeleted, isOpen, open }: CellsProps) {
  if (!target) return <td colSpan={COLUMNS.length - 1} />;
  const [last] = target.failures;
  return (
    <>
      <td className={styles['target']}>
        <button type="button" className={styles['open']} aria-expanded={isOpen} onClick={open}>
          {target.upstream}/{target.model}
        </button>
        {priority > 0 && <div className={page['muted']}>fallback {priority}</div>}
        {weight !== 1 && <div className={page['muted']}>weight {weight}</div>}
      </td>
      <td>
        <StandingBadge {...{ target, isDeleted, readAt }} />
      </td>
      <td data-kind="number">
        {formatCount(target.in_flight)} of {formatCount(target.max_concurrency)}
        {target.queued > 0 && <div>{formatCount(target.queued)} waiting</div>}
      </td>
      <td data-kind="number">
        {target.failed === 0 ? 0 : <b className={page['problem']}>{formatCount(target.failed)}</b>} of{' '}
        {formatCount(target.attempts)}
      </td>
      <td data-kind="number">{latencyText(target.first_token_ms)}</td>
      <td data-kind="number">{latencyText(target.latency_ms)}</td>
      <td>{last && `${reasonText(last.reason)}, ${formatAge(last.at, Date.parse(readAt))}`}</td>
    </>
  );
}

const latencyText = (latency: GatewayLatencyDto | null): string =>
  latency === null ? '–' : `${formatDuration(latency.p50)} · ${formatDuration(latency.p99)}`;
