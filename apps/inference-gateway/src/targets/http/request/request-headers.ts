import type { Attempt } from '../../target.js';

/** Names and values in turn. The caller's key is never among them. */
export function requestHeaders({ request, number, headers: own }: Attempt, key: string | null): string[] {
  const headers = ['content-type', 'application/json'];
  headers.push('accept', request.isStream ? 'text/event-stream' : 'application/json');
  // A log of the upstream tells the tries of one request apart, and which belong together.
  headers.push('x-request-id', number === 1 ? request.rid : `${request.rid}-${number}`);
  if (key !== null) headers.push('authorization', `Bearer ${key}`);
  const more = own === undefined ? request.headers : { ...request.headers, ...own };
  for (const [name, value] of Object.entries(more)) if (!OWN.has(name)) headers.push(name, value);
  return headers;
}

/** Ours, or undici's, whatever a configuration lists. */
const OWN = new Set([
  ...['authorization', 'accept', 'connection', 'content-encoding', 'content-length', 'content-type', 'host'],
  ...['keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'x-request-id', 'expect'],
]);
