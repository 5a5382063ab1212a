import { Plus } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';

import { isSamePath } from '../../../shared/query/fields.js';
import { printPath } from '../../../shared/query/print.js';
import type { Path } from '../../../shared/query/query.js';
import { useKnownValues } from '../../../shared/query/use-known-values.js';
import { Button } from '../../../shared/ui/button.js';
import { Input } from '../../../shared/ui/input.js';
import { MAX_CHOSEN, toFacetPath } from './chosen-facets.js';
import styles from './facets.module.css';

interface Props {
  readonly chosen: readonly Path[];
  readonly setChosen: (paths: readonly Path[]) => void;
}

/** Counts the values of a further field: the keys of the newest calls' attributes are suggested. */
export function AddFacet({ chosen, setChosen }: Props) {
  const id = useId();
  const [text, setText] = useState('');
  const [isUsed, setIsUsed] = useState(false);
  const keys = useKnownValues(isUsed ? 'attributes' : null);
  const path = toFacetPath(text.trim());
  const isThere = path !== null && chosen.some((one) => isSamePath(one, path));
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (path === null || isThere) return;
    setChosen([...chosen, path]);
    setText('');
  };
  if (chosen.length >= MAX_CHOSEN) return null;
  return (
    <form className={styles['add']} onSubmit={add} aria-label="Add a facet">
      <Input
        aria-label="Field of another facet"
        placeholder="attributes.plan"
        list={id}
        maxLength={1_024}
        aria-invalid={text.trim() !== '' && path === null}
        value={text}
        onFocus={() => setIsUsed(true)}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" aria-label="Count this field" title="Count this field" disabled={path === null || isThere}>
        <Plus size={15} aria-hidden />
      </Button>
      <datalist id={id}>
        {keys.map((key) => (
          <option key={key} value={printPath(['attributes', key])} />
        ))}
      </datalist>
    </form>
  );
}
