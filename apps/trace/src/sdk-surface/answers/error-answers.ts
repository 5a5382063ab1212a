import { isJsonObject, type Issue, type JsonValue, type Loc, parseJson } from '@hone/contracts';
import { DomainError, ValidationError } from '@hone/platform';

import {
  IllegalTransitionError,
  QueueItemNotFoundError,
  QueueNotFoundError,
} from '../../annotation-queues/queue.errors.js';
import { ObjectDeletedError, TypeCollisionError } from '../../objects/object.errors.js';
import { toSdkField } from '../names.js';

/** An answer in the form that the SDKs read. */
export interface ErrorAnswer {
  status: number;
  body: object;
}

/** What went wrong, as the canonical surface answers it. */
export interface Failure {
  status: number;
  /** Text of the canonical answer. */
  text: string;
  /** What was thrown; undefined: the framework answered. */
  thrown: unknown;
  /** Parameters of the path. */
  params: Readonly<Record<string, string>>;
}

/** Statuses of which the SDKs read no more than that. */
const REASONS: Readonly<Record<number, string>> = {
  401: '401 Error',
  403: 'Forbidden',
  413: 'Request too large',
  429: '429 Error',
};
const UNSUPPORTED: ErrorAnswer = { status: 404, body: { reason: 'Not supported by this server' } };
/** Of a body that has the right form: not what the client library would have checked. */
const VALUE_ISSUES = new Set(['value_error', 'greater_than', 'greater_than_equal', 'less_than_equal']);
const FREE = new Set(['payload', 'val', 'attributes', 'inputs', 'output', 'summary']);

/** @returns the same error as the SDKs know it */
export function toSdkError(failure: Failure): ErrorAnswer {
  const { status, thrown } = failure;
  if (thrown instanceof DomainError) return domainError(thrown, failure);
  if (status === 422) return validationError(failure);
  if (status === 404 || status === 405) return UNSUPPORTED;
  return { status, body: { reason: REASONS[status] ?? detailOf(failure.text) } };
}

function domainError(error: DomainError, { status, params }: Failure): ErrorAnswer {
  if (error.code.startsWith('route.')) return UNSUPPORTED;
  const reason = error.message;
  if (error instanceof ObjectDeletedError)
    return {
      status: 404,
      body: { reason, error_type: 'ObjectDeletedError', deleted_at: error.deletedAt.toISOString() },
    };
  if (error instanceof TypeCollisionError) return typeCollision(error);
  if (error instanceof IllegalTransitionError) {
    const { from, to } = error;
    return invalid(
      `Invalid state transition from '${from}' to '${to}'. Only transitions from 'in_progress' or 'unstarted' are allowed.`,
    );
  }
  const isItem = error instanceof QueueNotFoundError || error instanceof QueueItemNotFoundError;
  if (isItem && params['item_id'] !== undefined)
    return invalid(`Queue item '${params['item_id']}' not found in queue '${params['queue_id']}'`);
  // The first request with this retry id still runs: the client should ask again.
  if (error.code === 'idempotency.in_progress') return { status: 429, body: { reason: REASONS[429] } };
  if (REASONS[status] !== undefined) return { status, body: { reason: REASONS[status] } };
  switch (status) {
    case 404:
      return { status, body: { reason, error_type: 'NotFoundError' } };
    case 409:
      return {
        status,
        body: {
          reason,
          error_type: error.code === 'object.digest_mismatch' ? 'DigestMismatchError' : 'InvalidRequest',
        },
      };
    case 400:
    case 415:
      return invalid(reason);
    default:
      return { status, body: { reason } };
  }
}

const invalid = (reason: string): ErrorAnswer => ({ status: 400, body: { reason, error_type: 'InvalidRequest' } });

const typeCollision = ({ message, objectId, versionKind, existing, wanted }: TypeCollisionError): ErrorAnswer => ({
  status: 400,
  body: {
    reason: message,
    error_type: 'ObjectNameTypeCollision',
    object_id: objectId,
    kind: versionKind,
    new_base_object_class: wanted,
    existing_base_object_classes: [existing],
  },
});

function validationError({ thrown, text }: Failure): ErrorAnswer {
  const issues = thrown instanceof ValidationError ? thrown.issues : issuesOf(text);
  const [first] = issues;
  if (first && issues.every(({ loc, type }) => loc.at(-1) === 'object_id' && type !== 'missing'))
    return { status: 422, body: { reason: sentence(first), error_type: 'InvalidFieldError' } };
  const isAboutValues = issues.length > 0 && issues.every((issue) => VALUE_ISSUES.has(issue.type) || isReserved(issue));
  if (isAboutValues) return invalid(issues.map(sentence).join(' '));
  return { status: 422, body: { detail: issues.map((issue) => ({ ...issue, loc: issue.loc.map(sdkLoc) })) } };
}

/** What a reserved type of feedback asks of its payload. */
const isReserved = ({ loc }: Issue): boolean => loc.at(-2) === 'payload';

const sentence = ({ loc, msg }: Issue): string => `${loc.map(sdkLoc).join('.')}: ${msg}.`;

/** Keys of free values are the client's own. */
const sdkLoc = (part: string | number, index: number, loc: Loc): string | number =>
  typeof part === 'number' || loc.slice(0, index).some((before) => FREE.has(String(before))) ? part : toSdkField(part);

function issuesOf(text: string): Issue[] {
  const { detail } = asObject(text);
  return Array.isArray(detail) ? (detail as unknown as Issue[]) : [];
}

const detailOf = (text: string): JsonValue => asObject(text)['detail'] ?? 'The request failed.';

function asObject(text: string): Record<string, JsonValue> {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
