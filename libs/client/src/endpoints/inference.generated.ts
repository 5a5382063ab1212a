/** Made of the OpenAPI document by generate-endpoints.mjs. */
import type {
  ChatCompletionDto,
  ChatCompletionRequestDto,
  GatewayStateDto,
  InferenceModelDto,
  InferenceModelListDto,
  UsageLimitsDto,
  UsageLimitsPutDto,
  UsageReportDto,
} from '@hone/contracts';

import type { RequestOptions } from '../transport/request-options.js';

export interface InferenceEndpoints {
  /** Complete a chat, whole or as a stream of server-sent events: `POST /v1/chat/completions`. */
  createChatCompletion(body: ChatCompletionRequestDto, options?: RequestOptions): Promise<ChatCompletionDto>;
  /** List the models that chat completions can name: `GET /v1/models`. */
  listModels(options?: RequestOptions): Promise<InferenceModelListDto>;
  /** Read one model: `GET /v1/models/{id}`. */
  getModel(params: { id: string }, options?: RequestOptions): Promise<InferenceModelDto>;
  /** Read the health, load and last failures of routes and targets, as the answering process knows them: `GET /v1/gateway`. */
  getGatewayState(params?: { failures?: number }, options?: RequestOptions): Promise<GatewayStateDto>;
  /** Read the limits of a project or a key, and what was spent this month: `GET /v1/usage/limits`. */
  getUsageLimits(params?: { project?: string; key?: string }, options?: RequestOptions): Promise<UsageLimitsDto>;
  /** Set all limits of a project or a key; admins only: `PUT /v1/usage/limits`. */
  putUsageLimits(
    params: { project?: string; key?: string },
    body: UsageLimitsPutDto,
    options?: RequestOptions,
  ): Promise<UsageLimitsDto>;
  /** Read what a project used, in full hours of UTC; CSV with `Accept: text/csv`: `GET /v1/usage`. */
  getUsage(
    params?: { project?: string; from?: string; to?: string; by?: 'hour' | 'day' | 'model' | 'key' | 'user' },
    options?: RequestOptions,
  ): Promise<UsageReportDto>;
}

/** What sends each: method, flags (see `toMethod`) and path. */
export const INFERENCE = {
  createChatCompletion: 'POST jd /v1/chat/completions',
  listModels: 'GET jr /v1/models',
  getModel: 'GET jpr /v1/models/{id}',
  getGatewayState: 'GET jpr /v1/gateway',
  getUsageLimits: 'GET jpr /v1/usage/limits',
  putUsageLimits: 'PUT jprd /v1/usage/limits',
  getUsage: 'GET jpr /v1/usage',
} as const;
