/** Made of the OpenAPI document by generate-endpoints.mjs. */
import type {
  ChatCompletionDto,
  ChatCompletionRequestDto,
  CompletionDto,
  CompletionRequestDto,
  CountTokensRequestDto,
  DeletedResponseDto,
  EmbeddingListDto,
  EmbeddingsRequestDto,
  GatewayStateDto,
  ImageListDto,
  ImagesRequestDto,
  InferenceModelDto,
  InferenceModelListDto,
  InputItemListDto,
  MessageDto,
  MessagesRequestDto,
  ResponseDto,
  ResponsesRequestDto,
  SpeechRequestDto,
  TokenCountDto,
  TranscriptionDto,
  UsageLimitsDto,
  UsageLimitsPutDto,
  UsageReportDto,
} from '@hone/contracts';

import type { RequestOptions } from '../transport/request-options.js';

export interface InferenceEndpoints {
  /** Complete a chat, whole or as a stream of server-sent events: `POST /v1/chat/completions`. */
  createChatCompletion(body: ChatCompletionRequestDto, options?: RequestOptions): Promise<ChatCompletionDto>;
  /** Create a message, whole or as a stream of events: `POST /v1/messages`. */
  createMessage(body: MessagesRequestDto, options?: RequestOptions): Promise<MessageDto>;
  /** Count the tokens of a message’s prompt: `POST /v1/messages/count_tokens`. */
  countMessageTokens(body: CountTokensRequestDto, options?: RequestOptions): Promise<TokenCountDto>;
  /** Create a response, whole or as a stream of events: `POST /v1/responses`. */
  createResponse(body: ResponsesRequestDto, options?: RequestOptions): Promise<ResponseDto>;
  /** Read a stored response: `GET /v1/responses/{id}`. */
  getResponse(params: { id: string }, options?: RequestOptions): Promise<ResponseDto>;
  /** Delete a stored response, and the call that it is: `DELETE /v1/responses/{id}`. */
  deleteResponse(params: { id: string }, options?: RequestOptions): Promise<DeletedResponseDto>;
  /** List what a stored response was asked with: `GET /v1/responses/{id}/input_items`. */
  listInputItems(
    params: { id: string; limit?: number; order?: 'asc' | 'desc'; after?: string },
    options?: RequestOptions,
  ): Promise<InputItemListDto>;
  /** Continue a prompt, whole or as a stream of server-sent events: `POST /v1/completions`. */
  createCompletion(body: CompletionRequestDto, options?: RequestOptions): Promise<CompletionDto>;
  /** Embed texts: `POST /v1/embeddings`. */
  createEmbeddings(body: EmbeddingsRequestDto, options?: RequestOptions): Promise<EmbeddingListDto>;
  /** Make images: `POST /v1/images/generations`. */
  createImages(body: ImagesRequestDto, options?: RequestOptions): Promise<ImageListDto>;
  /** Change images: `POST /v1/images/edits`. */
  editImages(body: FormData, options?: RequestOptions): Promise<ImageListDto>;
  /** Speak a text: `POST /v1/audio/speech`. */
  createSpeech(body: SpeechRequestDto, options?: RequestOptions): Promise<Response>;
  /** Write down what was said: `POST /v1/audio/transcriptions`. */
  createTranscription(body: FormData, options?: RequestOptions): Promise<TranscriptionDto>;
  /** Write down in English what was said: `POST /v1/audio/translations`. */
  createTranslation(body: FormData, options?: RequestOptions): Promise<TranscriptionDto>;
  /** List the models that chat completions can name: `GET /v1/models`. */
  listModels(options?: RequestOptions): Promise<InferenceModelListDto>;
  /** Read one model: `GET /v1/models/{id}`. */
  getModel(params: { id: string }, options?: RequestOptions): Promise<InferenceModelDto>;
  /** Read the health, load and last failures of routes and targets, as the answering process knows them: `GET /v1/gateway`. */
  getGatewayState(params?: { failures?: number }, options?: RequestOptions): Promise<GatewayStateDto>;
  /** Read the limits of a project or a key, and what was spent this month and today: `GET /v1/usage/limits`. */
  getUsageLimits(params?: { project?: string; key?: string }, options?: RequestOptions): Promise<UsageLimitsDto>;
  /** Set all limits of a project or a key; admins only: `PUT /v1/usage/limits`. */
  putUsageLimits(
    params: { project?: string; key?: string },
    body: UsageLimitsPutDto,
    options?: RequestOptions,
  ): Promise<UsageLimitsDto>;
  /** Read what a project used, in full hours of UTC; CSV with `Accept: text/csv`: `GET /v1/usage`. */
  getUsage(
    params?: {
      project?: string;
      from?: string;
      to?: string;
      by?: 'hour' | 'day' | 'model' | 'key' | 'user';
      then_by?: 'hour' | 'day' | 'model' | 'key' | 'user';
    },
    options?: RequestOptions,
  ): Promise<UsageReportDto>;
}

/** What sends each: method, flags (see `toMethod`) and path. */
export const INFERENCE = {
  createChatCompletion: 'POST jd /v1/chat/completions',
  createMessage: 'POST jd /v1/messages',
  countMessageTokens: 'POST jrd /v1/messages/count_tokens',
  createResponse: 'POST jd /v1/responses',
  getResponse: 'GET jpr /v1/responses/{id}',
  deleteResponse: 'DELETE jpr /v1/responses/{id}',
  listInputItems: 'GET jpr /v1/responses/{id}/input_items',
  createCompletion: 'POST jd /v1/completions',
  createEmbeddings: 'POST jd /v1/embeddings',
  createImages: 'POST jd /v1/images/generations',
  editImages: 'POST jd /v1/images/edits',
  createSpeech: 'POST bd /v1/audio/speech',
  createTranscription: 'POST jd /v1/audio/transcriptions',
  createTranslation: 'POST jd /v1/audio/translations',
  listModels: 'GET jr /v1/models',
  getModel: 'GET jpr /v1/models/{id}',
  getGatewayState: 'GET jpr /v1/gateway',
  getUsageLimits: 'GET jpr /v1/usage/limits',
  putUsageLimits: 'PUT jprd /v1/usage/limits',
  getUsage: 'GET jpr /v1/usage',
} as const;
