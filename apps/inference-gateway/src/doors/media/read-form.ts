import { createHash, randomUUID } from 'node:crypto';

import { type FormFile, type FormPart, isFile, readForm as readParts, ValidationError } from '@hone/platform';
import type { Type } from '@nestjs/common';

import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import type { RequestForm } from '../../shared/media-request.js';
import { WorkInTurns } from '../../shared/time/work-in-turns.js';
import { checkDoorFields } from '../translation/read-door-body.js';
import { invalid, unsupported } from '../translation/refusals.js';
import { refuseStream } from './refuse-stream.js';

const TURN_BYTES = 262_144;
/** Lists of models have no form here. */
const FALLBACKS = ['models', 'fallbacks'];

interface ReadForm<T> {
  /** Texts, and what is known of each file; of a name that ends in `[]`, a list. */
  readonly fields: T & Record<string, unknown>;
  /** Their JSON, for the call: a file is its name, type, size and digest. */
  readonly body: Buffer;
  /** For the upstream. */
  readonly form: RequestForm;
}

/**
 * Reads the form of a door.
 *
 * @param type class that its fields are checked by
 * @param files names of the parts that are files
 * @throws InvalidRequestError
 */
export async function readForm<T extends object>(
  type: Type<T>,
  body: Buffer,
  contentType: string | undefined,
  files: readonly string[],
): Promise<ReadForm<T>> {
  const parts = partsOf(body, contentType ?? '');
  const fields = await fieldsOf(parts, files);
  for (const name of FALLBACKS) {
    if (name in fields) throw unsupported([name], 'Other models can be named in the header Hone-Fallback');
  }
  refuseStream(fields);
  const checked = checkDoorFields(type, fields);
  return {
    fields: checked,
    body: Buffer.from(JSON.stringify(checked)),
    form: { parts, boundary: `hone-${randomUUID()}` },
  };
}

function partsOf(body: Buffer, contentType: string): FormPart[] {
  try {
    return readParts(body, contentType);
  } catch (error) {
    throw error instanceof ValidationError ? new InvalidRequestError(error.issues) : error;
  }
}

async function fieldsOf(parts: readonly FormPart[], files: readonly string[]): Promise<Record<string, unknown>> {
  const fields = new Map<string, unknown>();
  for (const part of parts) {
    const { name } = part;
    if (isFile(part) !== files.includes(name)) {
      throw invalid([name], isFile(part) ? 'Input should be a text, not a file' : 'Input should be a file');
    }
    const value = isFile(part) ? await describe(part) : part.value;
    const before = fields.get(name);
    if (name.endsWith('[]')) fields.set(name, [...((before as unknown[] | undefined) ?? []), value]);
    // The upstream could read the other one.
    else if (before !== undefined) throw invalid([name], 'The field comes twice');
    else fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

async function describe({ name, filename, contentType, bytes }: FormFile): Promise<object> {
  if (bytes.length === 0) throw invalid([name], 'The file is empty');
  const hash = createHash('sha256');
  const work = new WorkInTurns();
  for (let at = 0; at < bytes.length; at += TURN_BYTES) {
    hash.update(bytes.subarray(at, at + TURN_BYTES));
    if (work.add(TURN_BYTES)) await work.nextTurn();
  }
  return { filename, content_type: contentType, bytes: bytes.length, sha256: hash.digest('hex') };
}
