import {
  ChatCompletionDto,
  ChatCompletionRequestDto,
  InferenceErrorDto,
  InferenceModelDto,
  InferenceModelListDto,
} from '@hone/contracts';
import type { OpenApiPart } from '@hone/platform';

const ERRORS: Readonly<Record<number, string>> = {
  400: 'The prompt is too long, or the upstream refused it.',
  401: 'The key is missing or wrong.',
  402: 'The budget is spent.',
  403: 'The key lacks the scope, or may not use the project.',
  404: 'There is no such model.',
  408: 'The body did not come in time.',
  413: 'The body is too large.',
  415: 'The content coding is none that is read.',
  422: 'The request is not valid; `detail` lists `{loc, msg, type}`.',
  429: 'A limit is reached; see `Retry-After`.',
  500: 'A fault of the gateway, or a constraint that leaves no token.',
  502: 'The upstream failed.',
  503: 'Nothing can answer at the moment; see `Retry-After`.',
  504: 'The upstream took too long.',
};

const json = (type: { readonly name: string }) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${type.name}` } },
});
const errors = (...statuses: number[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, { description: ERRORS[status], content: json(InferenceErrorDto) }]),
  );
const header = (name: string, description: string) => ({
  ...{ name, in: 'header', required: false, description },
  schema: { type: 'string' },
});

const PROJECT = header('Hone-Project', '`<team>/<project>` that pays; `OpenAI-Project` is the same.');
const COMMON = { tags: ['inference'], security: [{ bearer: [] }] };

const completions = (operationId: string) => ({
  post: {
    ...COMMON,
    operationId,
    summary: 'Completes a chat, whole or as a stream of server-sent events.',
    parameters: [
      PROJECT,
      header('X-Request-Id', 'Becomes the id of the answer.'),
      header('Hone-Stream-Guard', '`buffered`: a stream begins once its answer is known to be whole.'),
      header('Hone-Defaults', '`listed`: absent fields have the values of `x-listed-default`; else as OpenAI does.'),
    ],
    requestBody: { required: true, content: json(ChatCompletionRequestDto) },
    responses: {
      200: {
        description: 'The completion; with `stream`, frames of `chat.completion.chunk` and `[DONE]`.',
        content: { ...json(ChatCompletionDto), 'text/event-stream': { schema: { type: 'string' } } },
      },
      ...errors(...Object.keys(ERRORS).map(Number)),
    },
  },
});

/** The inference surface as its clients see it; the routes answer without Nest, which documents only its own. */
export const INFERENCE_OPENAPI: OpenApiPart = {
  paths: {
    '/v1/chat/completions': completions('createChatCompletion'),
    '/v1/chat/completions/': completions('createChatCompletionWithSlash'),
    '/v1/models': {
      get: {
        ...COMMON,
        operationId: 'listModels',
        summary: 'Lists the models that may be asked for.',
        parameters: [PROJECT],
        responses: {
          200: { description: 'All of them.', content: json(InferenceModelListDto) },
          ...errors(401, 403, 429),
        },
      },
    },
    '/v1/models/{id}': {
      get: {
        ...COMMON,
        operationId: 'getModel',
        summary: 'Reads one model.',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }, PROJECT],
        responses: { 200: { description: 'It.', content: json(InferenceModelDto) }, ...errors(401, 403, 404, 429) },
      },
    },
  },
  requests: [ChatCompletionRequestDto],
  answers: [ChatCompletionDto, InferenceErrorDto, InferenceModelListDto],
};
