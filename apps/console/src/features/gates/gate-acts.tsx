import type { GateDto } from '@hone/client';

import { useUsernames } from '../../shared/data/usernames.js';
import { formatTime } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';

const COLUMNS = [{ name: 'When' }, { name: 'What was done' }, { name: 'By' }, { name: 'More', kind: 'wide' }] as const;

/** Who or what acted on the gate; nothing where nobody did. */
export function GateActs({ gate: { acts } }: { readonly gate: GateDto }) {
  const nameOf = useUsernames();
  if (acts.length === 0) return null;
  return (
    <section className={page['section']} aria-label="What was done with it">
      <h2>What was done with it</h2>
      <Table label="Acts" columns={COLUMNS}>
        {acts.map(({ at, act, by, detail }) => (
          <tr key={`${at} ${act}`}>
            <td className={page['muted']}>{formatTime(at)}</td>
            <td>{act}</td>
            <td>{by === null ? 'the service' : nameOf(by)}</td>
            <td dir="auto">{detail}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
