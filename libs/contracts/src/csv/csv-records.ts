import { HoneError } from './hone-error.js';

export type CsvDelimiter = ',' | ';' | '\t' | '|';

/** The text is no table, or a cell is not of the type of its column. */
export class CsvError extends HoneError {
  override name = 'CsvError';
}

export interface CsvCell {
  readonly text: string;
  /** True: the cell stands in quotes, which say that it is text. */
  readonly isQuoted: boolean;
}

export interface CsvRecord {
  /** Line at which the record begins, from 1: cells in quotes may hold line breaks. */
  readonly line: number;
  readonly cells: readonly CsvCell[];
}

const LINE_BREAKS = /\r\n|\r|\n/g;
const DELIMITERS: readonly CsvDelimiter[] = [',', ';', '\t', '|'];

/** Cells in quotes, and what is between them, of the first line. One by one: all at once, a long line has too many. */
const PIECES = /"[^"]*"|[^"\r\n]+/gy;

/** The delimiter that the first line which is not blank has most often outside of quotes; of equals the first. */
export function delimiterOf(text: string): CsvDelimiter {
  const counts = DELIMITERS.map(() => 0);
  for (const [piece] of text.replace(/^\s*[\r\n]/, '').matchAll(PIECES)) {
    if (piece.startsWith('"')) continue;
    for (const [at, delimiter] of DELIMITERS.entries())
      counts[at] = (counts[at] ?? 0) + piece.split(delimiter).length - 1;
  }
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as CsvDelimiter;
}

/**
 * The records of a CSV text (RFC 4180) that have a cell which is not blank. Our own, because libraries do not say which
 * cells stood in quotes.
 *
 * @param maxCells most cells of all records
 * @throws CsvError a quote is not closed, or followed by text, or there are more cells
 */
export function* csvRecords(
  text: string,
  delimiter: CsvDelimiter,
  maxCells = Infinity,
): Generator<CsvRecord, undefined> {
  const plain = new RegExp(`[^${delimiter}\\r\\n]*`, 'y');
  let [at, line, left] = [0, 1, maxCells];
  while (at < text.length) {
    const record: CsvRecord & { cells: CsvCell[] } = { line, cells: [] };
    for (let isDelimited = true; isDelimited; at += isDelimited ? 1 : 0) {
      const { cell, end } = text[at] === '"' ? quotedCell(text, at, line) : plainCell(text, at, plain);
      record.cells.push(cell);
      if (record.cells.length > left)
        throw new CsvError(`Line ${record.line}: the table has more than ${maxCells} cells.`);
      if (cell.isQuoted) line += cell.text.match(LINE_BREAKS)?.length ?? 0;
      at = end;
      isDelimited = text[at] === delimiter;
    }
    at += lineBreakAt(text, at, line);
    line += 1;
    if (record.cells.every((cell) => cell.text.trim() === '')) continue;
    left -= record.cells.length;
    yield record;
  }
}

interface Found {
  readonly cell: CsvCell;
  readonly end: number;
}

function plainCell(text: string, start: number, plain: RegExp): Found {
  plain.lastIndex = start;
  const [found = ''] = plain.exec(text) ?? [];
  return { cell: { text: found, isQuoted: false }, end: start + found.length };
}

/** Two quotes within quotes are one. Blanks after the closing quote are no part of the cell. */
function quotedCell(text: string, start: number, line: number): Found {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  if (quote === -1) throw new CsvError(`Line ${line}: a quote is opened, and not closed.`);
  let end = quote + 1;
  while (text[end] === ' ') end += 1;
  return { cell: { text: text.slice(start + 1, quote).replaceAll('""', '"'), isQuoted: true }, end };
}

/** Length of the line break after a record; 0: the text ends. */
function lineBreakAt(text: string, at: number, line: number): number {
  if (at === text.length) return 0;
  if (text[at] === '\n') return 1;
  if (text[at] === '\r') return text[at + 1] === '\n' ? 2 : 1;
  throw new CsvError(`Line ${line}: text follows a closing quote.`);
}
