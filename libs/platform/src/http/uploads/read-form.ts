import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';

import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { valueIssue } from '@hone/contracts';

import { ValidationError } from '../../errors/validation.error.js';

/** One part of a form, in the order in which they came. */
export type FormPart = FormField | FormFile;

export interface FormField {
  readonly name: string;
  readonly value: string;
}

export interface FormFile {
  readonly name: string;
  /** Without folders; empty: the part names none. */
  readonly filename: string;
  /** Media type as the client sent it; `application/octet-stream` where it sent none. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

export const isFile = (part: FormPart): part is FormFile => 'bytes' in part;

/** The parser takes about as long for so many bytes as other requests may wait. */
const TURN_BYTES = 262_144;
const LIMITS = { fields: 32, files: 17, fieldSize: 262_144, fieldNameSize: 128, headerPairs: 32, headerSize: 8_192 };

/**
 * The parts of a body that is there as a whole, read in turns of the event loop. Files are as large as the body lets them be.
 *
 * @param contentType as it was sent, with the boundary
 * @throws ValidationError the body is no multipart/form-data, or has too many parts or too long a field
 */
export async function readForm(body: Buffer, contentType: string): Promise<FormPart[]> {
  const parts: FormPart[] = [];
  try {
    const parser = new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
    collectParts(parser, parts);
    await pipeline(Readable.from(slicesOf(body)), parser);
  } catch (error) {
    throw error instanceof ValidationError ? error : unreadable('The body is not whole multipart/form-data');
  }
  return parts;
}

function collectParts(parser: InstanceType<typeof Busboy>, parts: FormPart[]): void {
  const stop = (sentence: string) => parser.destroy(unreadable(sentence));
  parser.on('field', (name: string, value: string, isNameCut: boolean, isValueCut: boolean) => {
    if (isNameCut || isValueCut) stop('A field is too long');
    else parts.push({ name, value });
  });
  parser.on('file', (name: string, content: BusboyFileStream, filename: string | undefined, _coding: string, type) => {
    const chunks: Buffer[] = [];
    content.on('data', (chunk: Buffer) => chunks.push(chunk));
    content.on('end', () =>
      parts.push({ name, filename: filename ?? '', contentType: String(type), bytes: Buffer.concat(chunks) }),
    );
    // Of a part that is cut off.
    content.on('error', (error: Error) => parser.destroy(error));
  });
  for (const event of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
    parser.on(event, () => stop('There are too many parts'));
  }
}

async function* slicesOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += TURN_BYTES) {
    yield body.subarray(at, at + TURN_BYTES);
    await setImmediate();
  }
}

const unreadable = (sentence: string): ValidationError => new ValidationError([valueIssue(sentence, ['body'])]);
