import { IsOptional } from 'class-validator';

import { MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonValue, IsNumber, IsText } from '../validation/rules.js';

export class PromptTokensDetailsDto {
  /** Those of the prompt that were not computed again. */
  @IsInteger({ min: 0 }) cached_tokens!: number;
}

export class CompletionUsageDto {
  @IsInteger({ min: 0 }) prompt_tokens!: number;
  /** Of all choices. */
  @IsInteger({ min: 0 }) completion_tokens!: number;
  @IsInteger({ min: 0 }) total_tokens!: number;
  @MayOmit() @Nested(() => PromptTokensDetailsDto) prompt_tokens_details?: PromptTokensDetailsDto;
}

export class FunctionCallDto {
  @IsText() name!: string;
  /** The text of a JSON object that fits the function's parameters. */
  @IsText() arguments!: string;
}

export class ToolCallDto {
  /** `call_` and 24 hexadecimal digits. */
  @IsText() id!: string;
  /** `function`. */
  @IsText() type!: string;
  @Nested(() => FunctionCallDto) function!: FunctionCallDto;
}

/** What the model said; everything but the first three fields is there only when it holds something. */
export class CompletionMessageDto {
  @IsText() role!: string;
  /** Null beside tool calls alone. */
  @IsOptional() @IsText() content!: string | null;
  @IsOptional() @IsText() refusal?: string | null;
  /** What it thought before. */
  @MayOmit() @IsText() reasoning?: string;
  @MayOmit() @NestedList(() => ToolCallDto) tool_calls?: ToolCallDto[];
  @MayOmit() @Nested(() => FunctionCallDto) function_call?: FunctionCallDto;
  @MayOmit() @IsJsonValue() annotations?: unknown;
  @MayOmit() @IsJsonValue() audio?: unknown;
}

export class TopLogprobDto {
  @IsText() token!: string;
  /** Natural logarithm, of the raw distribution; at least -9999. */
  @IsNumber() logprob!: number;
  /** UTF-8 of the token. */
  @IsOptional() @IsJsonValue({ type: ['array', 'null'], items: { type: 'integer' } }) bytes!: number[] | null;
}

export class TokenLogprobDto extends TopLogprobDto {
  /** The likeliest at this place, as many as were asked for. */
  @NestedList(() => TopLogprobDto) top_logprobs!: TopLogprobDto[];
}

export class ChoiceLogprobsDto {
  /** One for each token of the answer. */
  @NestedList(() => TokenLogprobDto) content!: TokenLogprobDto[];
}

const IDS = { type: 'array', items: { type: 'integer' } };

export class CompletionChoiceDto {
  @IsInteger({ min: 0 }) index!: number;
  @Nested(() => CompletionMessageDto) message!: CompletionMessageDto;
  /** Null when they were not asked for. */
  @IsOptional() @Nested(() => ChoiceLogprobsDto) logprobs!: ChoiceLogprobsDto | null;
  /** `stop`, `length`, `tool_calls`; of upstreams also others. */
  @IsText() finish_reason!: string;
  /** The stop text or the id of the stop token that ended it, or `repetition_detected`. */
  @MayOmit() @IsJsonValue({ type: ['string', 'integer'] }) stop_reason?: string | number;
  @MayOmit() @IsJsonValue(IDS) token_ids?: number[];
}

/** Answer of `POST /v1/chat/completions` that is not streamed. */
export class ChatCompletionDto {
  /** `chatcmpl-` and the request's id. */
  @IsText() id!: string;
  /** `chat.completion`. */
  @IsText() object!: string;
  /** Unix seconds. */
  @IsInteger() created!: number;
  /** What answered; of a trained model with its step. */
  @IsText() model!: string;
  /** Names engine, weights and checkpoint. */
  @MayOmit() @IsText() system_fingerprint?: string;
  @NestedList(() => CompletionChoiceDto) choices!: CompletionChoiceDto[];
  @MayOmit() @Nested(() => CompletionUsageDto) usage?: CompletionUsageDto;
  /** One for each token of the prompt: null for the first, else token id -> logprob, rank and decoded_token. */
  @MayOmit() @IsJsonValue({ type: 'array', items: { type: ['object', 'null'] } }) prompt_logprobs?: unknown[];
  @MayOmit() @IsJsonValue(IDS) prompt_token_ids?: number[];
  @MayOmit() @IsJsonValue({ type: 'object' }) kv_transfer_params?: object;
}

export class InferenceModelDto {
  /** To be passed as `model`. */
  @IsText() id!: string;
  /** `model`. */
  @IsText() object!: string;
  /** Unix seconds. */
  @IsInteger() created!: number;
  /** The upstream, the entity of a trained model, or `hone`. */
  @IsText() owned_by!: string;
  /** What it is made of. */
  @IsText() root!: string;
}

/** Answer of `GET /v1/models`. */
export class InferenceModelListDto {
  /** `list`. */
  @IsText() object!: string;
  @NestedList(() => InferenceModelDto) data!: InferenceModelDto[];
}

export class InferenceErrorDetailsDto {
  @IsText() message!: string;
  @IsText() type!: string;
  /** The field that is to blame. */
  @IsOptional() @IsText() param!: string | null;
  @IsOptional() @IsText() code!: string | null;
}

/** Body of every error of the inference surface; `detail` is a list of places for a 422. */
export class InferenceErrorDto {
  @IsJsonValue({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] }) detail!: unknown;
  @Nested(() => InferenceErrorDetailsDto) error!: InferenceErrorDetailsDto;
}
