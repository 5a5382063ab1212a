/** A hub's answer, with the file's metadata from before the redirect to its storage. */
export interface HubResponse {
  readonly response: Response;
  /** Where in the file the body begins, in bytes. */
  readonly first: number;
  /** Announced length of the file, or null. */
  readonly bytes: number | null;
  /** Announced SHA-256 of the file, hex; null for small files, which the hub names by another hash. */
  readonly sha256: string | null;
}

const MAX_REDIRECTS = 5;

/**
 * Requests a file and follows redirects by hand: the hub's own answer carries size and SHA-256 of large files
 * (`x-linked-size`, `x-linked-etag`), the store's answer carries an entity tag of its own making. The token goes to
 * the hub only.
 *
 * @param from bytes of the file that need not be sent; a server may send them nevertheless
 * @throws TypeError the network failed, or the redirects do not end
 */
export async function requestFile(
  url: string,
  { token, from, signal }: { readonly token: string | null; readonly from: number; readonly signal: AbortSignal },
): Promise<HubResponse> {
  let target = new URL(url);
  const { origin } = target;
  let bytes: number | null = null;
  let sha256: string | null = null;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const headers: Record<string, string> = {
      ...(token && target.origin === origin && { authorization: `Bearer ${token}` }),
      // A range of what is compressed would be another one.
      ...(from > 0 && { range: `bytes=${from}-`, 'accept-encoding': 'identity' }),
    };
    const response = await fetch(target, { headers, signal, redirect: 'manual' });
    bytes ??= numberOf(response.headers.get('x-linked-size'));
    sha256 ??= /^"?([0-9a-f]{64})"?$/.exec(response.headers.get('x-linked-etag') ?? '')?.[1] ?? null;
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) {
      const first = response.status === 206 ? firstByte(response) : 0;
      const body = bodyBytes(response);
      return { response, first, bytes: bytes ?? (body === null ? null : first + body), sha256 };
    }
    await response.body?.cancel();
    target = new URL(location, target);
  }
  throw new TypeError('too many redirects');
}

/** Length of the body, where it is sent as it is: with a content coding the header counts other bytes. */
function bodyBytes({ headers }: Response): number | null {
  return headers.has('content-encoding') ? null : numberOf(headers.get('content-length'));
}

/** Source: RFC 9110, section 14.4. */
const firstByte = ({ headers }: Response): number =>
  numberOf(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? null) ?? 0;

function numberOf(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
