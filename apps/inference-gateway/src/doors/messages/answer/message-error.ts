/** `error.type` of a status, see https://platform.claude.com/docs/en/api/errors. */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

interface ErrorBody {
  readonly detail: unknown;
  readonly error: { readonly message: string; readonly param: string | null; readonly code: string };
}

/** An error as clients of Anthropic read it. @param body the same in the form of chat completions */
export function toMessageError(status: number, { detail, error }: ErrorBody, rid: string): object {
  const { message, code, param } = error;
  return { ...messageError(status, { message, code, param }, rid), detail };
}

export const messageError = (
  status: number,
  { message, code, param }: ErrorBody['error'],
  rid: string,
): { readonly type: 'error' } & Record<string, unknown> => ({
  type: 'error',
  error: { type: typeOf(status), message, details: { error_code: code, param } },
  request_id: rid,
});

const typeOf = (status: number): string => TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
