import {
  ChatCompletionDto,
  ChatCompletionRequestDto,
  InferenceErrorDto,
  InferenceModelDto,
  InferenceModelListDto,
  schemaRef,
} from '@hone/contracts';
import type { OpenApiPart } from '@hone/platform';

interface DocumentedError {
  readonly description: string;
  /** Values of `error.code`; codes of upstreams are passed on beside them. */
  readonly codes: readonly string[];
}

/** Error responses of the inference API. A spec compares the list with the code that creates errors. */
export const INFERENCE_ERRORS: Readonly<Record<number, DocumentedError>> = {
  400: {
    description: 'The prompt is too long, or the upstream refused it.',
    codes: ['content_policy_violation', 'context_length_exceeded', 'upstream_rejected'],
  },
  401: { description: 'The key is missing or wrong.', codes: ['invalid_api_key'] },
  402: { description: 'The monthly budget is spent.', codes: ['budget_exceeded'] },
  403: {
    description: 'The key lacks the scope, or may not use the project.',
    codes: ['project_forbidden', 'scope_missing', 'console_header_missing'],
  },
  404: { description: 'There is no such model.', codes: ['model_not_found', 'not_found'] },
  405: { description: 'The path has no such method.', codes: ['method_not_allowed'] },
  408: { description: 'The body did not arrive in time.', codes: ['request_timeout'] },
  413: { description: 'The body is too large.', codes: ['body_too_large'] },
  415: { description: 'The content coding is not supported.', codes: ['unsupported_encoding'] },
  422: {
    description: 'The request is not valid, or no target can honour it; `detail` lists `{loc, msg, type}`.',
    codes: ['invalid_header', 'unsupported_parameter'],
  },
  429: {
    description: 'A limit is reached.',
    codes: [
      'budget_reserved',
      'concurrency_limit',
      'rate_limit_requests',
      'rate_limit_tokens',
      'upstream_rate_limited',
    ],
  },
  500: {
    description: 'A fault of the gateway, or a constraint that leaves no token.',
    codes: ['constraint_dead_end', 'internal_error'],
  },
  502: {
    description: 'The upstream failed.',
    codes: [
      'adapter_not_loaded',
      'storage_corrupt',
      'upstream_auth',
      'upstream_failed',
      'upstream_invalid',
      'upstream_unreachable',
    ],
  },
  503: {
    description: 'Nothing can answer at the moment.',
    codes: ['base_model_not_served', 'metering_unavailable', 'no_healthy_target', 'overloaded', 'storage_full'],
  },
  504: { description: 'The upstream took too long.', codes: ['upstream_timeout'] },
};

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 1 } },
};

const json = (type: { readonly name: string }) => ({ 'application/json': { schema: schemaRef(type) } });
const errors = (...statuses: number[]) =>
  Object.fromEntries(
    statuses.map((status) => {
      const { description, codes } = INFERENCE_ERRORS[status] as DocumentedError;
      const listed = codes.map((code) => `\`${code}\``).join(', ');
      const headers = status === 429 || status === 503 ? { headers: RETRY_AFTER } : {};
      return [
        status,
        { description: `${description} Codes: ${listed}.`, ...headers, content: json(InferenceErrorDto) },
      ];
    }),
  );
const header = (name: string, description: string, schema: object = {}) => ({
  ...{ name, in: 'header', required: false, description },
  schema: { type: 'string', ...schema },
});

const PROJECT = header('Hone-Project', '`<team>/<project>` that pays; `OpenAI-Project` is the same.');
const INFERENCE = 'inference';
const COMMON = { tags: [INFERENCE], security: [{ bearer: [] }] };
const CHAT_STATUSES = Object.keys(INFERENCE_ERRORS)
  .map(Number)
  .filter((status) => status !== 405);

/** OpenAPI paths of the inference API: Nest does not document them, because their routes bypass it. */
export const INFERENCE_OPENAPI: OpenApiPart = {
  paths: {
    '/v1/chat/completions': {
      post: {
        ...COMMON,
        operationId: 'createChatCompletion',
        summary: 'Complete a chat, whole or as a stream of server-sent events',
        description: 'A slash at the end of the path changes nothing.',
        parameters: [
          PROJECT,
          header('X-Request-Id', 'Becomes the id of the answer, unless the body has a `request_id`.'),
          header('Hone-Stream-Guard', '`buffered`: a stream begins once its answer is known to be whole.'),
          header(
            'Hone-Defaults',
            '`listed`: absent fields have the values of `x-listed-default`; else as OpenAI does.',
          ),
        ],
        requestBody: { required: true, content: json(ChatCompletionRequestDto) },
        responses: {
          200: {
            description: 'The completion; with `stream`, frames of `chat.completion.chunk` and `[DONE]`.',
            content: { ...json(ChatCompletionDto), 'text/event-stream': { schema: { type: 'string' } } },
          },
          ...errors(...CHAT_STATUSES),
        },
      },
    },
    '/v1/models': {
      get: {
        ...COMMON,
        operationId: 'listModels',
        summary: 'List the models that chat completions can name',
        parameters: [PROJECT],
        responses: {
          200: { description: 'All models that the caller may use.', content: json(InferenceModelListDto) },
          ...errors(401, 403, 429, 500, 503),
        },
      },
    },
    '/v1/models/{id}': {
      get: {
        ...COMMON,
        operationId: 'getModel',
        summary: 'Read one model',
        parameters: [
          {
            ...{ name: 'id', in: 'path', required: true, description: 'Name of the model, as `model` takes it.' },
            schema: { type: 'string', examples: ['hone-tiny'] },
          },
          PROJECT,
        ],
        responses: {
          200: { description: 'The model.', content: json(InferenceModelDto) },
          ...errors(401, 403, 404, 422, 429, 500, 503),
        },
      },
    },
  },
  requests: [ChatCompletionRequestDto],
  answers: [ChatCompletionDto, InferenceErrorDto, InferenceModelListDto],
  tags: [{ name: INFERENCE, description: 'Chat completions in the form of OpenAI, and the models that give them.' }],
};
