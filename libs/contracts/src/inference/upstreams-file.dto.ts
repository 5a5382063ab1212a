import { IsOptional } from 'class-validator';

import { issue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { fromRule, Nested, NestedList, type Rule } from '../validation/rule.js';
import {
  IsFlag,
  IsInteger,
  IsNumber,
  IsText,
  IsTextList,
  IsTextMap,
  IsWord,
  listRule,
  textRule,
  wordRule,
} from '../validation/rules.js';
import { MODEL_KINDS, type ModelKind } from './model-kind.js';

/** What a model can do beyond plain text. */
export const CAPABILITIES = ['tools', 'structured', 'prefill', 'logprobs', 'vision'] as const;
export type Capability = (typeof CAPABILITIES)[number];

const DIALECTS = ['vllm', 'openai', 'generic', 'anthropic', 'azure', 'gemini'] as const;
/** What an upstream may answer beside chats. */
const SPOKEN = ['completions', 'responses', 'messages'] as const;
/** How a server's key is sent. */
const KEY_HEADERS = ['bearer', 'api-key', 'x-api-key'] as const;

const shape = (pattern: RegExp, description: string, ...examples: string[]) => ({
  matches: (text: string) => pattern.test(text),
  description,
  pattern: pattern.source,
  examples,
});

const NAME = shape(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, '<name>', 'vllm-a');
const HEADER = shape(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, '<header>', 'X-Team');
const ORIGIN = {
  ...shape(/^(\*|https?:\/\/[^/]+)$/, '<scheme>://<host>[:<port>]', 'https://app.example'),
  matches: (text: string) => text === '*' || (URL.canParse(text) && new URL(text).origin === text),
};
const MODEL_ID = { min: 1, max: 512 };

const IsList = (item: Rule) => fromRule(listRule(item));

const PARAMETER_SET = wordRule(['all', 'openai']);
const PARAMETER_LIST = listRule(textRule({ min: 1 }));
/** A named set of request fields, or a list of fields. */
const IsHonouredParameters = () =>
  fromRule({
    name: 'isHonouredParameters',
    issues: (value) => (Array.isArray(value) ? PARAMETER_LIST : PARAMETER_SET).issues(value),
    schema: { anyOf: [PARAMETER_SET.schema, PARAMETER_LIST.schema] },
  });

/** Its fields depend on its kind: the reader checks them. */
const UPSTREAM: Rule = {
  name: 'isUpstream',
  issues: (value) => (isJsonObject(value) ? [] : [issue('dict_type')]),
  schema: { type: 'object' },
};

/** Time limits, retries and queueing of requests: at an upstream, or on a route, which wins. Milliseconds. */
export class DispatchLimitsDto {
  /** Streams: from dispatch to the first answer frame. Default 10,000. */
  @IsOptional() @IsInteger({ min: 1 }) ttft_ms?: number | null;
  /** The same when no other target could answer. Default 60,000. */
  @IsOptional() @IsInteger({ min: 1 }) ttft_last_ms?: number | null;
  /** Longest gap between parts of an answer; comments and blank lines in between are none. Default 15,000. */
  @IsOptional() @IsInteger({ min: 1 }) stall_ms?: number | null;
  /** Whole answers: from dispatch to the headers. Default 120,000. */
  @IsOptional() @IsInteger({ min: 1 }) response_ms?: number | null;
  /** The whole request, with all attempts and waits. Default 600,000. */
  @IsOptional() @IsInteger({ min: 1 }) total_ms?: number | null;
  /** Retries on one target. Default 2. */
  @IsOptional() @IsInteger({ min: 0 }) retries?: number | null;
  /** Attempts of one request over all targets. Default 6. */
  @IsOptional() @IsInteger({ min: 1 }) max_attempts?: number | null;
  /** Back-off before the first retry on a target; it doubles with each. Default 500. */
  @IsOptional() @IsInteger({ min: 0 }) backoff_ms?: number | null;
  /** Longest back-off. Default 8,000. */
  @IsOptional() @IsInteger({ min: 0 }) backoff_max_ms?: number | null;
  /** Longest `Retry-After` that a request waits for. Default 5,000. */
  @IsOptional() @IsInteger({ min: 0 }) retry_after_max_ms?: number | null;
  /** Silence after all choices have finished that counts as the end of a stream. Default 1,000. */
  @IsOptional() @IsInteger({ min: 1 }) done_grace_ms?: number | null;
  /** Requests that may wait in the queue of one tier. Default 512. */
  @IsOptional() @IsInteger({ min: 0 }) queue_max?: number | null;
  /** Longest wait in a queue. Default 10,000. */
  @IsOptional() @IsInteger({ min: 0 }) queue_ms?: number | null;
  /** A caller who reads no byte for this long is disconnected. Default 120,000. */
  @IsOptional() @IsInteger({ min: 1 }) write_stall_ms?: number | null;
  /** Silence after which a buffered stream sends an SSE comment; 0: never. Default 15,000. */
  @IsOptional() @IsInteger({ min: 0 }) keepalive_ms?: number | null;
  /** Most bytes that the buffered guard holds. Default 8 MiB. */
  @IsOptional() @IsInteger({ min: 1 }) buffer_max_bytes?: number | null;
}

/** What every kind of upstream has. */
export class UpstreamDto extends DispatchLimitsDto {
  /** Name of the upstream in records and metrics: 1 to 63 of `A-Z a-z 0-9 . _ -`, unique. */
  @IsText({ shape: NAME }) name!: string;
  /** Which engine is behind it. */
  @IsWord(['embedded', 'openai-compatible']) kind!: 'embedded' | 'openai-compatible';
  /** False: it gets no requests. Default true. */
  @IsOptional() @IsFlag() enabled?: boolean | null;
  /** Slots of each of its models: requests at once. Default 64; embedded: 10,000, as the engine has a queue of its own. */
  @IsOptional() @IsInteger({ min: 1 }) max_concurrency?: number | null;
  /** Consecutive failures that open the circuit breaker. Default 3. */
  @IsOptional() @IsInteger({ min: 1 }) breaker_failures?: number | null;
  /** How long the breaker stays open; it doubles at each failed probe. Default 5,000. */
  @IsOptional() @IsInteger({ min: 1 }) breaker_open_ms?: number | null;
  /** Longest time that the breaker stays open. Default 15,000. */
  @IsOptional() @IsInteger({ min: 1 }) breaker_open_max_ms?: number | null;
  /** Cooldown after a 429 without `Retry-After`; it doubles with each. Default 1,000. */
  @IsOptional() @IsInteger({ min: 1 }) cooling_ms?: number | null;
  /** Longest cooldown. Default 15,000. */
  @IsOptional() @IsInteger({ min: 1 }) cooling_max_ms?: number | null;
  /** How long a target is taken out whose key, quota or model is missing. Default 60,000. */
  @IsOptional() @IsInteger({ min: 1 }) out_ms?: number | null;
}

/** A model at an upstream. */
export class UpstreamModelDto {
  /** Its name at the upstream; unique there. */
  @IsText({ min: 1 }) name!: string;
  /**
   * What it answers: `embedding` embeds texts, `image` makes images, `speech` speaks, `transcription` writes down what was said.
   * None of these answers chats. Default `chat`.
   */
  @IsOptional() @IsWord(['chat', ...MODEL_KINDS]) kind?: 'chat' | ModelKind | null;
  /** Most texts that it embeds in one request; more are sent in several. Default 128. */
  @IsOptional() @IsInteger({ min: 1, max: 2_048 }) max_batch?: number | null;
  /**
   * `1`: it gives one choice at a time, so a chat that asks for more is sent once for each, side by side in the slots that are
   * free. Null: any number, until an answer has one choice where several were asked for.
   */
  @IsOptional() @IsInteger({ min: 1, max: 1 }) n?: 1 | null;
  /** Longest prompt and answer, in tokens; null: unknown. */
  @IsOptional() @IsInteger({ min: 1 }) context_length?: number | null;
  /** What it can do beyond plain text; null: unknown, so everything is tried. Default for vLLM: all. */
  @IsOptional() @IsList(wordRule(CAPABILITIES)) capabilities?: Capability[] | null;
}

/** How trained models are loaded into a vLLM server that runs: each checkpoint is a LoRA adapter. */
export class AdapterLoadingDto {
  /** False: no trained model is loaded into this server. Default true. */
  @IsOptional() @IsFlag() enabled?: boolean | null;
  /** Models of this server that adapters are loaded for. Default: all in `models`. */
  @IsOptional() @IsTextList({ min: 1 }) bases?: string[] | null;
  /** The server's `--max-loras`: adapters that it computes with at once. Default 1, which is vLLM's. */
  @IsOptional() @IsInteger({ min: 1 }) max_loras?: number | null;
  /** The server's `--max-cpu-loras`: adapters that each gateway process keeps loaded. Default: as `max_loras`. */
  @IsOptional() @IsInteger({ min: 1 }) max_cpu_loras?: number | null;
  /** Folder for adapters that the server can read, as the gateway sees it. Default: `adapters` in `HONE_DATA_DIR`. */
  @IsOptional() @IsText({ min: 1 }) folder?: string | null;
  /** Folder as the gateway sees it -> the same folder as the server sees it; the longest that fits counts. */
  @IsOptional() @IsTextMap() adapter_path_map?: Record<string, string> | null;
  /** Longest wait of a request for its adapter: for a slot, and to load. Default 60,000. */
  @IsOptional() @IsInteger({ min: 1 }) load_ms?: number | null;
}

/** A server with OpenAI's interface. */
export class HttpUpstreamDto extends UpstreamDto {
  /** URL up to and without `/chat/completions`; no credentials, no query. */
  @IsText({ min: 1 }) base_url!: string;
  /** Environment variable that holds its key; null: it asks for none. */
  @IsOptional() @IsText({ min: 1 }) key_env?: string | null;
  /**
   * Environment variables that hold several keys, used in turn. One that is refused with 401, or has no quota left, is set
   * aside for `out_ms`; one that meets 429, for its `Retry-After` or `cooling_ms`. Excludes `key_env`. Null: there are none.
   */
  @IsOptional() @IsTextList({ min: 1, maxItems: 64 }) keys?: string[] | null;
  /** How a key is sent: in `Authorization` as `bearer`, or in the header `api-key` or `x-api-key`. Default: that of the dialect. */
  @IsOptional() @IsWord(KEY_HEADERS) key_header?: (typeof KEY_HEADERS)[number] | null;
  /** Parameters of every URL, name -> value, such as the `api-version` of Azure. No secrets. Null: none. */
  @IsOptional() @IsTextMap() query?: Record<string, string> | null;
  /** Whose habits it has; `anthropic`: it has no chat completions at all, they become messages. Default `generic`. */
  @IsOptional() @IsWord(DIALECTS) dialect?: (typeof DIALECTS)[number] | null;
  /**
   * Version of Azure's interface, for `dialect: azure`: its models are then deployments below the base URL. Null: the newer
   * interface, which has no versions.
   */
  @IsOptional() @IsText({ min: 1, max: 64 }) api_version?: string | null;
  /**
   * What else than chats it answers: `completions`, the older form, `responses` of OpenAI, `messages` of Anthropic. Requests of
   * these two forms then go there as they came, and so do its answers. Default for vLLM `completions`, otherwise nothing.
   */
  @IsOptional() @IsList(wordRule(SPOKEN)) speaks?: (typeof SPOKEN)[number][] | null;
  /** Request fields that it honours: `all`, `openai`, or a list. Default for vLLM `all`, otherwise `openai`. */
  @IsOptional() @IsHonouredParameters() params?: 'all' | 'openai' | string[] | null;
  /** Where a stream's usage comes from: asked for, sent unasked, or nowhere. Default `include`. */
  @IsOptional() @IsWord(['include', 'native', 'none']) usage?: 'include' | 'native' | 'none' | null;
  /** It sends one frame per token, so that a lost one shows in the usage. Default false. */
  @IsOptional() @IsFlag() token_frames?: boolean | null;
  /** Most connections at once. Default 128. */
  @IsOptional() @IsInteger({ min: 1, max: 65_535 }) connections?: number | null;
  /** Time limit of TCP and TLS, in milliseconds. Default 3,000. */
  @IsOptional() @IsInteger({ min: 1 }) connect_ms?: number | null;
  /** Trained models on a vLLM server; null: none is loaded into it. */
  @IsOptional() @Nested(() => AdapterLoadingDto) lora?: AdapterLoadingDto | null;
  /** Models that the server has. */
  @NestedList(() => UpstreamModelDto) models!: UpstreamModelDto[];
}

/** A target of a route: one model at one upstream. */
export class RouteTargetDto {
  /** Name of an upstream. */
  @IsText({ min: 1 }) upstream!: string;
  /** Name of a model at that upstream. */
  @IsText({ min: 1 }) model!: string;
  /** Share of the load within its tier. Default 1. */
  @IsOptional() @IsNumber({ min: 0.001, max: 1_000_000 }) weight?: number | null;
  /** Its tier: 0 is tried first. Default 0. */
  @IsOptional() @IsInteger({ min: 0, max: 1_000 }) priority?: number | null;
}

/** USD per million tokens, and per image, character or minute. */
export class RoutePriceDto {
  /** Of prompt tokens, USD per million. Default 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000_000 }) prompt?: number | null;
  /** Of cached prompt tokens. Default: as `prompt`. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000_000 }) cached?: number | null;
  /** Of prompt tokens that were written into a cache. Default: as `prompt`. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000_000 }) cache_write?: number | null;
  /** Of completion tokens, USD per million. Default 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000_000 }) completion?: number | null;
  /** Of completion tokens spent on reasoning. Default: as `completion`. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000_000 }) reasoning?: number | null;
  /** Of one image that a model made, USD, beside its tokens. Default 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000 }) image?: number | null;
  /** Of text that a model spoke, USD per million characters, beside its tokens. Default 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000_000 }) characters?: number | null;
  /** Of one minute of audio that a model wrote down, USD, beside its tokens. Default 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1_000 }) minute?: number | null;
}

/** Which answers of a route equal requests get again. */
export class RouteCacheDto {
  /** How long an answer is given again, in seconds. */
  @IsInteger({ min: 1, max: 31_536_000 }) ttl_s!: number;
  /** Most bytes of all answers together, in each gateway process. Default 67,108,864. */
  @IsOptional() @IsInteger({ min: 1_024, max: 2 ** 40 }) max_bytes?: number | null;
  /** Who shares answers: all keys of a project, or each `key` alone. Default `project`. */
  @IsOptional() @IsWord(['project', 'key']) scope?: 'project' | 'key' | null;
}

/** A model id that callers may send, and the targets that answer it. */
export class RouteDto extends DispatchLimitsDto {
  /** The model id that callers send; unique among ids and aliases. */
  @IsText(MODEL_ID) id!: string;
  /** More ids with the same meaning. */
  @IsOptional() @IsTextList(MODEL_ID) aliases?: string[] | null;
  /** How a target of a tier is chosen. Default `least_busy`. */
  @IsOptional() @IsWord(['least_busy', 'weighted']) strategy?: 'least_busy' | 'weighted' | null;
  /** `buffered`: a stream begins once its answer is known to be whole. Default `passthrough`. */
  @IsOptional() @IsWord(['passthrough', 'buffered']) stream_guard?: 'passthrough' | 'buffered' | null;
  /** At least one. */
  @NestedList(() => RouteTargetDto) targets!: RouteTargetDto[];
  /**
   * Absent or null: where the first target is at a provider of hosted models, the price of its model by the built-in
   * list, if it is there; else nothing is charged. An empty price charges nothing.
   */
  @IsOptional() @Nested(() => RoutePriceDto) price?: RoutePriceDto | null;
  /** Callers may bring a chat template of their own. Default false. */
  @IsOptional() @IsFlag() trust_chat_template?: boolean | null;
  /** Equal requests get the same answer again. Null: each is sent to a target. */
  @IsOptional() @Nested(() => RouteCacheDto) cache?: RouteCacheDto | null;
  /** Another target of the route may answer for a trained model. Default false. */
  @IsOptional() @IsFlag() trained_fallback?: boolean | null;
}

/** Limits of every request. */
export class RequestLimitsDto {
  /** Of an inflated body. Default 32 MiB. */
  @IsOptional() @IsInteger({ min: 1_024 }) max_body_bytes?: number | null;
  /** How long a body may take to arrive. Default 60,000. */
  @IsOptional() @IsInteger({ min: 1 }) body_timeout_ms?: number | null;
  /** Largest `top_logprobs` and `prompt_logprobs`; -1: as many as the vocabulary has. Default 20. */
  @IsOptional() @IsInteger({ min: -1 }) max_logprobs?: number | null;
  /** Largest `n`. Default 128. */
  @IsOptional() @IsInteger({ min: 1 }) max_n?: number | null;
  /**
   * Longest wait for a schema, tool, regex or choice to compile, in milliseconds of CPU time, in a thread of its own; read
   * at the start only. Default 10,000.
   */
  @IsOptional() @IsInteger({ min: 1 }) compile_ms?: number | null;
  /** Most states of one request's patterns, repetitions written out; read at the start only. Default 200,000. */
  @IsOptional() @IsInteger({ min: 1 }) compile_states?: number | null;
}

/** How the usage journal makes records durable. */
export class JournalDto {
  /** `write`: usage survives a killed process. `fsync`: a crashed machine as well. Default `write`. */
  @IsOptional() @IsWord(['write', 'fsync']) sync?: 'write' | 'fsync' | null;
  /** What happens to requests whose usage cannot be recorded. Default `refuse`. */
  @IsOptional() @IsWord(['refuse', 'serve']) on_failure?: 'refuse' | 'serve' | null;
}

/** Which pages of other origins may call from browsers. */
export class CorsDto {
  /** Origins that browsers may call from; `*`: all. */
  @IsTextList({ shape: ORIGIN }) origins!: string[];
}

/** What traces of OpenTelemetry hold. */
export class OtelDto {
  /** Traces hold the text of prompts. Default false. */
  @IsOptional() @IsFlag() capture?: boolean | null;
}

/** The upstreams file, apart from the fields of each upstream, which depend on its kind. Null means absent throughout. */
export class UpstreamsFileDto {
  /** Default: the embedded engine, which is always among them. */
  @IsOptional() @IsList(UPSTREAM) upstreams?: object[] | null;
  /** Null: every upstream model is a route of its own. */
  @IsOptional() @NestedList(() => RouteDto) routes?: RouteDto[] | null;
  /** Headers that may name the project that pays; the first one present wins. Default `Hone-Project`, `OpenAI-Project`. */
  @IsOptional() @IsTextList({ shape: HEADER }) project_headers?: string[] | null;
  /** Callers' headers that are forwarded to upstreams. Default: none. */
  @IsOptional() @IsTextList({ shape: HEADER }) forward_headers?: string[] | null;
  /** Limits of every request; null: the defaults. */
  @IsOptional() @Nested(() => RequestLimitsDto) limits?: RequestLimitsDto | null;
  /** How usage is made durable; null: the defaults. */
  @IsOptional() @Nested(() => JournalDto) journal?: JournalDto | null;
  /** Browsers; null: no page of another origin may call. */
  @IsOptional() @Nested(() => CorsDto) cors?: CorsDto | null;
  /** What traces hold; null: no text of prompts. */
  @IsOptional() @Nested(() => OtelDto) otel?: OtelDto | null;
  /** How long running requests may take once the process is asked to stop, in milliseconds. Default 10,000. */
  @IsOptional() @IsInteger({ min: 0 }) drain_ms?: number | null;
}
