import {
  type Class,
  describedFieldSchema,
  describeType,
  fieldsOf,
  mayOmitBody,
  PATH_PARAMETERS,
  schemaRef,
} from '@hone/contracts';

import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import { errorResponses } from './error-responses.js';
import { answerOf, bodyClass, filtersOf, lineOf, queryClass, type RouteHandler } from './route-handlers.js';

interface Parameter {
  name: string;
  in: string;
  description?: unknown;
}

interface Response {
  description?: string;
  content?: Record<string, { schema: object }>;
}

/** The parts of an operation object of OpenAPI that are completed here. */
export interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean };
  responses: Record<string, Response>;
}

/** Completes what Nest knows of an operation: parameters with their meaning, the answer, and every error. */
export function describeOperation(operation: Operation, route: RouteHandler): void {
  operation.parameters = parametersOf(operation, route);
  const body = bodyClass(route);
  if (operation.requestBody && body && mayOmitBody(body)) operation.requestBody.required = false;
  const answer = operation.responses[200];
  const { type } = answerOf(route) ?? {};
  if (answer && type) answer.description ||= describeType(type.name);
  const line = lineOf(route);
  if (answer && line) answer.content = { ...answer.content, 'application/x-ndjson': { schema: schemaRef(line) } };
  const isInProtobuf = answer?.content?.[PROTOBUF] !== undefined;
  for (const [status, response] of Object.entries(errorResponses(route))) {
    const error = eitherOf(operation.responses[status], response as Response);
    operation.responses[status] = isInProtobuf ? { ...error, content: { ...error.content, ...RPC_STATUS } } : error;
  }
}

const PROTOBUF = 'application/x-protobuf';
/** Errors of operations that answer in protobuf, to those who asked in it. */
const RPC_STATUS = { [PROTOBUF]: { schema: { description: 'A `google.rpc.Status`.' } } };

function parametersOf({ parameters = [] }: Operation, route: RouteHandler): Parameter[] {
  const query = queryClass(route);
  return [
    ...parameters
      .filter((parameter) => parameter.in !== 'query')
      .map((parameter) =>
        isUnexplained(parameter) ? { ...parameter, ...PATH_PARAMETERS[parameter.name] } : parameter,
      ),
    ...(query ? queryParameters(query) : []),
    ...(filtersOf(route).some(isIdempotency) ? [IDEMPOTENCY_KEY] : []),
  ];
}

const isUnexplained = (parameter: Parameter): boolean => parameter.in === 'path' && !parameter.description;

/** The parameters of a query DTO. A list is sent as a repeated parameter. */
export const queryParameters = (type: Class): Parameter[] =>
  fieldsOf(type).map((field) => {
    const { description, ...schema } = describedFieldSchema(type, field);
    return { name: field.name, in: 'query', required: !field.mayOmit, description, schema };
  });

const isIdempotency = (filter: object): boolean =>
  filter === IdempotencyInterceptor || Object.getPrototypeOf(filter) === IdempotencyInterceptor;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the write happen once: a repetition with the same key and body gets the first answer, with ' +
    '`Idempotent-Replayed: true`. 1 to 255 visible ASCII characters.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
};

/** A response that may be either of two. */
function eitherOf(declared: Response | undefined, found: Response): Response {
  const [one, other] = [declared, found].map((response) => response?.content?.['application/json']?.schema);
  if (!one || !other) return found;
  return {
    ...found,
    description: `${declared?.description ?? ''} ${found.description ?? ''}`.trim(),
    content: { 'application/json': { schema: { anyOf: [one, other] } } },
  };
}
