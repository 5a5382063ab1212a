import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface FakeHub {
  /** Paths that were asked for, in order, without the host. */
  readonly asked: string[];
  /** Authorization header of each request, by URL. */
  readonly authorization: Map<string, string | null>;
  /** Ranges that were asked for, in order. */
  readonly ranges: string[];
}

/** What the fake hub does with a file instead of sending it. */
export type Misbehaviour = (file: string, content: Buffer) => Response | Promise<Response> | undefined;

const HUB = 'https://hub.test';
const STORE = 'https://store.test';

/**
 * A `fetch` that plays a hub with one model, `owner/name`, out of a folder. Weights are redirected to a store on another
 * host, as the real hub does.
 */
export function fakeHub(
  directory: string,
  misbehave: Misbehaviour = () => undefined,
): FakeHub & { fetch: typeof fetch } {
  const hub: FakeHub = { asked: [], authorization: new Map(), ranges: [] };
  const answer = async (target: URL, range: string | null, signal?: AbortSignal | null): Promise<Response> => {
    signal?.throwIfAborted();
    const file = /^\/owner\/name\/resolve\/main\/(.+)$/.exec(target.pathname)?.[1] ?? '';
    const content = await readFile(join(directory, file)).catch(() => null);
    if (!file || !content) return new Response('none', { status: 404 });
    const special = await misbehave(file, content);
    if (special) return special;
    if (target.origin === HUB && file.endsWith('.safetensors')) return redirect(target, content);
    const { status, headers, body } = restOf(content, range);
    return new Response(new Uint8Array(body), { status, headers });
  };
  const fake = (input: unknown, init?: RequestInit): Promise<Response> => {
    const target = new URL(String(input));
    hub.asked.push(target.pathname);
    const headers = new Headers(init?.headers);
    hub.authorization.set(target.href, headers.get('authorization'));
    const range = headers.get('range');
    if (range !== null && target.origin === STORE) hub.ranges.push(range);
    return answer(target, range, init?.signal);
  };
  return { ...hub, fetch: fake as typeof fetch };
}

/** The answer to a request for a file, or for a range of it that goes to its end. */
export function restOf(content: Buffer, range: string | null) {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  if (from >= content.length) return { status: 416, headers: {}, body: Buffer.alloc(0) };
  const headers = {
    'content-length': String(content.length - from),
    ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
  };
  return { status: from > 0 ? 206 : 200, headers, body: content.subarray(from) };
}

/** What the hub says of a large file before it is sent. */
export const announced = (content: Buffer) => ({
  'x-linked-etag': `"${createHash('sha256').update(content).digest('hex')}"`,
  'x-linked-size': String(content.length),
});

function redirect(target: URL, content: Buffer): Response {
  return new Response(null, { status: 302, headers: { location: STORE + target.pathname, ...announced(content) } });
}
