import type { CsvTypes, TextEncodingName } from '@hone/client';
import { useState } from 'react';

import type { Row } from '../../shared/datasets/write-dataset.js';
import form from '../../shared/dialog/dialog.module.css';
import { formatCount } from '../../shared/format/format.js';
import { preview } from '../../shared/format/preview.js';
import { Input, Select } from '../../shared/ui/input.js';
import { ColumnTypes } from './column-types.js';
import { readRowsFile, type RowsFile } from './parse-rows.js';

const PREVIEWED = 3;

interface Props {
  /** What the file holds, or why it holds none. */
  readonly found: { readonly rows: readonly Row[] } | { readonly error: Error } | null;
  readonly set: (found: NonNullable<Props['found']>, filename: string) => void;
}

/** What was chosen about a file, and what was read of it. */
interface Chosen {
  readonly file: File;
  readonly encoding: TextEncodingName;
  /** null: it cannot be read. */
  readonly rowsFile: RowsFile | null;
  readonly types: CsvTypes;
}

/** Asks for a CSV or JSONL file, and shows what would become of it. */
export function FileFields({ found, set }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const show = (next: Chosen, rowsFile: RowsFile) => {
    setChosen({ ...next, rowsFile });
    set(
      attempt(() => ({ rows: rowsFile.toRows(next.types) })),
      next.file.name,
    );
  };
  const read = async (file: File | undefined, encoding: TextEncodingName) => {
    if (!file) return setChosen(null);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const opened = attempt(() => readRowsFile(bytes, file.name, encoding));
    const next = { file, encoding, rowsFile: null, types: {} };
    if (!('error' in opened)) return show({ ...next, types: opened.proposedTypes ?? {} }, opened);
    setChosen(next);
    set(opened, file.name);
  };
  return (
    <>
      <label>
        File
        <Input
          type="file"
          required
          accept=".csv,.tsv,.jsonl,.ndjson,.txt"
          onChange={({ target }) => void read(target.files?.[0], 'utf-8')}
        />
        <span className={form['hint']}>CSV with the names of its columns first, or JSONL: an object on each line</span>
      </label>
      {chosen && <EncodingField {...chosen} choose={(encoding) => void read(chosen.file, encoding)} />}
      {chosen?.rowsFile?.proposedTypes && (
        <ColumnTypes
          columns={Object.keys(chosen.rowsFile.proposedTypes)}
          types={chosen.types}
          choose={(types) => chosen.rowsFile && show({ ...chosen, types }, chosen.rowsFile)}
        />
      )}
      {found && 'rows' in found && <FirstRows rows={found.rows} />}
    </>
  );
}

function attempt<T>(make: () => T): T | { readonly error: Error } {
  try {
    return make();
  } catch (error) {
    return { error: error as Error };
  }
}

interface EncodingProps {
  readonly encoding: TextEncodingName;
  readonly choose: (encoding: TextEncodingName) => void;
}

const EncodingField = ({ encoding, choose }: EncodingProps) => (
  <label>
    Encoding
    <Select value={encoding} onChange={({ target }) => choose(target.value as TextEncodingName)}>
      <option value="utf-8">Unicode (UTF-8)</option>
      <option value="windows-1252">Western European (Windows-1252)</option>
    </Select>
  </label>
);

const FirstRows = ({ rows }: { readonly rows: readonly Row[] }) => (
  <div role="status">
    <p>
      {formatCount(rows.length)} {rows.length === 1 ? 'row' : 'rows'}
      {rows.length > PREVIEWED && ', the first of which are'}
    </p>
    {rows.slice(0, PREVIEWED).map((row, index) => (
      <code key={index} className={form['preview']}>
        {preview(row)}
      </code>
    ))}
  </div>
);
