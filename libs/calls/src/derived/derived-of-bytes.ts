import { type JsonValue, parseJson } from '@hone/contracts';
import { findMember, firstItem, nextItem } from '@hone/json/bytes';

import { type DerivedEnd, derivedOfAttributes, type DerivedStart, type Previews } from './derived.js';
import { errorClassOf } from './error-class.js';
import { tokensOfSummary } from './model-tokens.js';
import {
  answeredText,
  asJson,
  askedText,
  lastAsked,
  MESSAGES,
  PREVIEW_LENGTH,
  previewOfOutput,
  toPreview,
} from './preview.js';

/** Up to this size, parsing a value takes less time than walking through its bytes. */
const MAX_PARSED_BYTES = 65_536;
/** Larger values are not even walked through: writers have no time for it. */
const MAX_WALKED_BYTES = 4 * 1_048_576;
/** A message is mostly one text, which takes little time. */
const MAX_MESSAGE_BYTES = 1_048_576;
const MAX_MESSAGES = 20;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const NOTHING = { endUser: null, promptRef: null, checkpointId: null, firstTokenMs: null };

/** Values of a call, as JSON, and its exception. */
interface ValueBytes {
  readonly exception: string | null;
  readonly attributes: { readonly bytes: Buffer };
  readonly inputs: { readonly bytes: Buffer };
  readonly output: { readonly bytes: Buffer };
  readonly summary: { readonly bytes: Buffer };
}

/** The same as `derivedStart` and `derivedEnd` say of values that are there as bytes, of which little is parsed. */
export function derivedOfBytes({
  exception,
  attributes,
  inputs,
  output,
  summary,
}: ValueBytes): DerivedStart & DerivedEnd {
  return {
    ...previewsOfBytes(inputs.bytes, output.bytes),
    ...(isParsed(attributes.bytes) ? derivedOfAttributes(parse(attributes.bytes)) : NOTHING),
    errorClass: errorClassOf(exception),
    models: isParsed(summary.bytes) ? tokensOfSummary(parse(summary.bytes)) : [],
  };
}

/** @param inputs JSON @param output JSON */
export const previewsOfBytes = (inputs: Buffer, output: Buffer): Previews => ({
  inputPreview: inputPreview(inputs),
  outputPreview: outputPreview(output),
});

const isParsed = (json: Buffer): boolean => json.length <= MAX_PARSED_BYTES;

const parse = (json: Buffer): JsonValue => parseJson(json.toString());

function inputPreview(json: Buffer): string | null {
  if (isParsed(json)) return previewOf(json, askedText);
  const asked = json[0] === OPENING_BRACE && json.length <= MAX_WALKED_BYTES ? lastAskedIn(json) : null;
  return asked === null ? beginOf(json) : toPreview(asked);
}

/** Only the last messages are parsed. */
function lastAskedIn(json: Buffer): string | null {
  const member = MESSAGES.map((name) => findMember(json, name)).find((found) => found !== null);
  if (!member || json[member.valueStart] !== OPENING_BRACKET) return null;
  const starts: number[] = [];
  for (let at = firstItem(json, member.valueStart); at >= 0; at = nextItem(json, at)) starts.push(at);
  const messages = starts.slice(-MAX_MESSAGES).map((start, index, last) => {
    const text = json.toString('utf8', start, last[index + 1] ?? member.valueEnd - 1).trim();
    return parseJson(text.endsWith(',') ? text.slice(0, -1) : text);
  });
  return lastAsked(messages);
}

/** The choice of a chat completion is parsed, not its probabilities and token ids. */
function outputPreview(json: Buffer): string | null {
  if (isParsed(json)) return previewOf(json, answeredText);
  if (json[0] !== OPENING_BRACE || json.length > MAX_WALKED_BYTES) return beginOf(json);
  const choices = findMember(json, 'choices');
  const first = choices && json[choices.valueStart] === OPENING_BRACKET ? firstItem(json, choices.valueStart) : -1;
  const message = first >= 0 && json[first] === OPENING_BRACE ? findMember(json, 'message', first) : null;
  if (message === null || message.valueEnd - message.valueStart > MAX_MESSAGE_BYTES) return beginOf(json);
  return previewOfOutput({ message: parse(json.subarray(message.valueStart, message.valueEnd)) });
}

/**
 * Most values have a text, which is read without regard to numbers: that takes a third of the time. Others are shown as
 * JSON, and read again where numbers of it may be written otherwise than JavaScript writes them.
 */
function previewOf(json: Buffer, textOf: (value: JsonValue) => string | null): string | null {
  const source = json.toString();
  const value = JSON.parse(source) as JsonValue;
  return toPreview(textOf(value) ?? asJson(OWN_NUMERAL.test(source) ? parseJson(source) : value));
}

/** Found in every number but integers of at most 15 digits; also in texts, where it means nothing. */
const OWN_NUMERAL = /\d[.eE]|\d{16}|-0(?!\d)/;

/** Of a large value, the beginning of its JSON. */
const beginOf = (json: Buffer): string | null => toPreview(json.toString('utf8', 0, PREVIEW_LENGTH * 8));
