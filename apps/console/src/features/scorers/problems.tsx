import type { ScoringProblemDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { formatCount } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import styles from './scorers.module.css';

/** Why calls have no verdict, each with one such call. */
export function Problems({ problems }: { readonly problems: readonly ScoringProblemDto[] }) {
  const project = useProject();
  return (
    <ul className={styles['plain']}>
      {problems.map(({ state, code, calls, example_call_id }) => (
        <li key={`${state} ${code}`} className={state === 'failed' ? page['problem'] : page['muted']}>
          {formatCount(calls)} {state}: {code.replaceAll('_', ' ')},{' '}
          <Link to={project.path(`calls/${encodeURIComponent(example_call_id)}`)}>for example</Link>
        </li>
      ))}
    </ul>
  );
}
