import { IsOptional } from 'class-validator';

import { MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonValue, IsNumber, IsText, IsWord } from '../validation/rules.js';
import { MODEL_KINDS, type ModelKind } from './model-kind.js';

/** Where the tokens of a prompt came from. */
export class PromptTokensDetailsDto {
  /** Tokens of the prompt that the engine took from a cache. */
  @IsInteger({ min: 0 }) cached_tokens!: number;
}

/** Tokens that a request used. */
export class CompletionUsageDto {
  /** Tokens of the prompt. */
  @IsInteger({ min: 0 }) prompt_tokens!: number;
  /** Tokens of all choices together. */
  @IsInteger({ min: 0 }) completion_tokens!: number;
  /** Tokens of the prompt and of all choices. */
  @IsInteger({ min: 0 }) total_tokens!: number;
  /** Where the tokens of the prompt came from. Absent: not known. */
  @MayOmit() @Nested(() => PromptTokensDetailsDto) prompt_tokens_details?: PromptTokensDetailsDto;
}

/** A call of a function that the model asks for. */
export class FunctionCallDto {
  /** Name of the function. */
  @IsText() name!: string;
  /** The arguments as the text of a JSON object, which fits the function's parameters. */
  @IsText() arguments!: string;
}

/** A tool call that the model asks for. */
export class ToolCallDto {
  /** `call_` and 24 hexadecimal digits; the message with the result names it as `tool_call_id`. */
  @IsText() id!: string;
  /** Always `function`. */
  @IsText() type!: string;
  /** The function to call, with its arguments. */
  @Nested(() => FunctionCallDto) function!: FunctionCallDto;
}

/** What the model said. All fields but the first three are absent when they hold nothing. */
export class CompletionMessageDto {
  /** Always `assistant`. */
  @IsText() role!: string;
  /** The text. Null: the message holds tool calls alone. */
  @IsOptional() @IsText() content!: string | null;
  /** Why the model refuses to answer. Null: it does not refuse. */
  @IsOptional() @IsText() refusal?: string | null;
  /** What the model wrote before its answer. Absent: nothing, or not asked for. */
  @MayOmit() @IsText() reasoning?: string;
  /** Tools that the model asks for. Absent: none. */
  @MayOmit() @NestedList(() => ToolCallDto) tool_calls?: ToolCallDto[];
  /** The one function to call, in the older notation of upstreams. Absent: none. */
  @MayOmit() @Nested(() => FunctionCallDto) function_call?: FunctionCallDto;
  /** Sources that an upstream cites, as it sends them. */
  @MayOmit() @IsJsonValue() annotations?: unknown;
  /** Spoken answer of an upstream, as it sends it. */
  @MayOmit() @IsJsonValue() audio?: unknown;
}

/** One token with its log-probability. */
export class TopLogprobDto {
  /** Text of the token, or `token_id:<id>` when that was asked for. */
  @IsText() token!: string;
  /** Natural logarithm of the probability before temperature, penalties and bias; at least -9999. */
  @IsNumber() logprob!: number;
  /** UTF-8 bytes of the token, 0 to 255 each. Null: the token has no text. */
  @IsOptional() @IsJsonValue({ type: ['array', 'null'], items: { type: 'integer' } }) bytes!: number[] | null;
}

/** A token of the answer with its likeliest alternatives. */
export class TokenLogprobDto extends TopLogprobDto {
  /** The likeliest tokens at this position, as many as `top_logprobs` asked for. */
  @NestedList(() => TopLogprobDto) top_logprobs!: TopLogprobDto[];
}

/** Log-probabilities of one choice. */
export class ChoiceLogprobsDto {
  /** One entry for each token of the answer, in order. */
  @NestedList(() => TokenLogprobDto) content!: TokenLogprobDto[];
}

const IDS = { type: 'array', items: { type: 'integer' } };

