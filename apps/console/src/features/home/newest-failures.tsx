import type { CallDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { formatAge, shortOpName } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import page from '../../shared/page/page.module.css';
import styles from './home.module.css';

const MAX_EXCEPTION = 160;

/** Calls that failed last, each with the last line of what it says. */
export function NewestFailures({ calls }: { readonly calls: readonly CallDto[] }) {
  const project = useProject();
  const now = useNow();
  if (calls.length === 0) return null;
  return (
    <section className={page['section']} aria-label="Newest failures">
      <h2>Newest failures</h2>
      <ul className={styles['list']}>
        {calls.map((call) => (
          <li key={call.id}>
            <Link to={project.path(`calls/${encodeURIComponent(call.id)}`)}>
              {call.display_name ?? shortOpName(call.op_name ?? '')}
            </Link>
            <code className={styles['exception']}>{lastLine(call.exception ?? '')}</code>
            <span className={page['muted']}>{call.started_at && formatAge(call.started_at, now)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A traceback says at its end what went wrong. */
const lastLine = (exception: string): string => (exception.trimEnd().split('\n').at(-1) ?? '').slice(0, MAX_EXCEPTION);
