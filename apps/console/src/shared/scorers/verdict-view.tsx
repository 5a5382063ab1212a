import type { VerdictDto } from '@hone/client';

import { formatMetric } from '../format/format.js';
import page from '../page/page.module.css';
import { Badge } from '../ui/badge.js';
import { PASSED } from './scorer.js';
import styles from './verdict.module.css';

interface Props {
  readonly verdict: Omit<VerdictDto, 'call_id' | 'cost_usd'> | undefined;
}

/** What was found about a call, and why. */
export function VerdictView({ verdict }: Props) {
  if (!verdict) return <span className={page['muted']}>–</span>;
  const { state, code, ratings, tags, reason, spread } = verdict;
  if (state !== 'done')
    return (
      <>
        <Badge tone={state === 'failed' ? 'bad' : 'muted'}>{state}</Badge>{' '}
        <span className={page['muted']}>{(code ?? '').replaceAll('_', ' ')}</span>
      </>
    );
  const { [PASSED]: passed, ...others } = ratings;
  // A check that passes says so as a tag, too.
  const said = tags.filter((tag) => tag !== PASSED);
  return (
    <>
      <span className={page['row']}>
        {passed !== undefined && (
          <Badge tone={passed === 1 ? 'good' : 'bad'}>{passed === 1 ? 'passed' : 'failed'}</Badge>
        )}
        {Object.entries(others).map(([name, value]) => (
          <span key={name} className={page['unbroken']}>
            {name} <b>{formatMetric(value)}</b>
            {(spread?.[name] ?? 0) > 0 && <span className={page['muted']}> ± {formatMetric(spread?.[name] ?? 0)}</span>}
          </span>
        ))}
        {said.map((tag) => (
          <Badge key={tag} tone="muted">
            {tag}
          </Badge>
        ))}
        {passed === undefined && Object.keys(others).length === 0 && said.length === 0 && (
          <span className={page['muted']}>none of its tags</span>
        )}
      </span>
      {reason !== null && reason !== '' && (
        <p className={styles['reason']} dir="auto" title={reason}>
          {reason}
        </p>
      )}
    </>
  );
}
