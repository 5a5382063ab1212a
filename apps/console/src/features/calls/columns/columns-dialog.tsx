import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useState } from 'react';

import form from '../../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../../shared/dialog/form-dialog.js';
import page from '../../../shared/page/page.module.css';
import { Button } from '../../../shared/ui/button.js';
import { Input } from '../../../shared/ui/input.js';
import { DEFAULT_COLUMNS, KNOWN_COLUMNS, toColumn } from './columns.js';
import styles from './columns.module.css';

interface Props {
  /** Ids of the columns that are shown, those included that are gone. */
  readonly ids: readonly string[];
  readonly apply: (ids: readonly string[]) => void;
  readonly close: () => void;
}

/** Chooses the columns of the list and their order: known ones, or any path into the values of calls. */
export function ColumnsDialog({ ids, apply, close }: Props) {
  const [chosen, setChosen] = useState(ids);
  const [path, setPath] = useState('');
  const typed = path.trim();
  const isKnown = typed === '' || (toColumn(typed) !== undefined && !chosen.includes(typed));
  const add = () => {
    if (typed === '' || !isKnown) return;
    setChosen([...chosen, typed]);
    setPath('');
  };
  const move = (at: number, by: number) =>
    setChosen(chosen.toSpliced(at, 1).toSpliced(at + by, 0, chosen[at] as string));
  return (
    <FormDialog
      title="Columns"
      action="Show"
      {...{ isPending: false, error: null, close }}
      isReady={isKnown && (chosen.length > 0 || typed !== '')}
      submit={() => {
        apply(typed === '' ? chosen : [...chosen, typed]);
        close();
      }}
    >
      <ol className={styles['list']} aria-label="Columns of the list">
        {chosen.map((id, at) => {
          const column = toColumn(id);
          return (
            <li key={id}>
              <span>{column ? column.label : `${id}, which is no column`}</span>
              <Button kind="plain" aria-label={`Move ${id} up`} disabled={at === 0} onClick={() => move(at, -1)}>
                <ArrowUp size={15} aria-hidden />
              </Button>
              <Button
                kind="plain"
                aria-label={`Move ${id} down`}
                disabled={at === chosen.length - 1}
                onClick={() => move(at, 1)}
              >
                <ArrowDown size={15} aria-hidden />
              </Button>
              <Button kind="plain" aria-label={`Remove ${id}`} onClick={() => setChosen(chosen.toSpliced(at, 1))}>
                <X size={15} aria-hidden />
              </Button>
            </li>
          );
        })}
      </ol>
      <label>
        Another column
        <span className={page['row']}>
          <Input
            className={page['grow'] ?? ''}
            list="known-columns"
            maxLength={1_024}
            placeholder="inputs.question, output.score, attributes.user"
            aria-invalid={!isKnown}
            aria-describedby="column-hint"
            value={path}
            onChange={({ target }) => setPath(target.value)}
          />
          <Button onClick={add} disabled={typed === '' || !isKnown}>
            Add
          </Button>
        </span>
        <span id="column-hint" className={form['hint']}>
          {isKnown
            ? 'A column, or a path into attributes, inputs, output or summary. Keys with dots stand in quotes.'
            : chosen.includes(typed)
              ? 'This column is there already.'
              : 'There is no such column.'}
        </span>
      </label>
      <datalist id="known-columns">
        {KNOWN_COLUMNS.filter((id) => !chosen.includes(id)).map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <p>
        <Button onClick={() => setChosen(DEFAULT_COLUMNS)}>Reset</Button>
      </p>
    </FormDialog>
  );
}
