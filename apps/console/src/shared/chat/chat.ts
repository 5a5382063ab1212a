import { isJsonObject } from '@hone/client';

import type { Token } from '../tokens/tokens.js';
import type { Loose } from './blocks.js';
import { toExchange } from './exchange.js';

/** A message as it is shown. */
export interface ChatTurn {
  readonly role: string;
  readonly text: string;
  /** What the model thought before it answered. Absent: it does not say. */
  readonly reasoning?: string;
  /** `name(arguments)` of each tool that it calls. */
  readonly tools: readonly string[];
  /** Images and sounds among its parts. Absent: it has none. */
  readonly media?: readonly ChatMedia[];
  /** Of an answer that came with log-probabilities. Absent or null: of none. */
  readonly tokens?: readonly Token[] | null;
}

export interface ChatMedia {
  readonly kind: 'image' | 'audio';
  /** Where it is: often a `data:` address that is all of it. */
  readonly address: string;
}

/** A message as a model is sent it: its content is a text or parts, and it may have further fields. */
export interface SentMessage {
  readonly role: string;
  readonly [field: string]: unknown;
}

/** The conversation of a call's inputs and output; null: it is none, and is shown as a value. */
export function toChat(inputs: unknown, output: unknown): readonly ChatTurn[] | null {
  const exchange = toExchange(inputs, output);
  return exchange && [...exchange.sent, ...exchange.answers].map(toTurn);
}

/** How a message is shown. */
export function toTurn(message: Loose): ChatTurn {
  const parts = [message['content'], message['refusal']];
  const reasoning = textOf(message['reasoning'] ?? message['reasoning_content']);
  const media = [...parts.flatMap(partsOf).map(mediaOfPart), mediaOfAnswer(message['audio'])].filter(
    (one) => one !== null,
  );
  return {
    role: typeof message['role'] === 'string' ? message['role'] : 'unknown',
    text: parts.map(textOf).filter(Boolean).join('\n\n'),
    tools: Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isJsonObject).map(toolOf) : [],
    ...(reasoning !== '' && { reasoning }),
    ...(media.length > 0 && { media }),
  };
}

const partsOf = (content: unknown): Loose[] => (Array.isArray(content) ? content.filter(isJsonObject) : []);

/** Parts that are neither text nor shown otherwise are named. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return partsOf(content)
    .filter((part) => mediaOfPart(part) === null)
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : `[${String(part['type'])}]`))
    .join('\n');
}

/** As clients of OpenAI and of Anthropic send them. */
function mediaOfPart({ type, image_url: image, input_audio: audio, source }: Loose): ChatMedia | null {
  if (type === 'image_url' || type === 'input_image')
    return toMedia('image', isJsonObject(image) ? image['url'] : image);
  if (type === 'input_audio' && isJsonObject(audio))
    return toMedia('audio', toAddress(`audio/${audio['format']}`, audio['data']));
  if (type !== 'image' || !isJsonObject(source)) return null;
  return toMedia('image', source['url'] ?? toAddress(source['media_type'], source['data']));
}

/** What a model says aloud. */
const mediaOfAnswer = (audio: unknown): ChatMedia | null =>
  isJsonObject(audio) ? toMedia('audio', toAddress('audio/wav', audio['data'])) : null;

const toAddress = (type: unknown, data: unknown): string | null =>
  typeof data === 'string' ? `data:${String(type)};base64,${data}` : null;

const toMedia = (kind: ChatMedia['kind'], address: unknown): ChatMedia | null =>
  typeof address === 'string' && address !== '' ? { kind, address } : null;

function toolOf({ function: called, custom }: Loose): string {
  if (isJsonObject(custom)) return `${String(custom['name'])}(${String(custom['input'])})`;
  const { name, arguments: args }: Loose = isJsonObject(called) ? called : {};
  return `${String(name)}(${String(args)})`;
}
