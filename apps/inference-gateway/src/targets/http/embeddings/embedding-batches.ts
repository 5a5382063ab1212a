import { isInputList } from '@hone/contracts';
import { editObject } from '@hone/json/bytes';

import type { ChatRequest } from '../../target.js';
import type { EncodingFormat } from './embedding-answer.js';

/** A part of a request for embeddings that a server takes at once. */
export interface EmbeddingBatch {
  readonly request: ChatRequest;
  /** Its inputs. */
  readonly count: number;
}

/** @param max inputs of one part */
export function toBatches(request: ChatRequest, max: number): readonly EmbeddingBatch[] {
  const { input } = request.fields;
  if (!isInputList(input)) return [{ request, count: 1 }];
  if (input.length <= max) return [{ request, count: input.length }];
  const batches: EmbeddingBatch[] = [];
  for (let at = 0; at < input.length; at += max) {
    const part = input.slice(at, at + max);
    const set = new Map([['input', JSON.stringify(part)]]);
    const body = editObject(request.body, { set, remove: new Set(), rename: new Map() });
    batches.push({ request: { ...request, fields: { ...request.fields, input: part }, body }, count: part.length });
  }
  return batches;
}

export const encodingOf = ({ fields }: ChatRequest): EncodingFormat =>
  fields['encoding_format'] === 'base64' ? 'base64' : 'float';
