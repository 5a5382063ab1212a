import { isUtf8 } from 'node:buffer';

import { valueIssue } from '@hone/contracts';

import { ValidationError } from '../../errors/validation.error.js';

/** One part of a form. */
export type FormPart = FormField | FormFile;

interface FormField {
  readonly name: string;
  readonly value: string;
}

export interface FormFile {
  readonly name: string;
  /** As the client sent it; empty: the part names none. */
  readonly filename: string;
  /** Media type as the client sent it; `application/octet-stream` where it sent none. */
  readonly contentType: string;
  /** A part of the body, not a copy. */
  readonly bytes: Buffer;
}

export const isFile = (part: FormPart): part is FormFile => 'bytes' in part;

const BREAK = '\r\n';
const END = '--';
const MAX_PARTS = 48;
const MAX_HEAD_BYTES = 8_192;
const MAX_NAME = 128;
const MAX_VALUE_BYTES = 262_144;
const DEFAULT_TYPE = 'application/octet-stream';
const TYPE = /^multipart\/form-data\s*(;.*)$/is;
const BOUNDARY = /^[^\r\n]{0,69}[^\s]$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9a-z-]+):(.*)$/is;
const PARAMETER = /;\s*([a-z*]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))\s*/iy;
/** A file name whose charset is named, see RFC 5987. */
const NAMED_CHARSET = /^utf-8'[^']*'(.*)$/i;
/** Codings that leave the bytes as they are. */
const PLAIN_CODING = /^(7bit|8bit|binary)$/i;

/**
 * The parts of a multipart/form-data body (RFC 7578) that is there as a whole, in order. Ours: the parser of streamed uploads
 * waits for ever on some bodies that are broken; over one buffer, native searches do the work.
 *
 * @param contentType as it was sent, with the boundary
 * @throws ValidationError the body is no such form, or has over 48 parts or too long a field
 */
export function readForm(body: Buffer, contentType: string): FormPart[] {
  const mark = Buffer.from(`${BREAK}--${boundaryOf(contentType)}`);
  const parts: FormPart[] = [];
  // The first boundary may have no line before it.
  const isAtStart = body.subarray(0, mark.length - BREAK.length).equals(mark.subarray(BREAK.length));
  let at = isAtStart ? mark.length - BREAK.length : endOf(body, mark, 0);
  while (body.toString('latin1', at, at + END.length) !== END) {
    if (parts.length === MAX_PARTS) throw unreadable('There are too many parts');
    const head = headAt(body, at);
    const start = at + head.length;
    at = endOf(body, mark, start);
    parts.push(toPart(head.toString(), body.subarray(start, at - mark.length)));
  }
  return parts;
}

function boundaryOf(contentType: string): string {
  const [, parameters = ''] = TYPE.exec(contentType) ?? [];
  const boundary = parametersOf(parameters)?.get('boundary') ?? '';
  if (!BOUNDARY.test(boundary)) throw unreadable('The content type has no boundary');
  return boundary;
}

function endOf(body: Buffer, mark: Buffer, from: number): number {
  const at = body.indexOf(mark, from);
  if (at < 0) throw broken();
  return at + mark.length;
}

/** From the end of a boundary to the empty line before the content. */
function headAt(body: Buffer, at: number): Buffer {
  const rest = body.subarray(at, at + MAX_HEAD_BYTES);
  const end = rest.indexOf(`${BREAK}${BREAK}`);
  const head = rest.subarray(0, end + 2 * BREAK.length);
  if (end < 0 || !isUtf8(head)) throw broken();
  return head;
}

function toPart(head: string, content: Buffer): FormPart {
  const headers = headersOf(head);
  const parameters = parametersOf(/^form-data\s*(;.*)$/is.exec(headers.get('content-disposition') ?? '')?.[1] ?? '');
  const name = parameters?.get('name') ?? '';
  if (name === '' || name.length > MAX_NAME) throw unreadable('A part has no name, or one that is too long');
  if (!PLAIN_CODING.test(headers.get('content-transfer-encoding') ?? 'binary')) throw broken();
  const filename = filenameOf(parameters);
  if (filename !== undefined) {
    return { name, filename, contentType: headers.get('content-type') || DEFAULT_TYPE, bytes: content };
  }
  if (content.length > MAX_VALUE_BYTES) throw unreadable('A field is too long');
  if (!isUtf8(content)) throw unreadable('A field is no UTF-8');
  return { name, value: content.toString() };
}

/** @param head begins with what follows a boundary on its line: white space */
function headersOf(head: string): ReadonlyMap<string, string> {
  const [first = '', ...lines] = head.split(BREAK);
  if (first.trim() !== '') throw broken();
  const headers = new Map<string, string>();
  for (const line of lines) {
    if (line === '') continue;
    const [, name = '', value = ''] = HEADER.exec(line) ?? [];
    if (name === '' || headers.has(name.toLowerCase())) throw broken();
    headers.set(name.toLowerCase(), value.trim());
  }
  return headers;
}

/** Undefined: they are malformed, or one comes twice, so that others could read the other. */
function parametersOf(text: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (let at = 0; at < text.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    const [, key, quoted, plain = ''] = PARAMETER.exec(text) ?? [];
    if (key === undefined || parameters.has(key.toLowerCase())) return undefined;
    parameters.set(key.toLowerCase(), quoted?.replaceAll(/\\(["\\])/g, '$1') ?? plain);
  }
  return parameters;
}

function filenameOf(parameters: ReadonlyMap<string, string> | undefined): string | undefined {
  const [, encoded] = NAMED_CHARSET.exec(parameters?.get('filename*') ?? '') ?? [];
  if (encoded === undefined) return parameters?.get('filename');
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw broken();
  }
}

const broken = (): ValidationError => unreadable('The body is not whole multipart/form-data');
const unreadable = (sentence: string): ValidationError => new ValidationError([valueIssue(sentence, ['body'])]);
