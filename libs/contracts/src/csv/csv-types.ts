import { type JsonNumber, parseJson } from '../json/index.js';
import type { CsvCell } from './csv-records.js';

/** What the cells of a column become. */
export type CsvType = 'text' | 'number' | 'boolean';
/** A blank cell of a column that is not text is null. */
export type CsvValue = string | number | JsonNumber | boolean | null;

const CANONICAL = /^-?[\d.]+$/;
/** A number as people and programs write it. */
export const NUMERAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TRUTH = /^(?:true|false)$/i;

/** True: the number is written as JSON writes it, so that nothing of the text is lost. */
const isCanonical = (text: string): boolean => CANONICAL.test(text) && String(Number(text)) === text;

/**
 * The type that loses nothing of any cell: `number` if each is a plain number in its shortest form, `boolean` if each is
 * `true` or `false`. Leading and trailing zeros, exponents, quotes, blank cells and mixtures make it `text`.
 */
export function typeOfCells(cells: readonly CsvCell[]): CsvType {
  if (cells.length === 0 || cells.some(({ isQuoted }) => isQuoted)) return 'text';
  if (cells.every(({ text }) => isCanonical(text))) return 'number';
  return cells.every(({ text }) => text === 'true' || text === 'false') ? 'boolean' : 'text';
}

/** The value of a cell; undefined: the cell is not of the type. Numbers keep their digits, without leading zeros. */
export function toValue({ text }: CsvCell, type: CsvType): CsvValue | undefined {
  if (type === 'text') return text;
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (type === 'boolean') return TRUTH.test(trimmed) ? trimmed.toLowerCase() === 'true' : undefined;
  return NUMERAL.test(trimmed) ? (parseJson(toJsonNumeral(trimmed)) as number | JsonNumber) : undefined;
}

/** JSON has no leading plus or zeros, and digits on both sides of a point. */
const toJsonNumeral = (numeral: string): string =>
  numeral
    .replace(/^\+/, '')
    .replace(/^(-?)(?=\.)/, (sign) => `${sign}0`)
    .replace(/^(-?)0+(?=\d)/, (_, sign: string) => sign)
    .replace(/\.(?=$|[eE])/, '');
