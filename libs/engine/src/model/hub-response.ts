/** A hub's answer, with the file's metadata from before the redirect to its storage. */
export interface HubResponse {
  readonly response: Response;
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
 * @throws TypeError the network failed, or the redirects do not end
 */
export async function requestFile(url: string, token: string | null, signal: AbortSignal): Promise<HubResponse> {
  let target = new URL(url);
  const { origin } = target;
  let bytes: number | null = null;
  let sha256: string | null = null;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const headers: Record<string, string> =
      token && target.origin === origin ? { authorization: `Bearer ${token}` } : {};
    const response = await fetch(target, { headers, signal, redirect: 'manual' });
    bytes ??= numberOf(response.headers.get('x-linked-size'));
    sha256 ??= /^"?([0-9a-f]{64})"?$/.exec(response.headers.get('x-linked-etag') ?? '')?.[1] ?? null;
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) {
      return { response, bytes: bytes ?? bodyBytes(response), sha256 };
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

function numberOf(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
