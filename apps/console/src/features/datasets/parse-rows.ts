import { type CsvTypes, decodeText, isJsonObject, parseJson, readCsv, type TextEncodingName } from '@hone/client';

import type { Row } from '../../shared/datasets/write-dataset.js';

export type RowFormat = 'csv' | 'jsonl';

/** A file that is no table, with the line at which it stops to be one. */
export class RowsError extends Error {
  override name = 'dataset.file_invalid';
}

export const formatOf = (filename: string): RowFormat => (/\.(csv|tsv)$/i.test(filename) ? 'csv' : 'jsonl');

/** A file that was read. */
export interface RowsFile {
  /** Of a CSV file the type of each column that loses nothing of its cells; null: JSONL has types of its own. */
  readonly proposedTypes: CsvTypes | null;
  /** @throws CsvError a cell is not of the type of its column */
  toRows(types: CsvTypes): readonly Row[];
}

/** @throws RowsError, CsvError, TextEncodingError */
export function readRowsFile(bytes: Uint8Array, filename: string, encoding: TextEncodingName): RowsFile {
  if (formatOf(filename) === 'csv') return readCsv(bytes, { encoding });
  const rows = parseJsonLines(decodeText(bytes, encoding));
  return { proposedTypes: null, toRows: () => rows };
}

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
