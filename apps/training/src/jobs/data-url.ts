import { type TrainingDataUrl, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

import { DataUrlTooLargeError } from './jobs.errors.js';

export const MAX_DATA_URL_BYTES = 8_388_608;
/** A byte has at most three characters in a URL. */
const MAX_CHARACTERS_PER_BYTE = 3;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/**
 * The bytes that a `data:` URL holds.
 *
 * @param field of the body, for the error
 * @throws DataUrlTooLargeError more than 8 MiB
 * @throws ValidationError it is not encoded as it says
 */
export function readDataUrl(
  { isBase64, content }: Extract<TrainingDataUrl, { kind: 'data' }>,
  field: readonly string[],
): Buffer {
  if (content.length > MAX_DATA_URL_BYTES * MAX_CHARACTERS_PER_BYTE) throw new DataUrlTooLargeError(MAX_DATA_URL_BYTES);
  const text = decode(content, field);
  if (isBase64 && !BASE64.test(text.replace(/\s+/g, ''))) throw malformed(field);
  const bytes = Buffer.from(text, isBase64 ? 'base64' : 'utf8');
  if (bytes.length > MAX_DATA_URL_BYTES) throw new DataUrlTooLargeError(MAX_DATA_URL_BYTES);
  return bytes;
}

function decode(content: string, field: readonly string[]): string {
  try {
    return decodeURIComponent(content);
  } catch {
    throw malformed(field);
  }
}

const malformed = (field: readonly string[]): ValidationError =>
  new ValidationError([
    valueIssue('The data: URL should be percent-encoded text, or base64 where it says so', ['body', ...field]),
  ]);
