import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { issue, valueIssue } from '@hone/contracts';

import { DomainError } from '../../errors/domain-error.js';
import { ValidationError } from '../../errors/validation.error.js';
import type { StreamedBody } from '../streamed-body.js';

/** Where the parts of an upload go as they come. */
export interface UploadSink {
  readonly files: { readonly length: number };
  /** Field name -> text. */
  readonly fields: Map<string, string>;
  /** Stores a file; nothing else is added meanwhile. */
  addFile(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/** What the body of an upload may be. */
export interface UploadForm {
  /** Media types of a body that is one file as it is, lower case. */
  readonly rawTypes: readonly string[];
  /** Name of such a file. */
  readonly rawName: string;
  /** Fields beyond these are ignored. */
  readonly fields: readonly string[];
}

/** A, B or C. */
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const MULTIPART = /^multipart\/form-data\s*;/i;
const LIMITS = { fields: 16, fieldSize: 262_144, fieldNameSize: 128, parts: 64, headerPairs: 32, headerSize: 8_192 };

/**
 * Reads the body of an upload into `upload` as it comes: one file as it is, or several as multipart/form-data.
 *
 * @throws ValidationError it is neither, or broken
 * @throws EncodingUnsupportedError, and what `upload` throws
 */
export async function receiveBody(body: StreamedBody, form: UploadForm, upload: UploadSink): Promise<void> {
  const type = body.contentType ?? '';
  const source = body.open();
  try {
    if (MULTIPART.test(type)) await receiveParts(source, { type, fields: form.fields }, upload);
    else if (form.rawTypes.includes(mediaTypeOf(type))) await upload.addFile(form.rawName, source);
    else throw unreadable(`The content type should be ${OR.format(['multipart/form-data', ...form.rawTypes])}`);
  } catch (error) {
    source.destroy();
    body.drain();
    throw toAnswer(error);
  }
  if (upload.files.length === 0) throw new ValidationError([issue('missing', ['body', 'files'])]);
}

/** Parts come one after the other: the parser waits until the file before has been stored. */
async function receiveParts(
  source: Readable,
  { type, fields }: { type: string; fields: readonly string[] },
  upload: UploadSink,
): Promise<void> {
  const parser = new Busboy({ headers: { 'content-type': type }, preservePath: true, limits: LIMITS });
  const contents: BusboyFileStream[] = [];
  let storing: Promise<unknown> = Promise.resolve();
  parser.on('file', (_field: string, content: BusboyFileStream, name: string | undefined) => {
    contents.push(content);
    // A truncated file emits its error here, possibly before a reader is attached.
    content.on('error', (error) => content.destroy(error));
    storing = storing.then(() => upload.addFile(name ?? '', content));
    storing.catch((error: Error) => parser.destroy(error));
  });
  readFields(parser, fields, upload);
  try {
    await pipeline(source, parser);
  } catch (error) {
    for (const content of contents) content.destroy(); // nothing more comes: readers must stop
    await storing.catch(() => undefined);
    throw error;
  }
  await storing;
}

const mediaTypeOf = (type: string): string => (type.split(';', 1)[0] as string).trim().toLowerCase();

function readFields(parser: InstanceType<typeof Busboy>, fields: readonly string[], upload: UploadSink): void {
  parser.on('field', (name: string, value: string, isNameCut: boolean, isValueCut: boolean) => {
    if (isNameCut || isValueCut) parser.destroy(unreadable('A field is too long'));
    else if (fields.includes(name)) upload.fields.set(name, value);
  });
  for (const event of ['partsLimit', 'fieldsLimit'] as const) {
    parser.on(event, () => parser.destroy(unreadable('There are too many parts')));
  }
}

const unreadable = (sentence: string): ValidationError => new ValidationError([valueIssue(sentence, ['body'])]);

/** What is wrong with the bytes themselves is the client's matter; faults of the store and of the connection are not. */
function toAnswer(error: unknown): unknown {
  if (error instanceof DomainError || error instanceof ValidationError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code?.startsWith('Z_')) return unreadable('The body is not whole gzip');
  return code === undefined && syscall === undefined ? unreadable('The body is not whole multipart/form-data') : error;
}
