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
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    return from < content.length ? rest(content, from) : new Response('', { status: 416 });
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

function rest(content: Buffer, from: number): Response {
  const headers = {
    'content-length': String(content.length - from),
    ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
  };
  return new Response(new Uint8Array(content.subarray(from)), { status: from > 0 ? 206 : 200, headers });
}

function redirect(target: URL, content: Buffer): Response {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return new Response(null, {
    status: 302,
    headers: {
      location: STORE + target.pathname,
      'x-linked-etag': `"${sha256}"`,
      'x-linked-size': String(content.length),
    },
  });
}
