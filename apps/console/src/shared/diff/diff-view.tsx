import { useMemo, useState } from 'react';

import { formatCount } from '../format/format.js';
import { Button } from '../ui/button.js';
import { Loading } from '../ui/notes.js';
import styles from './diff.module.css';
import { type DiffRow, toDiffRows, toDiffText } from './diff-rows.js';
import { useDiffLibrary } from './use-diff-library.js';

/** Equal lines around a change that stay. */
const CONTEXT = 3;
/** Lines that are shown at a time. */
const STEP = 1_000;
/** Finding the least change of texts that differ in more places than this takes too long. */
const MAX_EDITS = 5_000;

interface Props {
  readonly left: { readonly label: string; readonly value: unknown };
  readonly right: { readonly label: string; readonly value: unknown };
}

/** Two values side by side, line by line. */
export function DiffView({ left, right }: Props) {
  const [isAll, setIsAll] = useState(false);
  const [shown, setShown] = useState(STEP);
  const diff = useDiffLibrary();
  const rows = useMemo(() => {
    if (!diff.data) return null;
    const texts = [toDiffText(left.value), toDiffText(right.value)] as const;
    const parts = diff.data.diffLines(...texts, { maxEditLength: MAX_EDITS });
    return toDiffRows(
      parts ?? [
        { value: texts[0], removed: true },
        { value: texts[1], added: true },
      ],
    );
  }, [diff.data, left.value, right.value]);
  if (!rows) return <Loading what="the comparison" />;
  const changes = rows.filter(({ isChanged }) => isChanged).length;
  const near = isAll ? rows : rows.filter((_, index) => isNearChange(rows, index));
  return (
    <section aria-label={`${left.label} beside ${right.label}`}>
      <p className={styles['row']}>
        <span role="status">
          {changes === 0
            ? 'Both are equal.'
            : `${formatCount(changes)} ${changes === 1 ? 'line differs' : 'lines differ'}`}
        </span>
        <label className={styles['row']}>
          <input type="checkbox" checked={isAll} onChange={({ target }) => setIsAll(target.checked)} /> All lines
        </label>
      </p>
      <table className={styles['diff']}>
        <thead>
          <tr>
            <th scope="col">{left.label}</th>
            <th scope="col">{right.label}</th>
          </tr>
        </thead>
        <tbody>
          {near.slice(0, shown).map((row, index) => (
            <tr key={index} data-changed={row.isChanged}>
              <Side text={row.left} mark={row.isChanged && row.left !== null ? '−' : ''} />
              <Side text={row.right} mark={row.isChanged && row.right !== null ? '+' : ''} />
            </tr>
          ))}
        </tbody>
      </table>
      {near.length > shown && <Button onClick={() => setShown(shown + STEP)}>Show more</Button>}
    </section>
  );
}

const Side = ({ text, mark }: { readonly text: string | null; readonly mark: '' | '+' | '−' }) => (
  <td data-mark={mark}>
    <span className={styles['mark']}>{mark}</span>
    <code dir="auto">{text}</code>
  </td>
);

const isNearChange = (rows: readonly DiffRow[], index: number): boolean =>
  rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ isChanged }) => isChanged);
