import { type CsvDelimiter, CsvError, type CsvRecord, csvRecords, delimiterOf } from './csv-records.js';
import { type CsvType, type CsvValue, toValue, typeOfCells } from './csv-types.js';
import { decodeText, type TextEncodingName } from './decode-text.js';

export interface CsvOptions {
  /** Of bytes. Default: `utf-8`; bytes with a byte order mark of UTF-16 are read as that. */
  readonly encoding?: TextEncodingName;
  /** Default: the one that parts the first line into the most cells. */
  readonly delimiter?: CsvDelimiter;
  /** Most cells, the names of the columns included: as values they take many times the memory of their text. Default: any. */
  readonly maxCells?: number;
}

/** Types by the names of columns. A column without one is text. */
export type CsvTypes = Readonly<Record<string, CsvType>>;

/** A table whose columns have names, and no types yet. */
export interface CsvTable {
  /** Names of the columns in order, without blanks around them. */
  readonly columns: readonly string[];
  /** Type of each column that loses nothing of any of its cells. */
  readonly proposedTypes: CsvTypes;
  /**
   * The rows, whose keys are the columns. Without types all values are text, as it was written.
   *
   * @throws CsvError a cell is not of the type of its column, or a type is for a column that there is not
   */
  toRows(types?: CsvTypes): Record<string, CsvValue>[];
}

const MAX_QUOTED_CHARACTERS = 40;

/**
 * The table of a CSV file, whose first line names the columns. Lines of blank cells are left out.
 *
 * @param source text, or the bytes of a file
 * @throws TextEncodingError the bytes are not of the encoding
 * @throws CsvError two columns have the same name, a line has more or fewer cells than there are columns, a quote is not
 *   closed, or there are more cells than are allowed
 */
export function readCsv(source: string | Uint8Array, options: CsvOptions = {}): CsvTable {
  const text = typeof source === 'string' ? source.replace(/^\ufeff/, '') : decodeText(source, options.encoding);
  const [head, ...records] = csvRecords(text, options.delimiter ?? delimiterOf(text), options.maxCells);
  const columns = (head?.cells ?? []).map((cell) => cell.text.trim());
  checkNames(columns);
  for (const { line, cells } of records)
    if (cells.length !== columns.length)
      throw new CsvError(`Line ${line} has ${cells.length} cells, and there are ${columns.length} columns.`);
  return {
    columns,
    proposedTypes: Object.fromEntries(columns.map((name, at) => [name, typeOfColumn(records, at)])),
    toRows: (types = {}) => toRows(columns, records, types),
  };
}

function checkNames(columns: readonly string[]): void {
  const names = new Set<string>();
  const twice = columns.find((name) => names.size === names.add(name).size);
  if (twice !== undefined) throw new CsvError(`Two columns are named ${JSON.stringify(twice)}.`);
}

const typeOfColumn = (records: readonly CsvRecord[], at: number): CsvType =>
  typeOfCells(records.flatMap(({ cells }) => cells[at] ?? []));

function toRows(
  columns: readonly string[],
  records: readonly CsvRecord[],
  types: CsvTypes,
): Record<string, CsvValue>[] {
  const known = new Set(columns);
  const unknown = Object.keys(types).find((name) => !known.has(name));
  if (unknown !== undefined) throw new CsvError(`There is no column ${JSON.stringify(unknown)}.`);
  // A column may be named as what every object inherits.
  const ordered = columns.map((name) => (Object.hasOwn(types, name) ? (types[name] as CsvType) : 'text'));
  // `fromEntries` makes own properties of all keys, `__proto__` too.
  return records.map((record) =>
    Object.fromEntries(columns.map((name, at) => [name, valueOf(record, at, name, ordered[at] as CsvType)])),
  );
}

function valueOf({ line, cells }: CsvRecord, at: number, name: string, type: CsvType): CsvValue {
  const cell = cells[at] ?? { text: '', isQuoted: false };
  const value = toValue(cell, type);
  if (value !== undefined) return value;
  const shown = JSON.stringify(cell.text.slice(0, MAX_QUOTED_CHARACTERS));
  throw new CsvError(`Line ${line}: ${shown} in the column ${JSON.stringify(name)} is no ${type}.`);
}
