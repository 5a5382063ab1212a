import { isJsonObject, JsonNumber, stringifyJson } from '@hone/client';
import { useState } from 'react';

import styles from './json-view.module.css';

/** Members of one array or object that are shown at a time. */
const STEP = 100;
/** Characters of one text that are shown at first. */
const MAX_CHARACTERS = 2_000;
/** Levels that are open at first. */
const OPEN_LEVELS = 2;

/** Any JSON value as a tree that opens and closes. Numbers are shown as they were sent, and nothing in it is run. */
export const JsonView = ({ value, label }: { readonly value: unknown; readonly label: string }) => (
  <div className={styles['tree']} role="group" aria-label={label}>
    <Value value={value} level={0} />
  </div>
);

interface NodeProps {
  readonly value: unknown;
  readonly level: number;
}

function Value({ value, level }: NodeProps) {
  if (typeof value === 'string') return <Text text={value} />;
  if (Array.isArray(value))
    return <Branch entries={value.map((item, index) => [String(index), item])} brackets="[]" level={level} />;
  if (isJsonObject(value)) return <Branch entries={Object.entries(value)} brackets="{}" level={level} />;
  return (
    <span className={styles['other']}>{value instanceof JsonNumber ? value.text : stringifyJson(value ?? null)}</span>
  );
}

interface BranchProps {
  readonly entries: readonly (readonly [key: string, value: unknown])[];
  readonly brackets: string;
  readonly level: number;
}

function Branch({ entries, brackets, level }: BranchProps) {
  const [isOpen, setIsOpen] = useState(level < OPEN_LEVELS);
  const [shown, setShown] = useState(STEP);
  const [open = '', close = ''] = brackets;
  if (entries.length === 0) return <span>{brackets}</span>;
  return (
    <>
      <button
        type="button"
        className={styles['toggle']}
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Close' : 'Open'} ${entries.length} entries`}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? `▾ ${open}` : `▸ ${open} ${entries.length} ${close}`}
      </button>
      {isOpen && (
        <>
          <ul>
            {entries.slice(0, shown).map(([key, value]) => (
              <li key={key}>
                <span className={styles['key']}>{key}</span>: <Value value={value} level={level + 1} />
              </li>
            ))}
            {entries.length > shown && (
              <li>
                <button type="button" className={styles['more']} onClick={() => setShown(shown + STEP)}>
                  {Math.min(STEP, entries.length - shown)} more of {entries.length - shown}
                </button>
              </li>
            )}
          </ul>
          {close}
        </>
      )}
    </>
  );
}

function Text({ text }: { readonly text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = text.length > MAX_CHARACTERS;
  return (
    <span className={styles['text']}>
      {isLong && !isWhole ? `${text.slice(0, MAX_CHARACTERS)}…` : text}
      {isLong && (
        <button type="button" className={styles['more']} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Less' : `All ${text.length.toLocaleString('en')} characters`}
        </button>
      )}
    </span>
  );
}
