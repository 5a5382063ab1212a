import type { IncomingMessage } from 'node:http';

/** Whether the `X-Forwarded-*` headers of a client with this address are believed. */
export type IsTrusted = (address: string) => boolean;

/** Headers that belong to one connection and end with it (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Replaced by ours. `Expect` is about the body, whose sender we are. */
const REPLACED = new Set(['expect', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-request-id']);

/** Headers for the service: the client's end-to-end headers, and `X-Forwarded-*` that describe the client. */
export const requestHeaders = (request: IncomingMessage, requestId: string, isTrusted: IsTrusted): string[] => [
  ...endToEnd(request.rawHeaders, REPLACED),
  'x-request-id',
  requestId,
  ...forwardedHeaders(request, isTrusted),
];

/** Headers for the client, as a flat list; `X-Request-Id` is added when the service did not send it. */
export function answerHeaders(raw: readonly string[], requestId: string): string[] {
  const headers = endToEnd(raw);
  return headers.includes('x-request-id') ? headers : [...headers, 'x-request-id', requestId];
}

/** Whether the service closes its connection after this answer. */
export const endsConnection = (raw: readonly string[]): boolean =>
  raw.some(
    (part, index) => index % 2 === 0 && part.toLowerCase() === 'connection' && /\bclose\b/i.test(raw[index + 1] ?? ''),
  );

/** A flat list of names (in lower case) and values without those that belong to the connection. */
function endToEnd(raw: readonly string[], without?: ReadonlySet<string>): string[] {
  let listed: string[] | undefined;
  const headers: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    const value = raw[index + 1] as string;
    if (name === 'connection') (listed ??= []).push(...value.toLowerCase().split(/[\s,]+/));
    if (!HOP_BY_HOP.has(name) && !without?.has(name)) headers.push(name, value);
  }
  if (!listed?.some((name) => headers.includes(name))) return headers;
  return headers.filter((_, index) => !listed.includes(headers[index - (index % 2)] as string));
}

/**
 * `X-Forwarded-*` of trusted clients are believed (something that ends TLS in front of us); those of any other client
 * are replaced, or it could choose the address that failed logins are counted under.
 */
function forwardedHeaders({ headers, socket }: IncomingMessage, isTrusted: IsTrusted): string[] {
  const address = socket.remoteAddress ?? '';
  const sent = isTrusted(address) ? headers : {};
  const before = sent['x-forwarded-for'];
  const host = one(sent['x-forwarded-host']) ?? headers.host;
  return [
    'x-forwarded-for',
    before ? `${[before].flat().join(', ')}, ${address}` : address,
    'x-forwarded-proto',
    one(sent['x-forwarded-proto']) ?? 'http',
    ...(host === undefined ? [] : ['x-forwarded-host', host]),
  ];
}

const one = (value: string | string[] | undefined): string | undefined => [value].flat()[0];