/** One of the `n` answers. */
export class CompletionChoiceDto {
  /** Position among the choices, from 0. */
  @IsInteger({ min: 0 }) index!: number;
  /** What the model said. */
  @Nested(() => CompletionMessageDto) message!: CompletionMessageDto;
  /** Log-probabilities of the tokens. Null: they were not asked for. */
  @IsOptional() @Nested(() => ChoiceLogprobsDto) logprobs!: ChoiceLogprobsDto | null;
  /** Why the answer ended: `stop`, `length`, `tool_calls`; upstreams have others too. */
  @IsText() finish_reason!: string;
  /**
   * The stop text or the id of the stop token that ended the answer, or `repetition_detected`. Absent: nothing of these
   * ended it.
   */
  @MayOmit() @IsJsonValue({ type: ['string', 'integer'] }) stop_reason?: string | number;
  /** Ids of the tokens of the answer. Absent: not asked for. */
  @MayOmit() @IsJsonValue(IDS) token_ids?: number[];
}

/** Answer of `POST /v1/chat/completions` that is not streamed. */
export class ChatCompletionDto {
  /** `chatcmpl-` and the id of the request. */
  @IsText() id!: string;
  /** Always `chat.completion`. */
  @IsText() object!: string;
  /** When the answer began, in Unix seconds. */
  @IsInteger() created!: number;
  /** The model that answered; that of a trained model has its step. */
  @IsText() model!: string;
  /** Names engine, weights and checkpoint: equal fingerprints and seeds give equal answers. Absent: not known. */
  @MayOmit() @IsText() system_fingerprint?: string;
  /** The answers, `n` of them. */
  @NestedList(() => CompletionChoiceDto) choices!: CompletionChoiceDto[];
  /** Tokens that the request used. Absent: the upstream does not say. */
  @MayOmit() @Nested(() => CompletionUsageDto) usage?: CompletionUsageDto;
  /**
   * One entry for each token of the prompt: null for the first, else token id -> logprob, rank and decoded_token.
   * Absent: not asked for.
   */
  @MayOmit() @IsJsonValue({ type: 'array', items: { type: ['object', 'null'] } }) prompt_logprobs?: unknown[];
  /** Ids of the tokens of the prompt. Absent: not asked for. */
  @MayOmit() @IsJsonValue(IDS) prompt_token_ids?: number[];
  /** Parameters of an upstream's cache transfer, as it sends them. */
  @MayOmit() @IsJsonValue({ type: 'object' }) kv_transfer_params?: object;
}

/** A model that chat completions can name. */
export class InferenceModelDto {
  /** Name to pass as `model`. */
  @IsText() id!: string;
  /** Always `model`. */
  @IsText() object!: string;
  /** When the model became known, in Unix seconds. */
  @IsInteger() created!: number;
  /** The upstream, the entity of a trained model, or `hone`. */
  @IsText() owned_by!: string;
  /** Name of the model behind the route or alias; for a trained model its base model. */
  @IsText() root!: string;
  /** `embedding`, `image`, `speech` or `transcription`: it does that, and answers no chat. Absent: it answers chats. */
  @MayOmit() @IsWord(MODEL_KINDS) kind?: ModelKind;
}

/** Answer of `GET /v1/models`. */
export class InferenceModelListDto {
  /** Always `list`. */
  @IsText() object!: string;
  /** The models that the caller may use. */
  @NestedList(() => InferenceModelDto) data!: InferenceModelDto[];
}

/** An error as clients of OpenAI read it. */
export class InferenceErrorDetailsDto {
  /** What went wrong, in a sentence. */
  @IsText() message!: string;
  /** Kind of error, for example `invalid_request_error` or `rate_limit_error`. */
  @IsText() type!: string;
  /** Field that is to blame. Null: no single one. */
  @IsOptional() @IsText() param!: string | null;
  /** Stable code of the error. Null: an upstream gave none. */
  @IsOptional() @IsText() code!: string | null;
}

/** Body of every error of the inference surface. */
export class InferenceErrorDto {
  /** What went wrong: a sentence, or for a 422 a list of `{loc, msg, type}`. */
  @IsJsonValue({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] }) detail!: unknown;
  /** The same as clients of OpenAI read it. */
  @Nested(() => InferenceErrorDetailsDto) error!: InferenceErrorDetailsDto;
}
