/** Name of the cookie of a signed-in browser. */
export const SESSION_COOKIE = 'hone_session';
/** Header that every request but a read carries beside the cookie: other sites cannot send it. */
export const SESSION_HEADER = 'x-hone-console';

const TOKEN = /(?:^|; ?)hone_session=([A-Za-z0-9_-]{43})(?:;|$)/;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

interface RequestHeaders {
  readonly cookie?: string | undefined;
  readonly [SESSION_HEADER]?: string | string[] | undefined;
}

/** The token of a `Cookie` header; undefined: it has none. */
export const sessionTokenOf = ({ cookie }: RequestHeaders): string | undefined =>
  cookie === undefined ? undefined : TOKEN.exec(cookie)?.[1];

/** Whether a request with the cookie comes from our own pages, or changes nothing. */
export const isFromConsole = (method: string, headers: RequestHeaders): boolean =>
  READS.has(method) || headers[SESSION_HEADER] === '1';
