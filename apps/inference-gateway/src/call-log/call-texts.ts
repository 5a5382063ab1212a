import { derivedOfAttributes, errorClassOf, type ModelTokens, modelTokens, toOpenRow, toTokenUsage } from '@hone/calls';
import { type JsonObject, type JsonValue, parseJson, stringifyJson, toStorableText } from '@hone/contracts';

import type { Endpoint } from '../shared/endpoint.js';
import type { KeptTokens } from '../shared/kept-tokens.js';
import { countMember, quoted, storable, textMember, wordMember } from '../shared/storable-json.js';
import { isoTime } from '../shared/time/iso-time.js';
import type { AskedCheckpoint, CallContent, CallFacts } from './call-entry.js';
import type { LogHeaders } from './log-headers.js';

const MAX_THREAD_LENGTH = 128;
const SUMMARY_OF_NOTHING = '{}';
const CHAT_OP = 'chat.completions:v0';
/** Ops of the calls, a part of their refs. What came through a door is kept as the chat completion that it is. */
const OPS: Readonly<Record<Endpoint, string>> = {
  'chat/completions': CHAT_OP,
  responses: CHAT_OP,
  messages: CHAT_OP,
  completions: 'completions:v0',
  embeddings: 'embeddings:v0',
  'images/generations': 'images.generations:v0',
  'images/edits': 'images.edits:v0',
  'audio/speech': 'audio.speech:v0',
  'audio/transcriptions': 'audio.transcriptions:v0',
  'audio/translations': 'audio.translations:v0',
};
/** Begin the members that the caller chooses. */
export const METADATA_MEMBER = ',"metadata":';
export const PROMPT_MEMBER = ',"prompt":';
/** Begins the last member of attributes: it may be longer than all others. */
export const TOKENS_MEMBER = ',"hone":{"tokens":';

/** What a usage record says of its call. */
export interface BookedRequest {
  readonly uid: string;
  readonly rid: string;
  readonly startedAt: Date;
  readonly keyId: string;
  readonly userId: string;
  /** Row id of the project. */
  readonly projectId: string;
  readonly modelAsked: string;
  readonly modelAnswered: string | null;
  readonly target: string | null;
  readonly checkpointId: string | null;
  readonly status: 'ok' | 'error' | 'aborted';
  readonly errorCode: string | null;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  readonly isStream: boolean;
  readonly ttftMs: number | null;
  readonly durationMs: number;
}

/** What a request said of its call, as far as the texts have it. */
export interface TextFacts extends Pick<
  CallFacts,
  'door' | 'split' | 'endpoint' | 'projectId' | 'checkpoint' | 'fallbacks'
> {
  readonly headers: Pick<LogHeaders, 'traceId' | 'parentId'>;
}

/** A call but for its request and answer, as texts that the database gets as they are. */
export interface CallTexts {
  /** Of {@link toOpenRow}. */
  readonly row: string;
  /** JSON. */
  readonly attributes: string;
  /** JSON. */
  readonly summary: string;
}

/**
 * Made when the request ends: then all that they say is at hand, and whoever writes them to the database need not parse
 * the usage record.
 *
 * @param attempts of the record, as JSON
 * @param refScheme of the op's ref
 */
export function callTexts(
  record: BookedRequest,
  attempts: string,
  { id, facts }: { readonly id: string; readonly facts: TextFacts },
  content: CallContent,
  refScheme: string,
): CallTexts {
  const { uid, startedAt, status } = record;
  const { traceId, parentId } = facts.headers;
  const { thread } = content;
  const metadata = content.metadata === null ? null : parseJson(content.metadata);
  const ttftMs = record.ttftMs === null ? null : Math.round(record.ttftMs);
  const said = { metadata, prompt: promptName(content), checkpoint: record.checkpointId, ttft_ms: ttftMs };
  const exception = status === 'aborted' ? 'aborted' : record.errorCode;
  const row = toOpenRow({
    uid,
    projectRowId: record.projectId,
    id,
    svcUserId: record.userId,
    opName: `${refScheme}:///${facts.projectId}/op/${OPS[facts.endpoint ?? 'chat/completions']}`,
    traceId: traceId ?? uid,
    parentId,
    threadId: thread === null ? null : toStorableText(thread).slice(0, MAX_THREAD_LENGTH),
    startedAt: isoTime(startedAt),
    endedAt: isoTime(new Date(startedAt.getTime() + Math.round(record.durationMs))),
    exception,
    derived: { ...derivedOfAttributes(said), errorClass: errorClassOf(exception), models: tokensOf(record) },
  });
  const attributes = attributesJson(record, attempts, facts, content, { metadata, ttftMs });
  return { row, attributes, summary: summaryJson(record) };
}

