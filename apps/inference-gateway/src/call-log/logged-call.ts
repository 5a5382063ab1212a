import { draftOfBytes, type JsonBytes, MAX_INLINE_BYTES, plainDraft, type WholeCall } from '@hone/calls';
import { type JsonObject, parseJson } from '@hone/contracts';

import { METADATA_MEMBER, PROMPT_MEMBER, TOKENS_MEMBER } from './call-texts.js';
import { type JournalledEntry, splitEntry } from './journalled-entry.js';
import { extractMedia, mayHaveMedia } from './media.js';

const CLOSING_BRACE = Buffer.from('}');
const NO_FILES: readonly Buffer[] = [];

/** A call, with the files that it names by refs. */
export interface LoggedCall extends WholeCall {
  readonly files: readonly Buffer[];
}

/**
 * The call of an entry.
 *
 * @returns null: it is no entry
 */
export function readCall(journalled: Buffer): LoggedCall | null | Promise<LoggedCall> {
  const entry = splitEntry(journalled);
  if (entry === null) return null;
  const { inputs, output, row } = entry;
  return mayHaveMedia(inputs) || mayHaveMedia(output) ? withMedia(entry) : toCall(row, entry, NO_FILES);
}

async function withMedia(entry: JournalledEntry): Promise<LoggedCall> {
  const files = filesRef(entry.row);
  const asked = await extractMedia(entry.inputs.toString(), files);
  const answered = await extractMedia(entry.output.toString(), files);
  const contents = { ...entry, inputs: Buffer.from(asked.json), output: Buffer.from(answered.json) };
  return toCall(entry.row, contents, [...asked.files, ...answered.files]);
}

const toCall = (row: string, parts: Omit<JournalledEntry, 'row'>, files: readonly Buffer[]): LoggedCall => ({
  row,
  values: {
    attributes: attributesDraft(parts.attributes),
    inputs: draftOfBytes(parts.inputs),
    output: draftOfBytes(parts.output),
    summary: plainDraft(parts.summary),
  },
  files,
});

/** Only what the caller says may need a copy. Where tokens make them too large for a row, expressions read all others. */
function attributesDraft(attributes: Buffer): JsonBytes {
  const isOfCaller = attributes.includes(METADATA_MEMBER) || attributes.includes(PROMPT_MEMBER);
  const draft = isOfCaller ? draftOfBytes(attributes) : plainDraft(attributes);
  const tokens = attributes.length > MAX_INLINE_BYTES ? attributes.lastIndexOf(TOKENS_MEMBER) : -1;
  if (tokens < 0) return draft;
  const others = draftOfBytes(Buffer.concat([attributes.subarray(0, tokens), CLOSING_BRACE]));
  return { ...draft, searchable: others.searchable ?? others.bytes.toString() };
}

/** Refs of files begin like that of the op. */
function filesRef(row: string): (digest: string) => string {
  const { op } = parseJson(`${row}}`) as JsonObject;
  const project = String(op).slice(0, String(op).lastIndexOf('/op/'));
  return (digest) => `${project}/file/${digest}`;
}

const WITHOUT_CONTENT = Buffer.from('{"content_logged":false}');
const NO_INPUTS = Buffer.from('{}');
const NO_OUTPUT = Buffer.from('null');

/** The same call, which says of its request and answer only that they are not there. */
export const withoutContent = ({ row, values }: LoggedCall): LoggedCall => ({
  row,
  values: {
    attributes: draftOfBytes(WITHOUT_CONTENT),
    inputs: draftOfBytes(NO_INPUTS),
    output: draftOfBytes(NO_OUTPUT),
    summary: values.summary,
  },
  files: NO_FILES,
});
