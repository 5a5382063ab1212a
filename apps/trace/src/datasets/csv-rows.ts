import {
  CSV_DELIMITERS,
  type CsvColumnDto,
  type DatasetFromCsvQueryDto,
  type JsonObject,
  valueIssue,
} from '@hone/contracts';
import { CsvError, type CsvTable, type CsvType, readCsv, TextEncodingError } from '@hone/contracts/csv';
import { ValidationError } from '@hone/platform/body-task';

/** As values they take some 600 MB. */
const MAX_CELLS = 5_000_000;

/** Rows of a CSV file, and what became of its columns. */
export interface CsvRows {
  rows: JsonObject[];
  columns: CsvColumnDto[];
}

/** @throws ValidationError the bytes are no table, or a cell is not of the type that its column is said to have */
export function readCsvRows(bytes: Uint8Array, query: DatasetFromCsvQueryDto): CsvRows {
  const { encoding, delimiter } = query;
  try {
    const table = readCsv(bytes, {
      maxCells: MAX_CELLS,
      ...(encoding && { encoding }),
      ...(delimiter && { delimiter: CSV_DELIMITERS[delimiter] }),
    });
    const types = typesOf(table, query);
    const columns = table.columns.map((name) => ({
      name,
      type: types.get(name) ?? 'text',
      proposed_type: table.proposedTypes[name] as CsvType,
    }));
    return { rows: table.toRows(Object.fromEntries(types)) as JsonObject[], columns };
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof TextEncodingError)) throw error;
    throw new ValidationError([valueIssue(error.message, ['body'])]);
  }
}

/** Types by column, for the columns that are named, and for all where the proposed ones are wanted. */
function typesOf(
  table: CsvTable,
  { types, numbers = [], booleans = [] }: DatasetFromCsvQueryDto,
): Map<string, CsvType> {
  const named: [string, CsvType][] = [
    ...numbers.map((name): [string, CsvType] => [name, 'number']),
    ...booleans.map((name): [string, CsvType] => [name, 'boolean']),
  ];
  return new Map([...(types === 'proposed' ? Object.entries(table.proposedTypes) : []), ...named]);
}
