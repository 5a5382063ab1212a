import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonValue, IsNumber, IsText } from '../validation/rules.js';
import { CompletionUsageDto } from './chat-completion.dto.js';
import { StreamOptionsDto } from './chat-completions.dto.js';
import { INT64, IsAnyText, IsLogitBias, IsLogprobCount, IsStop } from './chat-rules.js';
import { IsFallbacks, IsModelNames } from './fallback-models.js';
import { IsTextOrTokens } from './text-or-tokens.js';

/**
 * Body of `POST /v1/completions`: a prompt that is continued as it stands, without a chat template. Null means absent in
 * every optional field; fields that are not declared here mean what they mean in chat completions.
 */
@AcceptsUnknownFields()
@Example({ model: 'hone-tiny', prompt: 'Once upon a time', max_tokens: 16 })
export class CompletionRequestDto {
  /** A route, an alias, or the reference of a trained model, 1 to 512 characters. */
  @IsAnyText({ min: 1, max: 512 }) model!: string;
  /**
   * The prompt: a text, token ids, or a list of either, each of which is continued, with 1,000,000 ids in all. Markers of control tokens
   * are those.
   */
  @IsTextOrTokens() prompt!: string | number[] | string[] | number[][];
  /** Most tokens of one answer; 0: none, which is of use beside `echo`. Absent or null: 16. */
  @IsOptional() @IsInteger({ min: 0 }) max_tokens?: number | null;
  /** Randomness of the draw, 0 to 2. Absent or null: 1. */
  @IsOptional() @IsNumber({ min: 0, max: 2 }) temperature?: number | null;
  /** Draw from the likeliest tokens that together have this probability, above 0 up to 1. Absent or null: 1. */
  @IsOptional() @IsNumber({ above: 0, max: 1 }) top_p?: number | null;
  /** How many answers to each prompt, at least 1. Absent or null: 1. */
  @IsOptional() @IsInteger({ min: 1 }) n?: number | null;
  /** Whether the answer comes as server-sent events; for one prompt. Absent or null: false. */
  @IsOptional() @IsFlag() stream?: boolean | null;
  /** What a stream carries beside the answer; needs `stream`. Absent or null: the defaults. */
  @IsOptional() @Nested(() => StreamOptionsDto) stream_options?: StreamOptionsDto | null;
  /** How many likeliest tokens to show at each position, with their log-probabilities. Absent or null: none are shown. */
  @IsOptional() @IsLogprobCount() logprobs?: number | null;
  /** Whether the answer begins with the prompt, and `logprobs` with those of its tokens. Absent or null: false. */
  @IsOptional() @IsFlag() echo?: boolean | null;
  /** One text, or at most 64, that end the answer. Absent or null: none. */
  @IsOptional() @IsStop() stop?: string | string[] | null;
  /** Taken off the logit of a token once it was generated, -2 to 2. Absent or null: 0. */
  @IsOptional() @IsNumber({ min: -2, max: 2 }) presence_penalty?: number | null;
  /** Taken off the logit of a token for each time it was generated, -2 to 2. Absent or null: 0. */
  @IsOptional() @IsNumber({ min: -2, max: 2 }) frequency_penalty?: number | null;
  /** Decimal token id -> -100 to 100, added to the logit before sampling. Absent or null: none. */
  @IsOptional() @IsLogitBias() logit_bias?: Record<string, number> | null;
  /** Seed of the draw, 64-bit. Absent or null: another for each request. */
  @IsOptional() @IsInteger(INT64) seed?: number | null;
  /** Name of the end user, at most 512 characters. Absent or null: none. */
  @IsOptional() @IsAnyText({ max: 512 }) user?: string | null;
  /**
   * Models to try, at most 9: after `model` or, where that is absent, in its place. The next one is tried only before
   * anything was sent. Absent or null: `model` alone.
   */
  @IsOptional() @IsModelNames() models?: string[] | null;
  /** Models to try after those, at most 8, each a name or `{"model": name}`. Absent or null: none. */
  @IsOptional() @IsFallbacks() fallbacks?: (string | { model: string })[] | null;
}

/** Log-probabilities of a completion's tokens, in lists of one length. */
export class CompletionLogprobsDto {
  /** Text of each token. */
  @IsJsonValue({ type: 'array', items: { type: 'string' } }) tokens!: string[];
  /** Natural logarithm of each token's probability. Null: the first token of a prompt has none. */
  @IsJsonValue({ type: 'array', items: { type: ['number', 'null'] } }) token_logprobs!: (number | null)[];
  /** The likeliest tokens at each position: text -> log-probability. */
  @IsJsonValue({ type: 'array', items: { type: ['object', 'null'] } }) top_logprobs!: (object | null)[];
  /** Where each token begins in the text, in characters. */
  @IsJsonValue({ type: 'array', items: { type: 'integer' } }) text_offset!: number[];
}

/** One of the answers. */
export class TextChoiceDto {
  /** Position among the choices, from 0: all answers to the first prompt come first. */
  @IsInteger({ min: 0 }) index!: number;
  /** What the model wrote. */
  @IsText() text!: string;
  /** Log-probabilities of the tokens. Null: they were not asked for. */
  @IsOptional() @Nested(() => CompletionLogprobsDto) logprobs!: CompletionLogprobsDto | null;
  /** Why the answer ended: `stop` or `length`; upstreams have others too. */
  @IsText() finish_reason!: string;
}

/** Answer of `POST /v1/completions` that is not streamed. */
export class CompletionDto {
  /** `cmpl-` and the id of the request. */
  @IsText() id!: string;
  /** Always `text_completion`. */
  @IsText() object!: string;
  /** When the answer began, in Unix seconds. */
  @IsInteger() created!: number;
  /** The model that answered. */
  @IsText() model!: string;
  /** The answers, `n` to each prompt. */
  @NestedList(() => TextChoiceDto) choices!: TextChoiceDto[];
  /** Tokens that the request used. Absent: the upstream does not say. */
  @MayOmit() @Nested(() => CompletionUsageDto) usage?: CompletionUsageDto;
}
