import type { GateDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { formatCount } from '../../shared/format/format.js';
import { formatPercent } from '../../shared/gates/guards.js';
import page from '../../shared/page/page.module.css';
import { ButtonLink } from '../../shared/ui/button-link.js';
import styles from './gates.module.css';
import { isOpen } from './use-gates.js';

/** What people have to do, so that it can decide; nothing where there is nothing to do. */
export function GateWaits({ gate }: { readonly gate: GateDto }) {
  const { labels, labels_asked, label_plan, verdict } = gate;
  if (verdict === 'needs_labels' || label_plan) return <Needed gate={gate} />;
  if (!isOpen(gate) || labels >= labels_asked) return null;
  return <Awaited gate={gate} />;
}

function Awaited({ gate: { labels, labels_asked, awaited_calls, queue_id } }: { readonly gate: GateDto }) {
  const project = useProject();
  const { mayAnnotate } = useRights();
  const queue = queue_id === null ? null : project.path(`annotation/${encodeURIComponent(queue_id)}`);
  return (
    <section className={`${page['card']} ${page['section']}`} aria-label="What it waits for">
      <h2>It waits for people</h2>
      <p>
        People judged {formatCount(labels)} of the {formatCount(labels_asked)} pairs that were drawn, both answers of
        each. A pair counts only when all pairs before it do.
      </p>
      <progress value={labels} max={labels_asked} aria-label="Pairs that people judged" />
      {queue !== null && (
        <p className={page['row']}>
          {mayAnnotate && (
            <ButtonLink kind="primary" to={`${queue}/work`}>
              Annotate
            </ButtonLink>
          )}
          <Link to={queue}>Open its annotation queue</Link>
        </p>
      )}
      {awaited_calls.length > 0 && (
        <details>
          <summary>The first answers without a label</summary>
          <ul className={styles['awaited']}>
            {awaited_calls.map((id) => (
              <li key={id}>
                <Link to={project.path(`calls/${encodeURIComponent(id)}`)}>{id}</Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** Why a judge alone decides nothing, and how many labels would. */
const Needed = ({ gate: { reason, label_plan, settings } }: { readonly gate: GateDto }) => (
  <section className={`${page['card']} ${page['section']}`} aria-label="Labels it needs">
    <h2>It needs labels</h2>
    <p>
      {reason === 'advisory'
        ? 'The judge agrees too little with people: make a gate in which people judge all pairs.'
        : 'Make a gate that says where people label the same, so that their labels correct the judge.'}
    </p>
    {label_plan && (
      <p>
        {label_plan.labels === null ? (
          `To know the gain within ±${formatPercent(label_plan.width)}, not even labels of all ${formatCount(settings.max_pairs ?? 0)} pairs are enough.`
        ) : (
          <>
            To know the gain within ±{formatPercent(label_plan.width)}, people have to judge about{' '}
            <b>{formatCount(label_plan.labels)} pairs</b> if they alone decide; with a good judge fewer.
          </>
        )}
      </p>
    )}
  </section>
);