/** As `attributes.prompt` has it, but for the variables. */
const promptName = ({ prompt }: CallContent): JsonObject | null =>
  prompt === undefined ? null : { id: prompt.id, version: prompt.version };

function attributesJson(
  record: BookedRequest,
  attempts: string,
  facts: TextFacts,
  content: CallContent,
  { metadata, ttftMs }: { readonly metadata: JsonValue; readonly ttftMs: number | null },
): string {
  const { modelAsked, modelAnswered } = record;
  return (
    `{"model":${quoted(modelAnswered ?? modelAsked)}` +
    textMember('route', modelAsked) +
    textMember('target', record.target) +
    wordMember('checkpoint', record.checkpointId) +
    `,"attempts":${attempts}` +
    wordMember('key_id', record.keyId) +
    wordMember('request_id', record.rid) +
    `,"stream":${record.isStream}` +
    (facts.door === undefined ? '' : `,"door":${facts.door}`) +
    (facts.split === undefined ? '' : `,"split":${facts.split}`) +
    (ttftMs === null ? '' : `,"ttft_ms":${ttftMs}`) +
    (metadata === null ? '' : `${METADATA_MEMBER}${stringifyJson(metadata)}`) +
    (content.prompt === undefined ? '' : `${PROMPT_MEMBER}${JSON.stringify(content.prompt)}`) +
    (content.isWithoutContent ? ',"content_logged":false' : '') +
    (content.warnings?.length ? `,"warnings":${JSON.stringify(content.warnings)}` : '') +
    `${checkpointMembers(record, facts, content)}}`
  );
}

/** What the call can be learned from: the weights that answered and their tokens. Another model may have answered. */
function checkpointMembers(
  { modelAnswered }: BookedRequest,
  { checkpoint: asked, fallbacks = [] }: TextFacts,
  { tokens, isWithoutContent }: CallContent,
): string {
  const isAnswering = (one: AskedCheckpoint | null) => one?.name === modelAnswered;
  const checkpoint = modelAnswered === null ? asked : [asked, ...fallbacks].find(isAnswering);
  if (!checkpoint) return '';
  const kept = tokens === null || isWithoutContent ? '' : `${TOKENS_MEMBER}${tokensJson(tokens)}}`;
  return `,"model_id":"${checkpoint.modelId}","step":${checkpoint.step}${kept}`;
}

const tokensJson = ({ promptIds, choices }: KeptTokens): string =>
  JSON.stringify({
    prompt_token_ids: promptIds,
    choices: choices.map(({ ids, logprobs }) => ({ token_ids: ids, logprobs })),
  });

/** Usage under the name of the model, as the calls of SDKs have it. */
function summaryJson(record: BookedRequest): string {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = record;
  const total = promptTokens + completionTokens;
  if (total === 0) return SUMMARY_OF_NOTHING;
  return (
    `{"usage":{${quoted(record.modelAnswered ?? record.modelAsked)}:{"requests":1,"prompt_tokens":${promptTokens}` +
    `,"completion_tokens":${completionTokens},"total_tokens":${total}` +
    countMember('cached_tokens', cachedTokens) +
    countMember('cache_write_tokens', cacheWriteTokens) +
    `${countMember('reasoning_tokens', reasoningTokens)}}}}`
  );
}

/** What the summary says of tokens. */
function tokensOf(record: BookedRequest): readonly ModelTokens[] {
  const { promptTokens: prompt, completionTokens: completion } = record;
  const total = prompt + completion;
  if (total === 0) return [];
  const [cached, written] = [record.cachedTokens || undefined, record.cacheWriteTokens || undefined];
  const reasoning = record.reasoningTokens || undefined;
  const used = toTokenUsage({ prompt, completion, total, cached, written, reasoning });
  return [modelTokens(storable(record.modelAnswered ?? record.modelAsked), 1, used)];
}
