import type { CsvType, CsvTypes } from '@hone/client';

import form from '../../shared/dialog/dialog.module.css';
import { Select } from '../../shared/ui/input.js';

interface Props {
  readonly columns: readonly string[];
  readonly types: CsvTypes;
  readonly choose: (types: CsvTypes) => void;
}

/** Asks for the type of each column of a CSV file. */
export const ColumnTypes = ({ columns, types, choose }: Props) => (
  <fieldset>
    <legend>Types of the columns</legend>
    <span className={form['hint']}>Text stays as it is in the file: 02139, 1.10. Numbers lose leading zeros.</span>
    {columns.map((name) => (
      <label key={name}>
        {name === '' ? 'Column without a name' : name}
        <Select
          // A column may be named as what every object inherits.
          value={Object.hasOwn(types, name) ? types[name] : 'text'}
          onChange={({ target }) => choose({ ...types, [name]: target.value as CsvType })}
        >
          <option value="text">Text</option>
          <option value="number">Numbers</option>
          <option value="boolean">true and false</option>
        </Select>
      </label>
    ))}
  </fieldset>
);
