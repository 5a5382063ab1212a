import type { GatewayFailureDto, GatewayStateDto, GatewayTargetDto } from '@hone/client';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';

import { formatDuration, formatTime } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge, type Tone } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { outcomeOf, reasonText, standingOf } from './standing.js';

const BREAKER_TONES: Readonly<Record<GatewayFailureDto['breaker'], Tone>> = {
  closed: 'good',
  'half-open': 'warn',
  open: 'bad',
};

interface Props {
  readonly state: GatewayStateDto;
  readonly id: string;
  readonly isDeleted: boolean;
  readonly close: () => void;
}

/** One target in full: why it gets requests or none, and what became of those that it failed. */
export function TargetDetail({ state, id, isDeleted, close }: Props) {
  const target = state.targets.find((one) => one.id === id);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // No value: a newer browser returns a promise, which would be taken for a clean-up.
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [id]);
  return (
    <section ref={section} className={page['card']} aria-label="Target">
      <div className={page['row']}>
        <h2 className={page['text']}>
          <bdi>{id}</bdi>
        </h2>
        <span className={page['grow']} />
        <Button kind="plain" aria-label="Close" onClick={close}>
          <X size={16} aria-hidden />
        </Button>
      </div>
      {target ? (
        <>
          <Facts {...{ state, target, isDeleted }} />
          <Failures target={target} hasRequestIds={target.failures.some(({ request_id }) => request_id !== null)} />
        </>
      ) : (
        <p className={page['muted']}>
          This process has no such target: its route was changed or has not been asked for.
        </p>
      )}
    </section>
  );
}

interface FactsProps extends Pick<Props, 'state' | 'isDeleted'> {
  readonly target: GatewayTargetDto;
}

function Facts({ state, target, isDeleted }: FactsProps) {
  const { breaker, out_until, cooling_until } = target;
  const host = state.upstreams.find(({ name }) => name === target.upstream)?.host ?? null;
  return (
    <dl className={page['facts']}>
      <dt>Now</dt>
      <dd>{standingOf(target, isDeleted).meaning}</dd>
      <dt>Breaker</dt>
      <dd>
        <Badge tone={BREAKER_TONES[breaker.state]}>{breaker.state}</Badge> since {formatTime(breaker.since)}
        {breaker.half_open_at !== null && `; lets a probe through at ${formatTime(breaker.half_open_at)}`}
      </dd>
      {out_until !== null && <Fact name="Out until" value={formatTime(out_until)} />}
      {cooling_until !== null && <Fact name="Cools down until" value={formatTime(cooling_until)} />}
      <Fact name="Slots" value={`${target.in_flight} of ${target.max_concurrency} taken, ${target.queued} waiting`} />
      {host !== null && <Fact name="Server" value={host} />}
    </dl>
  );
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

const COLUMNS = [
  { name: 'When', kind: 'short' },
  { name: 'Route' },
  { name: 'Why' },
  { name: 'Status', kind: 'number' },
  { name: 'After', kind: 'number' },
  { name: 'Breaker then' },
  { name: 'The request' },
] as const;

interface FailuresProps {
  readonly target: GatewayTargetDto;
  /** Only operators see them. */
  readonly hasRequestIds: boolean;
}

function Failures({ target, hasRequestIds }: FailuresProps) {
  const { failures } = target;
  if (failures.length === 0) return <p className={page['muted']}>No attempt has failed since the process started.</p>;
  return (
    <>
      <h2>Last failures</h2>
      <Table
        label="Last failures"
        columns={hasRequestIds ? [...COLUMNS, { name: 'Request id', kind: 'optional' }] : COLUMNS}
      >
        {failures.map((failure, index) => (
          <tr key={`${failure.at} ${index}`}>
            <td data-kind="short" className={page['unbroken']}>
              {formatTime(failure.at)}
            </td>
            <td>
              <bdi>{failure.route}</bdi>
            </td>
            <td>
              {reasonText(failure.reason)} <code>{failure.reason}</code>
            </td>
            <td data-kind="number">{failure.upstream_status ?? '–'}</td>
            <td data-kind="number">{formatDuration(failure.duration_ms)}</td>
            <td>
              <Badge tone={BREAKER_TONES[failure.breaker]}>{failure.breaker}</Badge>
            </td>
            <td>{outcomeOf(failure, target)}</td>
            {hasRequestIds && (
              <td data-kind="optional">
                <code>{failure.request_id}</code>
              </td>
            )}
          </tr>
        ))}
      </Table>
    </>
  );
}
