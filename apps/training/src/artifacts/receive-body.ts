import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { issue, valueIssue } from '@hone/contracts';
import { DomainError, ValidationError, type StreamedBody } from '@hone/platform';

import type { ReceivedUpload } from './received-upload.js';

const RAW_FILE = 'train.jsonl';
const RAW_TYPES = /^(application\/jsonl|application\/x-ndjson|text\/plain|application\/octet-stream)\s*(;|$)/i;
const MULTIPART = /^multipart\/form-data\s*;/i;
const LIMITS = { fields: 16, fieldSize: 262_144, fieldNameSize: 128, parts: 64, headerPairs: 32, headerSize: 8_192 };
/** Fields beyond these are ignored. */
const FIELDS = new Set(['metadata', 'model_id']);

/**
 * Reads the body of an upload into `upload` as it comes: one file as it is, or several as multipart/form-data.
 *
 * @throws ValidationError it is neither, or broken
 * @throws EncodingUnsupportedError, ArtifactTooLargeError, StorageUnavailableError
 */
export async function receiveBody(body: StreamedBody, upload: ReceivedUpload): Promise<void> {
  const type = body.contentType ?? '';
  const source = body.open();
  try {
    if (MULTIPART.test(type)) await receiveParts(source, type, upload);
    else if (RAW_TYPES.test(type)) await upload.addFile(RAW_FILE, source);
    else throw unreadable('The content type should be multipart/form-data, application/jsonl or text/plain');
  } catch (error) {
    source.destroy();
    body.drain();
    throw toAnswer(error);
  }
  if (upload.files.length === 0) throw new ValidationError([issue('missing', ['body', 'files'])]);
}

/** Parts come one after the other: the parser waits until the file before has been stored. */
async function receiveParts(source: Readable, type: string, upload: ReceivedUpload): Promise<void> {
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
  readFields(parser, upload);
  try {
    await pipeline(source, parser);
  } catch (error) {
    for (const content of contents) content.destroy(); // nothing more comes: readers must stop
    await storing.catch(() => undefined);
    throw error;
  }
  await storing;
}

function readFields(parser: InstanceType<typeof Busboy>, upload: ReceivedUpload): void {
  parser.on('field', (name: string, value: string, isNameCut: boolean, isValueCut: boolean) => {
    if (isNameCut || isValueCut) parser.destroy(unreadable('A field is too long'));
    else if (FIELDS.has(name)) upload.fields.set(name, value);
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
