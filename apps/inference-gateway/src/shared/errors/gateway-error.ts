import type { Issue } from '@hone/contracts';
import { DomainError, statusOf } from '@hone/platform';

import { boundIssues } from './error-bounds.js';
import { NO_RETRY } from './retry-headers.js';

interface Details {
  /** Response headers beside the usual ones, lower-case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Path of the wrong field; null: none. */
  readonly param?: string | null;
  readonly cause?: unknown;
}

/** An error of the inference API: `detail` for clients of Hone, `error` for clients of OpenAI. */
export abstract class GatewayError extends DomainError {
  override readonly headers: Record<string, string>;
  readonly param: string | null;

  constructor(message: string, { headers, param = null, cause }: Details = {}) {
    super(message, { cause });
    this.headers = { ...headers };
    this.param = param;
  }

  get status(): number {
    return statusOf(this.kind);
  }

  get type(): string {
    return errorTypeOf(this.status);
  }

  override get body(): object {
    return errorBody(this, this.message);
  }
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
  500: 'server_error',
  503: 'overloaded_error',
};

/** `error.type` of a status, as OpenAI's SDKs tell errors apart. */
export const errorTypeOf = (status: number): string =>
  TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'upstream_error');

/** The JSON of an error, in both forms. */
export const errorBody = (
  { message, type, param, code }: { message: string; type: string; param: string | null; code: string },
  detail: unknown,
): object => ({ detail, error: { message, type, param, code } });

/** The request is wrong: 422 with the paths of the wrong fields. Its code is the type of the first issue. */
export class InvalidRequestError extends GatewayError {
  static override readonly kind = 'unprocessable';
  private readonly issueType: string;
  private readonly detail: readonly Issue[];

  /** @param issues at least one; `loc` begins with `body` or `path` */
  constructor(readonly issues: readonly Issue[]) {
    const { message, param, detail } = boundIssues(issues);
    super(message, { headers: NO_RETRY, param });
    this.issueType = (issues[0] as Issue).type;
    this.detail = detail;
  }

  /** The same error of a request whose fields have other names. @param names of fields of the body -> those of the request */
  renamed(names: ReadonlyMap<string, string>): InvalidRequestError {
    const rename = ([at, field = '', ...rest]: Issue['loc']) => [
      at as string,
      names.get(String(field)) ?? field,
      ...rest,
    ];
    return this.relocated((loc) => (loc[0] === 'body' && loc.length > 1 ? rename(loc) : loc));
  }

  /** The same error of a request whose fields are elsewhere. @param toLoc path of a field -> its path in the request */
  relocated(toLoc: (loc: Issue['loc']) => Issue['loc']): InvalidRequestError {
    return new InvalidRequestError(this.issues.map((issue) => ({ ...issue, loc: toLoc(issue.loc) })));
  }

  /** The same error with more to say about its issues. @param toMsg the message of an issue */
  explained(toMsg: (issue: Issue) => string): InvalidRequestError {
    return new InvalidRequestError(this.issues.map((issue) => ({ ...issue, msg: toMsg(issue) })));
  }

  override get code(): string {
    return this.issueType;
  }

  override get body(): object {
    return errorBody(this, this.detail);
  }
}

/** A bug of ours; the log has the rest. */
export class GatewayFaultError extends GatewayError {
  static override readonly kind = 'internal';
  static override readonly code = 'internal_error';
  constructor() {
    super('Something went wrong in the gateway.');
  }
}

/** The caller left before its request was read, so there is no response. */
export class CallerLeftError extends Error {
  constructor() {
    super('The caller has left.');
  }
}
