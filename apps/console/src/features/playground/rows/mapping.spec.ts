import { parseJson } from '@hone/client';

import type { Row } from '../../../shared/datasets/write-dataset.js';
import { columnsOf, likelyColumn, variablesOfRow } from './mapping.js';

const row = (json: string) => parseJson(json) as Row;
const ROW = row(
  '{"q":"hi","n":1.50,"inputs":{"question":"why","tags":["a"]},"a.b":"dotted","none":null,"__proto__":"p"}',
);

describe('the columns of a dataset', () => {
  it('are the members of its rows, and those within them', () => {
    expect(columnsOf([ROW, row('{"z":[1]}')])).toEqual([
      ...['q', 'n', 'inputs', 'inputs.question', 'inputs.tags', 'a.b', 'none', '__proto__', 'z'],
    ]);
    expect(columnsOf([])).toEqual([]);
  });

  it('fill the variables of their names', () => {
    const columns = columnsOf([ROW]);
    expect(['q', 'question', 'other'].map((name) => likelyColumn(name, columns))).toEqual(['q', 'inputs.question', '']);
  });

  it('are text in a prompt, numbers with each digit', () => {
    const mapping = { a: 'q', b: 'n', c: 'inputs.tags', d: 'a.b', e: '', f: 'inputs.question', g: '__proto__' };
    const values = { a: 'hi', b: '1.50', c: '[\n  "a"\n]', d: 'dotted', f: 'why', g: 'p' };
    expect(variablesOfRow(ROW, mapping)).toEqual({ values, missing: null });
  });

  it.each(['gone', 'none', 'inputs.gone', 'q.length', 'toString', 'inputs.constructor'])(
    'that a row does not have are named: %s',
    (column) => {
      expect(variablesOfRow(ROW, { a: column }).missing).toBe(column);
    },
  );
});
