import { isJsonObject, parseJson } from '@hone/client';
import { X } from 'lucide-react';
import { useState } from 'react';

import { useRights } from '../../shared/data/role.js';
import type { Row } from '../../shared/datasets/write-dataset.js';
import { prettyJson } from '../../shared/format/preview.js';
import { ValueCard } from '../../shared/json-view/value-card.js';
import { Button } from '../../shared/ui/button.js';
import { TextArea } from '../../shared/ui/input.js';
import { Loading } from '../../shared/ui/notes.js';
import styles from './datasets.module.css';

interface Props {
  readonly index: number;
  /** undefined: it is being read. */
  readonly row: Row | undefined;
  readonly isDeleted: boolean;
  /** Whether this is the newest version, the only one that changes are made to. */
  readonly isNewest: boolean;
  readonly change: (row: Row) => void;
  readonly toggleDeleted: () => void;
  readonly close: () => void;
}

/** One row, whole, and a way to change it. */
export function RowPanel({ index, row, isDeleted, isNewest, change, toggleDeleted, close }: Props) {
  const { mayWrite } = useRights();
  const [text, setText] = useState<string | null>(null);
  const parsed = text === null ? undefined : toRow(text);
  const apply = () => {
    if (!parsed) return;
    change(parsed);
    setText(null);
  };
  return (
    <aside className={styles['panel']} aria-label={`Row ${index}`}>
      <header className={styles['bar']}>
        <h2>Row {index}</h2>
        {isDeleted && <span>will be deleted</span>}
        <span className={styles['spacer']} />
        {mayWrite && isNewest && row && text === null && (
          <>
            {!isDeleted && <Button onClick={() => setText(prettyJson(row))}>Edit</Button>}
            <Button onClick={toggleDeleted}>{isDeleted ? 'Keep' : 'Delete'}</Button>
          </>
        )}
        <Button kind="plain" aria-label="Close" onClick={close}>
          <X size={16} aria-hidden />
        </Button>
      </header>
      {text !== null ? (
        <div className={styles['editor']}>
          <TextArea
            aria-label="Row as JSON"
            aria-invalid={!parsed}
            spellCheck={false}
            rows={18}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <p role="status">{parsed ? '' : 'A row is a JSON object; this is none yet.'}</p>
          <div className={styles['bar']}>
            <Button kind="primary" disabled={!parsed} onClick={apply}>
              Apply
            </Button>
            <Button onClick={() => setText(null)}>Cancel</Button>
          </div>
        </div>
      ) : row === undefined ? (
        <Loading what="the row" />
      ) : (
        Object.entries(row).map(([key, value]) => <ValueCard key={key} title={key} value={value} />)
      )}
    </aside>
  );
}

function toRow(text: string): Row | null {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? (value as Row) : null;
  } catch {
    return null;
  }
}
