import { IsOptional } from 'class-validator';

import { issue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { fromRule, Nested, NestedList, type Rule } from '../validation/rule.js';
import { IsFlag, IsInteger, IsTextList, IsWord, listRule } from '../validation/rules.js';
import { RouteDto } from './route.dto.js';

const shape = (pattern: RegExp, description: string, ...examples: string[]) => ({
  matches: (text: string) => pattern.test(text),
  description,
  pattern: pattern.source,
  examples,
});

const HEADER = shape(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, '<header>', 'X-Team');
const ORIGIN = {
  ...shape(/^(\*|https?:\/\/[^/]+)$/, '<scheme>://<host>[:<port>]', 'https://app.example'),
  matches: (text: string) => text === '*' || (URL.canParse(text) && new URL(text).origin === text),
};
const IsList = (item: Rule) => fromRule(listRule(item));

/** Its fields depend on its kind: the reader checks them. */
const UPSTREAM: Rule = {
  name: 'isUpstream',
  issues: (value) => (isJsonObject(value) ? [] : [issue('dict_type')]),
  schema: { type: 'object' },
};

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
