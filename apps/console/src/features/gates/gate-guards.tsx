import type { GateDto, GateGuardDto } from '@hone/client';

import { isRatio, nameOfGuard } from '../../shared/gates/guards.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { formatLoss, formatMargin, GUARD_STATES } from './gate-words.js';

const COLUMNS = [
  { name: 'Guard', kind: 'wide' },
  { name: 'State', kind: 'short' },
  { name: 'Accepted', kind: 'number' },
  { name: 'Loss', kind: 'number' },
  { name: 'Interval', kind: 'optional' },
] as const;

/** What must not become worse. */
export function GateGuards({ gate }: { readonly gate: GateDto }) {
  const { guards, reason_guards } = gate;
  if (guards.length === 0) return <p className={page['muted']}>Nothing guards this gate: all of it was left out.</p>;
  return (
    <section className={page['section']} aria-label="What must not become worse">
      <h2>What must not become worse</h2>
      <Table label="Guards" columns={COLUMNS}>
        {guards.map((guard) => (
          <Guard key={guard.name} guard={guard} isReason={reason_guards.includes(guard.name)} />
        ))}
      </Table>
      {guards.some(({ name, loss }) => loss && isRatio(name)) && (
        <p className={page['muted']}>
          Losses of length, cost, tokens and latency are what is beyond the margin, in characters, dollars, tokens and
          milliseconds: below 0 the margin holds.
        </p>
      )}
    </section>
  );
}

function Guard({ guard, isReason }: { readonly guard: GateGuardDto; readonly isReason: boolean }) {
  const { name, margin, needs_proof, state, loss } = guard;
  const { text, tone, meaning } = GUARD_STATES[state];
  const words = nameOfGuard(name);
  return (
    <tr>
      <td dir="auto">
        {isReason ? <b>{words}</b> : words} {needs_proof && <span className={page['muted']}>has to be proven</span>}
      </td>
      <td data-kind="short">
        <span title={meaning}>
          <Badge tone={tone}>{text}</Badge>
        </span>
      </td>
      <td data-kind="number">{formatMargin(name, margin)}</td>
      <td data-kind="number">{loss ? formatLoss(name, loss.estimate) : '–'}</td>
      <td data-kind="optional" className={page['muted']}>
        {loss && `${formatLoss(name, loss.low)} to ${formatLoss(name, loss.high)}`}
      </td>
    </tr>
  );
}
