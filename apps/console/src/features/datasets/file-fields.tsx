import { useState } from 'react';

import type { Row } from '../../shared/datasets/write-dataset.js';
import form from '../../shared/dialog/dialog.module.css';
import { formatCount } from '../../shared/format/format.js';
import { preview } from '../../shared/format/preview.js';
import { Input } from '../../shared/ui/input.js';
import { formatOf, parseRows } from './parse-rows.js';

const PREVIEWED = 3;

interface Props {
  /** What the file holds, or why it holds none. */
  readonly found: { readonly rows: readonly Row[] } | { readonly error: Error } | null;
  readonly set: (found: NonNullable<Props['found']>, filename: string) => void;
}

/** Asks for a CSV or JSONL file, and shows what would become of it. */
export function FileFields({ found, set }: Props) {
  const [file, setFile] = useState<File | null>(null);
  const [hasTypes, setHasTypes] = useState(true);
  const read = async (chosen: File | undefined, types: boolean) => {
    setFile(chosen ?? null);
    setHasTypes(types);
    if (!chosen) return;
    try {
      set({ rows: await parseRows(await chosen.text(), formatOf(chosen.name), types) }, chosen.name);
    } catch (error) {
      set({ error: error as Error }, chosen.name);
    }
  };
  return (
    <>
      <label>
        File
        <Input
          type="file"
          required
          accept=".csv,.tsv,.jsonl,.ndjson,.txt"
          onChange={({ target }) => void read(target.files?.[0], hasTypes)}
        />
        <span className={form['hint']}>CSV with the names of its columns first, or JSONL: an object on each line</span>
      </label>
      {file && formatOf(file.name) === 'csv' && (
        <label className={form['inline']}>
          <input type="checkbox" checked={hasTypes} onChange={({ target }) => void read(file, target.checked)} />
          Numbers, true and false are values, not text
        </label>
      )}
      {found && 'rows' in found && (
        <div role="status">
          <p>
            {formatCount(found.rows.length)} {found.rows.length === 1 ? 'row' : 'rows'}
            {found.rows.length > PREVIEWED && ', the first of which are'}
          </p>
          {found.rows.slice(0, PREVIEWED).map((row, index) => (
            <code key={index} className={form['preview']}>
              {preview(row)}
            </code>
          ))}
        </div>
      )}
    </>
  );
}
