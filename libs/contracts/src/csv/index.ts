/** `@hone/contracts/csv`: tables of CSV files, without validation libraries, for browsers and small clients. */
export { CsvError, type CsvDelimiter } from './csv-records.js';
export type { CsvType, CsvValue } from './csv-types.js';
export { decodeText, TextEncodingError, type TextEncodingName } from './decode-text.js';
export { HoneError } from './hone-error.js';
export { readCsv, type CsvOptions, type CsvTable, type CsvTypes } from './read-csv.js';
export { writeCsv } from './write-csv.js';
