const ANY = '*';
/** Response headers that scripts of another origin may read, beside the safelisted ones. */
const EXPOSED = [
  ...[
    'x-request-id',
    'request-id',
    'hone-model',
    'hone-target',
    'hone-attempts',
    'hone-checkpoint',
    'hone-policy-version',
    'hone-arm',
  ],
  ...['hone-call', 'hone-cost', 'hone-upstream-status', 'retry-after', 'retry-after-ms', 'x-should-retry'],
  ...['limit', 'remaining', 'reset'].flatMap((part) =>
    ['requests', 'tokens'].map((unit) => `x-ratelimit-${part}-${unit}`),
  ),
].join(', ');
const HEADER_LIST = /^[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,4096}$/;
const PREFLIGHT_SECONDS = '600';

/**
 * CORS headers of every response, lower-case; an origin that is not listed is not allowed.
 *
 * @param origins listed by the operator; `*`: all
 * @param origin of the request; undefined: no browser, or the same origin
 */
export function corsHeaders(origins: readonly string[], origin: string | undefined): Readonly<Record<string, string>> {
  if (origins.length === 0) return NONE;
  if (origins.includes(ANY)) return { 'access-control-allow-origin': ANY, 'access-control-expose-headers': EXPOSED };
  // Caches must not serve one origin's response to another.
  if (origin === undefined || !origins.includes(origin)) return { vary: 'origin' };
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'origin' };
}

/**
 * Headers of a preflight response beside {@link corsHeaders}. Clients send custom headers, so a listed origin may send
 * any header that it requests.
 *
 * @param asked `access-control-request-headers`
 */
export function preflightHeaders(
  allowed: Readonly<Record<string, string>>,
  methods: readonly string[],
  asked: string | undefined,
): Readonly<Record<string, string>> {
  if (allowed['access-control-allow-origin'] === undefined) return NONE;
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-max-age': PREFLIGHT_SECONDS,
    ...(asked !== undefined && HEADER_LIST.test(asked) && { 'access-control-allow-headers': asked }),
  };
}

const NONE: Readonly<Record<string, string>> = {};
