import { isInputList } from '@hone/contracts';
import type { EmbeddingFormat, EmbeddingInfo } from '@hone/engine';

import type { ChatRequest } from '../../target.js';
import { RefusedRequest, unsupported, wrongValue } from '../request/request-issue.js';
import type { EmbeddedEmbedder } from './embedded-embedder.js';

/** A request for embeddings that the model can honour. */
export interface PreparedEmbeddings {
  /** Token ids of each input, special ones included. */
  readonly rows: readonly (readonly number[])[];
  readonly format: EmbeddingFormat;
  /** Numbers of each embedding. */
  readonly dimensions: number;
}

type Input = string | readonly number[];

/** Encodes the inputs of a request. @throws RefusedRequest the model can never honour it */
export async function prepareEmbeddings(
  { fields }: ChatRequest,
  { engine, model }: EmbeddedEmbedder,
): Promise<PreparedEmbeddings> {
  const { info } = model;
  const dimensions = dimensionsOf(fields['dimensions'], info);
  const isList = isInputList(fields['input']);
  const inputs = (isList ? fields['input'] : [fields['input']]) as readonly Input[];
  const texts = inputs.filter((input) => typeof input === 'string');
  const encoded = texts.length === 0 ? [] : await engine.encode(model, texts);
  let text = 0;
  const rows = inputs.map((input, at) => {
    const row = typeof input === 'string' ? (encoded[text++] ?? null) : input;
    const loc = isList ? ['input', at] : ['input'];
    if (row === null || row.length > info.maxTokens) throw tooLong(isList ? at : null, info);
    if (row.length === 0) throw RefusedRequest.issues(wrongValue(loc, 'It has no token'));
    const unknown = row.findIndex((id) => id >= info.vocabSize);
    if (unknown < 0) return row;
    throw RefusedRequest.issues(wrongValue([...loc, unknown], `Token ids should be below ${info.vocabSize}`));
  });
  return { rows, format: fields['encoding_format'] === 'base64' ? 'base64' : 'float', dimensions };
}

function dimensionsOf(wanted: unknown, { dimensions, shortened }: EmbeddingInfo): number {
  if (typeof wanted !== 'number' || wanted === dimensions) return dimensions;
  const mayBe = (msg: string) => RefusedRequest.issues(wrongValue(['dimensions'], msg));
  if (shortened === null) {
    const msg = `The model's embeddings have ${dimensions} numbers, and cannot be shortened`;
    throw RefusedRequest.issues(unsupported(['dimensions'], msg));
  }
  if (shortened === 'any' && wanted > dimensions) throw mayBe(`Input should be at most ${dimensions}`);
  if (shortened !== 'any' && !shortened.includes(wanted)) throw mayBe(`Input should be one of ${shortened.join(', ')}`);
  return wanted;
}

/** @param at which input of a list; null: the only one */
function tooLong(at: number | null, { maxTokens }: EmbeddingInfo): RefusedRequest {
  const which = at === null ? 'The input' : `Input ${at}`;
  return RefusedRequest.contextLength(`${which} has more than the ${maxTokens} tokens that the model reads.`, 'input');
}
