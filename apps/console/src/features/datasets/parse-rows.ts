import { isJsonObject, parseJson } from '@hone/client';

import type { Row } from '../../shared/datasets/write-dataset.js';

export type RowFormat = 'csv' | 'jsonl';

/** A file that is no table, with the line at which it stops to be one. */
export class RowsError extends Error {
  override name = 'dataset.file_invalid';
}

export const formatOf = (filename: string): RowFormat => (/\.(csv|tsv)$/i.test(filename) ? 'csv' : 'jsonl');

/** @throws RowsError */
export const parseRows = async (text: string, format: RowFormat, hasTypes: boolean): Promise<Row[]> =>
  format === 'csv' ? parseCsv(text, hasTypes) : parseJsonLines(text);

/** Each line that is not blank is an object. @throws RowsError */
export function parseJsonLines(text: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const row = parseLine(line, index + 1);
    if (!isJsonObject(row)) throw new RowsError(`Line ${index + 1} is no JSON object.`);
    return [row as Row];
  });
}

function parseLine(line: string, number: number): unknown {
  try {
    return parseJson(line);
  } catch (cause) {
    throw new RowsError(`Line ${number} is no JSON.`, { cause });
  }
}

/**
 * The first line names the columns.
 *
 * @param hasTypes numbers, `true` and `false` become values of these types; else all is text
 * @throws RowsError
 */
async function parseCsv(text: string, hasTypes: boolean): Promise<Row[]> {
  const { default: papa } = await import('papaparse');
  const { data, errors } = papa.parse<Row>(text, { header: true, skipEmptyLines: 'greedy', dynamicTyping: hasTypes });
  // A file of one column has no delimiter to find.
  const [error] = errors.filter(({ type }) => type !== 'Delimiter');
  if (error) throw new RowsError(`Row ${(error.row ?? 0) + 1}: ${error.message}.`);
  return data;
}
