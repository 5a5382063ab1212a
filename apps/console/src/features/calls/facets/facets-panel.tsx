import { ThumbsDown, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';

import { modelTitle } from '../../../shared/data/model-names.js';
import { useProject } from '../../../shared/data/project.js';
import { shortRef } from '../../../shared/data/refs.js';
import { useUsernames } from '../../../shared/data/usernames.js';
import { formatCount, formatTime } from '../../../shared/format/format.js';
import { printPath } from '../../../shared/query/print.js';
import type { Path, Query } from '../../../shared/query/query.js';
import { Button } from '../../../shared/ui/button.js';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { AddFacet } from './add-facet.js';
import { chosenValues, type FacetValue, isSame, toggled } from './facet-query.js';
import styles from './facets.module.css';
import { type Facet, FACETS, thumbsFacet, type ToBody, useFacets } from './use-facets.js';

interface Props {
  /** What calls are chosen by now. */
  readonly query: Query | null;
  readonly change: (query: Query | null) => void;
  readonly toBody: ToBody;
  /** Changes with what `toBody` adds. */
  readonly filterKey: readonly string[];
  /** Fields that are counted besides. */
  readonly chosen: readonly Path[];
  readonly setChosen: (paths: readonly Path[]) => void;
}

/** What there is to choose calls by, with counts: a click adds a value to the query, or takes it away. */
export function FacetsPanel({ query, change, toBody, filterKey, chosen, setChosen }: Props) {
  const nameOf = useUsernames();
  const project = useProject();
  const fields = [...FACETS, ...chosen.map((path) => ({ path, label: printPath(path) }))];
  const { facets, error, refetch, read } = useFacets(fields, query, toBody, filterKey);
  const thumbs = thumbsFacet(toBody(query));
  const labelOf = (label: string, value: FacetValue): string => {
    if (value === null) return 'none';
    if (label === 'Sent by') return nameOf(value);
    if (label === 'Status') return value.replace('_', ' ');
    if (label === 'Model') return modelTitle(value, project.id);
    return label === 'Op' ? shortRef(value) : value;
  };
  return (
    <section className={styles['panel']} aria-label="Facets">
      {error !== null && <ErrorNote error={error} retry={refetch} />}
      {error === null && !read && <Loading what="counts" />}
      {read && (
        <FacetView
          facet={thumbs}
          query={query}
          labelOf={thumbLabel}
          toggle={(value) => change(toggled(query, thumbs.path, value, thumbs.scope))}
        />
      )}
      {facets.map((facet, at) =>
        facet === null ? null : (
          <FacetView
            key={facet.label}
            facet={facet}
            query={query}
            labelOf={(value) => labelOf(facet.label, value)}
            toggle={(value) => change(toggled(query, facet.path, value, facet.scope))}
            {...(at >= FACETS.length && { remove: () => setChosen(chosen.toSpliced(at - FACETS.length, 1)) })}
          />
        ),
      )}
      <AddFacet chosen={chosen} setChosen={setChosen} />
      {read && (
        <p className={styles['note']}>
          {read.has_more && read.oldest_started_at
            ? `Counted over the newest ${formatCount(read.scanned)} calls, since ${formatTime(read.oldest_started_at).slice(0, 16)}.`
            : 'Counted over all of these calls.'}
        </p>
      )}
    </section>
  );
}

/** Thumbs are drawn: not every machine has a font for them. */
const thumbLabel = (value: FacetValue): ReactNode =>
  value === '👍' ? (
    <>
      <ThumbsUp size={14} aria-hidden /> Thumbs up
    </>
  ) : (
    <>
      <ThumbsDown size={14} aria-hidden /> Thumbs down
    </>
  );

interface FacetProps {
  readonly facet: Facet;
  readonly query: Query | null;
  readonly labelOf: (value: FacetValue) => ReactNode;
  readonly toggle: (value: FacetValue) => void;
  /** Absent: everybody sees it. */
  readonly remove?: () => void;
}

function FacetView({ facet: { path, scope, label, values, isTruncated }, query, labelOf, toggle, remove }: FacetProps) {
  const chosen = chosenValues(query, path, scope);
  const counted: readonly { value: FacetValue; count?: number }[] = values;
  // What is chosen stays to be taken away, though no call has it.
  const missing = chosen.map((one) => (one === null ? null : String(one)));
  const isCounted = counted.every(({ count }) => count !== undefined);
  const shown = [
    ...counted,
    ...missing
      .filter((one) => !counted.some(({ value }) => value === one))
      .map((value) => ({ value, ...(isCounted && { count: 0 }) })),
  ];
  return (
    <details open className={styles['facet']}>
      <summary>{label}</summary>
      {shown.length === 0 && <p className={styles['note']}>None</p>}
      <ul aria-label={label}>
        {shown.map(({ value, count }) => (
          <li key={value === null ? 'none' : `value ${value}`}>
            <label title={value ?? undefined}>
              <input
                type="checkbox"
                checked={chosen.some((one) => isSame(one, value))}
                onChange={() => toggle(value)}
              />
              <span className={styles['value']}>{labelOf(value)}</span>
              {count !== undefined && <span className={styles['count']}>{formatCount(count)}</span>}
            </label>
          </li>
        ))}
      </ul>
      {isTruncated && <p className={styles['note']}>and others</p>}
      {remove && (
        <Button kind="plain" aria-label={`Remove the facet ${label}`} onClick={remove}>
          Remove
        </Button>
      )}
    </details>
  );
}
