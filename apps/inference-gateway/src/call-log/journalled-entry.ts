import type { CallContent, JsonContent } from './call-entry.js';
import type { CallTexts } from './call-texts.js';

/** Between a usage record, and the parts of the entry of its call. JSON has it only escaped. */
export const SEPARATOR = '\x1e';
const SEPARATOR_BYTE = 0x1e;
/** An answer may have separators, too, in an entry of an earlier form. */
const ROW_START = '{"uid":';
const NO_INPUTS = '{}';
const NO_OUTPUT = 'null';

/** The entry of a call, as a journal or a file has it. */
export interface JournalledEntry {
  readonly inputs: Buffer;
  readonly output: Buffer;
  readonly row: string;
  readonly attributes: Buffer;
  readonly summary: Buffer;
}

/** Texts and bytes that make one text. */
export type TextParts = readonly JsonContent[];

/** Request and answer first, as they came: their bytes are copied into the journal, and nothing else is done with them. */
export const entryParts = ({ inputs, output }: CallContent, { row, attributes, summary }: CallTexts): TextParts => [
  inputs ?? NO_INPUTS,
  SEPARATOR,
  output ?? NO_OUTPUT,
  `${SEPARATOR}${row}${SEPARATOR}${attributes}${SEPARATOR}${summary}`,
];

/**
 * The request was valid JSON, so it has no separator; an answer may be anything, so what follows it is found from the end.
 *
 * @returns null: it is no entry
 */
export function splitEntry(entry: Buffer): JournalledEntry | null {
  const output = entry.indexOf(SEPARATOR_BYTE);
  const summary = entry.lastIndexOf(SEPARATOR_BYTE);
  const attributes = entry.lastIndexOf(SEPARATOR_BYTE, summary - 1);
  const row = entry.lastIndexOf(SEPARATOR_BYTE, attributes - 1);
  if (output < 0 || row <= output || attributes <= row || summary <= attributes) return null;
  const rowText = entry.toString('utf8', row + 1, attributes);
  if (!rowText.startsWith(ROW_START)) return null;
  return {
    inputs: entry.subarray(0, output),
    output: entry.subarray(output + 1, row),
    row: rowText,
    attributes: entry.subarray(attributes + 1, summary),
    summary: entry.subarray(summary + 1),
  };
}

/** A journalled usage record with the entry of its call. */
export interface LoggedRecord {
  /** JSON. */
  readonly usage: Buffer;
  /** Null: the request is no call. */
  readonly entry: Buffer | null;
}

const UID_START = '{"uid":"'.length;

/** Id of a usage record, with which its JSON begins. */
export const uidOf = (usage: Buffer): string => usage.toString('latin1', UID_START, usage.indexOf('"', UID_START));

/** Takes a journalled record apart. */
export function splitRecord(record: Buffer): LoggedRecord {
  const at = record.indexOf(SEPARATOR_BYTE);
  return at < 0 ? { usage: record, entry: null } : { usage: record.subarray(0, at), entry: record.subarray(at + 1) };
}
