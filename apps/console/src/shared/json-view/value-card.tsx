import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';

import { Button } from '../ui/button.js';
import { CopyButton } from '../ui/copy-button.js';
import { Input } from '../ui/input.js';
import { countOf, sourceOf } from './json-value.js';
import { JsonView } from './json-view.js';
import { MOST_HITS, useHits } from './use-hits.js';
import styles from './value-card.module.css';

interface Props {
  readonly title: string;
  readonly value: unknown;
  /** Its path, as queries and columns name it. Absent: paths begin within it. */
  readonly path?: string;
}

/** A named JSON value of any size, that can be copied and searched. */
export function ValueCard({ title, value, path = '' }: Props) {
  const name = title.toLowerCase();
  const [isSearched, setIsSearched] = useState(false);
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const { paths, isPending, error } = useHits(value, wanted);
  const current = paths[Math.min(at, paths.length - 1)];
  const reveal = useMemo(() => (current ? { path: current } : null), [current]);
  const move = (by: number) => setAt((Math.min(at, paths.length - 1) + by + paths.length) % Math.max(1, paths.length));
  const close = () => {
    setIsSearched(false);
    setWanted('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') move(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className={styles['value']}>
      <header className={styles['head']}>
        <h3>
          {title}
          <span className={styles['tools']}>
            {(countOf(value) ?? 0) > 0 && !isSearched && (
              <Button
                kind="plain"
                title={`Find in ${name}`}
                aria-label={`Find in ${name}`}
                onClick={() => setIsSearched(true)}
              >
                <Search size={15} aria-hidden />
              </Button>
            )}
            <CopyButton label={`Copy ${name}`} text={() => sourceOf(value)} />
          </span>
        </h3>
        {isSearched && (
          <div className={styles['search']} role="search">
            <Input
              type="search"
              autoFocus
              aria-label={`Text to find in ${name}`}
              placeholder="Find in keys and values"
              value={wanted}
              onKeyDown={onKeyDown}
              onChange={({ target }) => {
                setWanted(target.value);
                setAt(0);
              }}
            />
            <span role="status">{error ? error.message : isPending ? '…' : standing(wanted, paths.length, at)}</span>
            <Button kind="plain" aria-label="Previous hit" disabled={paths.length === 0} onClick={() => move(-1)}>
              <ChevronUp size={15} aria-hidden />
            </Button>
            <Button kind="plain" aria-label="Next hit" disabled={paths.length === 0} onClick={() => move(1)}>
              <ChevronDown size={15} aria-hidden />
            </Button>
            <Button kind="plain" aria-label="End the search" onClick={close}>
              <X size={15} aria-hidden />
            </Button>
          </div>
        )}
      </header>
      <div className={styles['body']}>
        <JsonView value={value} label={title} path={path} reveal={reveal} />
      </div>
    </section>
  );
}

function standing(wanted: string, hits: number, at: number): string {
  if (wanted === '') return '';
  if (hits === 0) return 'Nothing found';
  return `${Math.min(at, hits - 1) + 1} of ${hits === MOST_HITS ? `the first ${hits}` : hits}`;
}
