import { isJsonObject } from '@hone/json';

import { invalid, textAt, unsupported } from '../../translation/refusals.js';

export type Json = Record<string, unknown>;
/** Path of a field in the request. */
export type Loc = readonly (string | number)[];

/** A part of a chat message's content, and the block that it comes from. */
export interface Part {
  readonly part: Json;
  readonly loc: Loc;
}

const NOT_KEPT = 'Files are not kept here: send the content itself';
const NOT_FETCHED = 'Files are not fetched: send the content itself as base64';
const NO_CITATIONS = 'Citations are not supported';

export const textPart = (text: string, loc: Loc): Part => ({ part: { type: 'text', text }, loc });

/** The blocks of a content, of which a text is one. @throws InvalidRequestError */
export function blocksOf(content: unknown, loc: Loc): { readonly block: Json; readonly loc: Loc }[] {
  if (typeof content === 'string') return [{ block: { type: 'text', text: content }, loc }];
  if (!Array.isArray(content)) throw invalid(loc, 'Input should be a string or a list of blocks');
  return content.map((block: unknown, at) => {
    if (!isJsonObject(block)) throw invalid([...loc, at], 'Input should be a valid object');
    return { block, loc: [...loc, at] };
  });
}

/** Parts of blocks of text. @throws InvalidRequestError there is another block */
export const textParts = (content: unknown, loc: Loc): Part[] =>
  blocksOf(content, loc).map(({ block, loc: at }) => textPart(textOf(block, at), at));

/** @throws InvalidRequestError it is another block */
export function textOf({ type, text }: Json, loc: Loc): string {
  if (type !== 'text') throw unsupported([...loc, 'type'], `A block of type ${String(type)} is not supported here`);
  return textAt(text, [...loc, 'text']);
}

/**
 * The parts that a block of the user, or of the result of a tool, becomes.
 *
 * @throws InvalidRequestError a chat completion cannot carry it
 */
export function toParts(block: Json, loc: Loc): Part[] {
  switch (block['type']) {
    case 'image':
      return [toImagePart(block, loc)];
    case 'document':
      return toDocument(block, loc);
    case 'search_result':
      return [toSearchResult(block, loc)];
    default:
      return [textPart(textOf(block, loc), loc)];
  }
}

const toImagePart = ({ source }: Json, loc: Loc): Part => ({ part: toImage(source, [...loc, 'source']), loc });

function toImage(source: unknown, loc: Loc): Json {
  const { type, url, ...rest } = objectAt(source, loc);
  if (type === 'url') return { type: 'image_url', image_url: { url: textAt(url, [...loc, 'url']) } };
  if (type === 'base64') return { type: 'image_url', image_url: { url: toDataUrl(rest, loc) } };
  throw unsupported([...loc, 'type'], type === 'file' ? NOT_KEPT : `Images from ${String(type)} are not supported`);
}

function toDocument({ source, title, context, citations }: Json, loc: Loc): Part[] {
  assertNoCitations(citations, loc);
  const about = [optionalText(title, [...loc, 'title']), optionalText(context, [...loc, 'context'])].filter(Boolean);
  const at = [...loc, 'source'];
  const { type, data, content, ...rest } = objectAt(source, at);
  const heads = about.map((text) => textPart(`${text}\n\n`, loc));
  switch (type) {
    case 'text':
      return [textPart([...about, textAt(data, [...at, 'data'])].join('\n\n'), loc)];
    case 'content':
      return [...heads, ...toTextsAndImages(content, [...at, 'content'])];
    case 'base64': {
      const file = { filename: about[0] ?? 'document.pdf', file_data: toDataUrl({ data, ...rest }, at) };
      // The name of a file is not for the model on every upstream.
      return [...heads, { part: { type: 'file', file }, loc }];
    }
    case 'url':
      throw unsupported([...at, 'type'], NOT_FETCHED);
    default:
      throw unsupported(
        [...at, 'type'],
        type === 'file' ? NOT_KEPT : `Documents from ${String(type)} are not supported`,
      );
  }
}

const toTextsAndImages = (content: unknown, loc: Loc): Part[] =>
  blocksOf(content, loc).map(({ block, loc: at }) =>
    block['type'] === 'image' ? toImagePart(block, at) : textPart(textOf(block, at), at),
  );

function toSearchResult({ title, source, content, citations }: Json, loc: Loc): Part {
  assertNoCitations(citations, loc);
  if (!Array.isArray(content)) throw invalid([...loc, 'content'], 'Input should be a list of blocks of text');
  const found = textParts(content, [...loc, 'content']).map(({ part }) => part['text'] as string);
  return textPart([textAt(title, [...loc, 'title']), textAt(source, [...loc, 'source']), ...found].join('\n\n'), loc);
}

const optionalText = (value: unknown, loc: Loc): string =>
  value === undefined || value === null ? '' : textAt(value, loc);

function assertNoCitations(citations: unknown, loc: Loc): void {
  if (isJsonObject(citations) && citations['enabled'] === true) throw unsupported([...loc, 'citations'], NO_CITATIONS);
}

const toDataUrl = ({ media_type: type, data }: Json, loc: Loc): string =>
  `data:${textAt(type, [...loc, 'media_type'])};base64,${textAt(data, [...loc, 'data'])}`;

function objectAt(value: unknown, loc: Loc): Json {
  if (!isJsonObject(value)) throw invalid(loc, 'Input should be a valid object');
  return value;
}
