import { isJsonObject } from '@hone/json';

import type { TargetFailure } from '../../target-failure.js';
import { readReportedError } from '../error/reported-error.js';

/** How the numbers of an embedding are written: a list, or the base64 text of 32-bit floats in little-endian order. */
export type EncodingFormat = 'float' | 'base64';

type Json = Record<string, unknown>;

/** Puts the embeddings of one request together, which may come in several bodies, and writes them in the form asked for. */
export class EmbeddingAnswer {
  private readonly items: string[] = [];
  /** Numbers of each embedding; null: there is none yet. */
  private dimensions: number | null = null;
  promptTokens = 0;
  /** Every body so far has reported its tokens. */
  hasUsage = true;

  /** @param model its name in the answer */
  constructor(
    private readonly model: string,
    private readonly format: EncodingFormat,
  ) {}

  /** How many there are so far. */
  get count(): number {
    return this.items.length;
  }

  /** Adds those of a body. @param count inputs that it answers @returns what is wrong with it; null: nothing */
  add(body: Buffer, count: number): TargetFailure | null {
    const json = parseObject(body);
    if (json === null) return invalid('The upstream sent no JSON object.');
    if (json['error']) return readReportedError(json['error']);
    const { data } = json;
    if (!Array.isArray(data) || data.length !== count) {
      return { reason: 'mismatched', message: 'The upstream sent another number of embeddings than was asked for.' };
    }
    const sorted: (string | undefined)[] = Array.from({ length: count });
    for (const [at, item] of data.entries()) {
      const { index = at, embedding } = isJsonObject(item) ? item : {};
      const numbers = this.written(embedding);
      if (numbers === null) return invalid('The upstream sent an embedding that cannot be read.');
      if (typeof index !== 'number' || !(index in sorted) || sorted[index] !== undefined) {
        return invalid('The upstream sent embeddings whose order cannot be told.');
      }
      sorted[index] = `{"object":"embedding","index":${this.count + index},"embedding":${numbers}}`;
    }
    for (const item of sorted) this.items.push(item as string);
    this.countTokens(json['usage']);
    return null;
  }

  /** @param promptTokens as they are billed */
  toBytes(promptTokens: number): Buffer {
    const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens };
    const tail = `"model":${JSON.stringify(this.model)},"usage":${JSON.stringify(usage)}}`;
    return Buffer.from(`{"object":"list","data":[${this.items.join()}],${tail}`);
  }

  private countTokens(usage: unknown): void {
    const { prompt_tokens: prompt, total_tokens: total } = isJsonObject(usage) ? usage : {};
    const tokens = prompt ?? total;
    if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0) this.promptTokens += tokens;
    else this.hasUsage = false;
  }

  /** The JSON of an embedding in the form asked for; null: it is none, or has another length than those before it. */
  private written(embedding: unknown): string | null {
    const floats = typeof embedding === 'string' ? fromBase64(embedding) : null;
    const dimensions = floats?.length ?? (isNumbers(embedding) ? embedding.length : 0);
    this.dimensions ??= dimensions;
    if (dimensions === 0 || dimensions !== this.dimensions) return null;
    if (this.format === 'base64') {
      return JSON.stringify(floats === null ? toBase64(embedding as number[]) : embedding);
    }
    return JSON.stringify(floats === null ? embedding : [...floats]);
  }
}

const FLOAT_BYTES = 4;

function fromBase64(text: string): Float32Array | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % FLOAT_BYTES !== 0) return null;
  const floats = Float32Array.from({ length: bytes.length / FLOAT_BYTES }, (_float, at) =>
    bytes.readFloatLE(at * FLOAT_BYTES),
  );
  return floats.every(Number.isFinite) ? floats : null;
}

function toBase64(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * FLOAT_BYTES);
  for (const [at, number] of numbers.entries()) bytes.writeFloatLE(number, at * FLOAT_BYTES);
  return bytes.toString('base64');
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number');

function parseObject(body: Buffer): Json | null {
  try {
    const json: unknown = JSON.parse(body.toString());
    return isJsonObject(json) ? json : null;
  } catch {
    return null;
  }
}

const invalid = (message: string): TargetFailure => ({ reason: 'invalid', message });
