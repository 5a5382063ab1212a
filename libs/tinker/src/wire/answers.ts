import type { Dispatcher } from 'undici';

import { WireFormatError } from './forward-backward.js';

/** Reads an answer's body to its end. @throws WireFormatError it is longer than `maxBytes` */
export async function readBytes(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop closes the answer's stream.
    if (bytes > maxBytes) throw new WireFormatError(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** An answer's JSON object. @throws WireFormatError it is none */
export function toObject(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new WireFormatError('the answer is not JSON', { cause: error });
  }
  throw new WireFormatError('the answer is not a JSON object');
}

/** @throws WireFormatError the field is no text, or is longer than an id */
export function textOf(answer: Readonly<Record<string, unknown>>, field: string): string {
  const value = answer[field];
  if (typeof value === 'string' && /^[\w.:/-]{1,512}$/.test(value)) return value;
  throw new WireFormatError(`the answer has no ${field}`);
}

/** The sentence in the body of a refusal: FastAPI's `detail`, or the start of the text. */
export function sentenceOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    if (detail !== undefined) return typeof detail === 'string' ? detail : JSON.stringify(detail);
  } catch {
    // Not JSON: proxies answer with pages of their own.
  }
  return text.slice(0, 500);
}

/** Numbers of an answer's `metrics`, by name. */
export function metricsOf(answer: Readonly<Record<string, unknown>>): Record<string, number> {
  const { metrics } = answer;
  if (typeof metrics !== 'object' || metrics === null) return {};
  return Object.fromEntries(
    Object.entries(metrics).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
