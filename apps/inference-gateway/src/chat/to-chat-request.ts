import { CHAT } from '../shared/endpoint.js';
import { promptSizeOf } from '../targets/prompt-size.js';
import type { ChatRequest } from '../targets/target.js';
import { withoutFallbacks } from './body/fallback-models.js';
import { type DefaultsProfile, NO_DEFAULTS, withDefaults } from './body/request-defaults.js';
import type { ChatContext } from './chat-context.js';

/** The request as targets get it: with defaults filled in, and with the headers that are forwarded. */
export function toChatRequest(chat: ChatContext): ChatRequest {
  const request = toCompletionRequest(chat);
  const native = toNativeRequest(chat, request);
  if (native === undefined) return request;
  return chat.parsed.refusal === undefined ? { ...request, native } : native;
}

function toCompletionRequest(chat: ChatContext): ChatRequest {
  const { exchange, entry } = chat;
  const { dto, endpoint = CHAT, media } = chat.parsed;
  const { fields, body } = withoutFallbacks(chat.parsed.fields, chat.parsed.body);
  const overrides = overridesOf(chat);
  return {
    rid: exchange.rid,
    endpoint,
    body,
    fields: overrides === NO_DEFAULTS ? fields : { ...fields, ...overrides },
    overrides,
    // Audio goes on as it comes.
    isStream: dto.stream === true || endpoint === 'audio/speech',
    promptSize: promptSizeOf(fields, body.length),
    choices: dto.n ?? 1,
    wantsUsageFrame: Boolean(dto.stream_options) && dto.stream_options?.include_usage !== false,
    media,
    keepsTokens: entry?.keepsTokens ?? false,
    headers: forwardedHeaders(chat, chat.settings.forwardHeaders),
  };
}

function toNativeRequest(chat: ChatContext, request: ChatRequest): ChatRequest | undefined {
  const { native } = chat.parsed;
  if (native === undefined) return undefined;
  const { endpoint, headerNames, continues } = native;
  const { fields, body } = withoutFallbacks(native.fields, native.body);
  const headers = { ...request.headers, ...forwardedHeaders(chat, headerNames) };
  return { ...request, endpoint, fields, body, overrides: NO_DEFAULTS, keepsTokens: false, headers, continues };
}

/** Fields that the gateway sets in the request to the upstream. */
function overridesOf(chat: ChatContext): Readonly<Record<string, unknown>> {
  const { dto, endpoint = CHAT } = chat.parsed;
  if (endpoint !== CHAT) return NO_DEFAULTS;
  const { minPriority } = chat.caller.attributes;
  const defaults = withDefaults(dto, profileOf(chat), areTrained(chat));
  const isUnranked = minPriority > 0 && (dto.priority ?? null) === null;
  return isUnranked ? { ...defaults, priority: minPriority } : defaults;
}

/** Fields for trained models are sent only where no other model may get them. */
const areTrained = ({ model }: ChatContext): boolean =>
  model.isTrained && model.fallbacks.every(({ isTrained }) => isTrained);

/** A request's header takes precedence over the setting of its key. */
function profileOf({ exchange, caller }: ChatContext): DefaultsProfile {
  const asked = exchange.header('hone-defaults');
  if (asked === 'listed' || asked === 'openai') return asked;
  return caller.attributes.chatDefaults ?? 'openai';
}

function forwardedHeaders({ exchange }: ChatContext, names: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const trace = exchange.header('traceparent');
  if (trace !== undefined) headers.traceparent = trace;
  for (const name of names) {
    const value = exchange.header(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
