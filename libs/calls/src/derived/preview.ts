import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  stringifyJson,
  toStorableText,
} from '@hone/contracts';

/** Characters of a preview. */
export const PREVIEW_LENGTH = 200;
/** Messages that are looked at from the end, and parts of a message. */
const MAX_MESSAGES = 50;
const MAX_PARTS = 20;
/** Members that are what a call was asked, where there are no messages. */
const ASKED = ['prompt', 'question', 'query', 'input', 'text', 'message', 'content'];
const ANSWERED = ['text', 'output_text', 'content', 'answer', 'output', 'result', 'response'];

/** What a call was asked: the last message of its user, else its text, else its inputs as JSON. Null: nothing. */
export const previewOfInputs = (inputs: JsonValue): string | null => toPreview(askedText(inputs) ?? asJson(inputs));

/** Null: it is no text. */
export function askedText(inputs: JsonValue): string | null {
  for (const name of MESSAGES) {
    const messages = memberOf(inputs, name);
    if (Array.isArray(messages)) return lastAsked(messages) ?? textAmong(inputs, ASKED);
  }
  return textAmong(inputs, ASKED);
}

/** Where the dialects have their conversations: chat completions and messages, responses, Gemini. */
export const MESSAGES = ['messages', 'input', 'contents'] as const;

/** What a call answered: the text of its first choice or message, the tools that it calls, else its output as JSON. */
export const previewOfOutput = (output: JsonValue): string | null => toPreview(answeredText(output) ?? asJson(output));

/** Null: it is no text. */
export const answeredText = (output: JsonValue): string | null =>
  output === null ? null : (answerOf(output) ?? textAmong(output, ANSWERED));

/** The text of the last message of a user among the last ones, else of the last message that has a text. */
export function lastAsked(messages: readonly JsonValue[]): string | null {
  const last = messages.slice(-MAX_MESSAGES).reverse();
  const ofUser = last.find((message) => memberOf(message, 'role') === 'user' && textOfMessage(message) !== null);
  const found = ofUser ?? last.find((message) => textOfMessage(message) !== null);
  return found === undefined ? null : textOfMessage(found);
}

/** The first {@link PREVIEW_LENGTH} characters of a text, runs of white space as one space; null: there is nothing else. */
export function toPreview(text: string | null): string | null {
  if (text === null) return null;
  const begin = text.slice(0, PREVIEW_LENGTH);
  if (!NOT_PLAIN.test(begin)) return begin.trimEnd() || null;
  let preview = '';
  let length = 0;
  let isSpaced = false;
  // Written by hand: this runs twice per stored call, and regular expressions would read far more of long texts.
  for (let at = 0; at < text.length && at < MAX_READ && length < PREVIEW_LENGTH; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE || code === NO_BREAK_SPACE) {
      isSpaced = length > 0;
      continue;
    }
    if (isSpaced) {
      isSpaced = false;
      preview += ' ';
      if (++length === PREVIEW_LENGTH) break;
    }
    preview += text[at] as string;
    // The second half of a surrogate pair belongs to its first.
    if ((code & SURROGATE_MASK) === HIGH_SURROGATE) preview += text[++at] ?? '';
    length++;
  }
  return preview === '' ? null : toStorableText(preview.trimEnd());
}

/** Most texts begin as their preview does: single spaces between letters of ASCII. */
const NOT_PLAIN = /[^ -~]|^ | {2}/;
/** Units of a text that are looked at, though they be white space. */
const MAX_READ = PREVIEW_LENGTH * 8;
const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
const SURROGATE_MASK = 0xfc00;
const HIGH_SURROGATE = 0xd800;

function answerOf(output: JsonValue): string | null {
  const choices = memberOf(output, 'choices') ?? memberOf(output, 'candidates');
  if (Array.isArray(choices)) {
    const message = memberOf(choices[0], 'message') ?? memberOf(choices[0], 'content') ?? choices[0] ?? null;
    return textOfMessage(message) ?? toolsOf(message);
  }
  const items = Array.isArray(output) ? output : memberOf(output, 'output');
  if (Array.isArray(items) && items.some(isJsonObject)) return firstAnswer(items);
  const message = memberOf(output, 'message') ?? output;
  return textOfMessage(message) ?? toolsOf(message);
}

/** Of items of a response, or of messages. */
function firstAnswer(items: readonly JsonValue[]): string | null {
  const some = items.slice(0, MAX_MESSAGES);
  const text = some
    .filter((item) => memberOf(item, 'type') !== 'reasoning')
    .map(textOfMessage)
    .find((one) => one !== null);
  return text ?? some.map(toolsOf).find((one) => one !== null) ?? null;
}

function textOfMessage(message: JsonValue): string | null {
  if (typeof message === 'string') return message === '' ? null : message;
  const content = memberOf(message, 'content') ?? memberOf(message, 'parts') ?? memberOf(message, 'text');
  if (typeof content === 'string') return content === '' ? null : content;
  if (!Array.isArray(content)) return null;
  const texts = content.slice(0, MAX_PARTS).map((part) => (typeof part === 'string' ? part : memberOf(part, 'text')));
  const text = texts.filter((one) => typeof one === 'string').join(' ');
  return text.trim() === '' ? null : text;
}

/** Tools that a message calls, as `name(arguments)`. */
function toolsOf(message: JsonValue): string | null {
  const content = memberOf(message, 'content');
  const calls = memberOf(message, 'tool_calls') ?? (Array.isArray(content) ? content : [message]);
  if (!Array.isArray(calls)) return null;
  const texts = calls.slice(0, MAX_PARTS).flatMap((call) => {
    const called = memberOf(call, 'function') ?? call;
    const name = memberOf(called, 'name');
    const given = memberOf(called, 'arguments') ?? memberOf(called, 'input') ?? memberOf(called, 'args');
    if (typeof name !== 'string' || given === undefined) return [];
    return [`${name}(${typeof given === 'string' ? given : asJson(given)})`];
  });
  return texts.length === 0 ? null : texts.join(' ');
}

/** The text itself, that of the only member, or that of a member with one of these names. */
function textAmong(value: JsonValue, names: readonly string[]): string | null {
  if (typeof value === 'string') return value;
  if (!isJsonObject(value)) return null;
  const found = names.map((name) => memberOf(value, name)).find((one) => typeof one === 'string' && one !== '');
  if (found !== undefined) return found as string;
  const keys = Object.keys(value);
  const only = keys.length === 1 ? value[keys[0] as string] : undefined;
  return typeof only === 'string' ? only : null;
}

/** Null where there is nothing: empty objects say nothing. */
export function asJson(value: JsonValue): string | null {
  if (value === null || (isJsonObject(value) && Object.keys(value).length === 0)) return null;
  return beginOfJson(value);
}

/** The JSON of a value, of which only the beginning is shown: large values are not written out as a whole. */
function beginOfJson(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, PREVIEW_LENGTH * 8));
  if (Array.isArray(value)) return `[${some(value, beginOfJson)}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  return `{${some(Object.keys(value), (key) => `${JSON.stringify(key)}:${beginOfJson((value as JsonObject)[key] as JsonValue)}`)}}`;
}

function some<T>(items: readonly T[], write: (item: T) => string): string {
  let text = '';
  for (const item of items) {
    if (text.length > PREVIEW_LENGTH * 8) break;
    text += (text === '' ? '' : ',') + write(item);
  }
  return text;
}
