import { NUMERAL } from './csv-types.js';

/** A spreadsheet runs a cell that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * A table as CSV (RFC 4180) that a spreadsheet may open, whoever wrote its cells: what would be a formula has a `'` before
 * it, which makes it text. Numbers stay as they are.
 *
 * @param records cells of each line, the names of the columns first
 */
export const writeCsv = (records: readonly (readonly string[])[]): string =>
  records.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');

function toCell(text: string): string {
  const harmless = FORMULA.test(text) && !NUMERAL.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
