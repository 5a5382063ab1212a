import { IsOptional } from 'class-validator';

import { fromRule, Nested, NestedList, type Rule } from '../validation/rule.js';
import {
  IsFlag,
  IsInteger,
  IsText,
  IsTextList,
  IsTextMap,
  IsWord,
  listRule,
  textRule,
  wordRule,
} from '../validation/rules.js';
import { DispatchLimitsDto } from './dispatch-limits.dto.js';
import { MODEL_KINDS, type ModelKind } from './model-kind.js';
/** What a model can do beyond plain text. */
export const CAPABILITIES = ['tools', 'structured', 'prefill', 'logprobs', 'vision'] as const;
export type Capability = (typeof CAPABILITIES)[number];

const DIALECTS = ['vllm', 'openai', 'generic', 'anthropic', 'azure', 'gemini'] as const;
/** What an upstream may answer beside chats. */
const SPOKEN = ['completions', 'responses', 'messages'] as const;
/** How a server's key is sent. */
const KEY_HEADERS = ['bearer', 'api-key', 'x-api-key'] as const;

const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const NAME = {
  matches: (text: string) => NAME_PATTERN.test(text),
  description: '<name>',
  pattern: NAME_PATTERN.source,
  examples: ['vllm-a'],
};

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
