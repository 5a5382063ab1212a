import type { Attempt } from '../../target.js';
import { formType } from './form-body.js';

const JSON_TYPE = 'application/json';

/** Of audio and texts there are many types. */
function acceptedType({ endpoint, media, isStream }: Attempt['request']): string {
  if (media !== undefined) return endpoint.startsWith('images/') ? JSON_TYPE : '*/*';
  return isStream ? 'text/event-stream' : JSON_TYPE;
}

/** Alternating names and values. The caller's key is never included. @param keyHeaders those that carry the upstream's key */
export function requestHeaders(
  { request, number, headers: own }: Attempt,
  keyHeaders: Readonly<Record<string, string>>,
): string[] {
  const { form } = request.media ?? {};
  const headers = ['content-type', form === undefined ? JSON_TYPE : formType(form)];
  headers.push('accept', acceptedType(request));
  // The suffix distinguishes the attempts of one request in the upstream's log.
  headers.push('x-request-id', number === 1 ? request.rid : `${request.rid}-${number}`);
  for (const [name, value] of Object.entries(keyHeaders)) headers.push(name, value);
  for (const [name, value] of Object.entries(forwardedHeaders(request, own))) headers.push(name, value);
  return headers;
}

/** Of the interface, which Anthropic's service asks for and callers need not name. */
const MESSAGES_VERSION: Record<string, string> = { 'anthropic-version': '2023-06-01' };

/** Headers that go to the upstream with a request, beside those that the gateway sets. @param own take precedence */
export function forwardedHeaders(
  { endpoint, headers }: Attempt['request'],
  own: Attempt['headers'] = undefined,
): Readonly<Record<string, string>> {
  const more = endpoint === 'messages' ? { ...MESSAGES_VERSION, ...headers, ...own } : { ...headers, ...own };
  for (const name in more) if (OWN.has(name)) delete more[name];
  return more;
}

/** Headers that the gateway or undici sets, and keys of callers: a configuration cannot forward them. */
const OWN = new Set([
  ...['authorization', 'accept', 'connection', 'content-encoding', 'content-length', 'content-type', 'host'],
  ...['keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'x-api-key', 'api-key', 'x-request-id', 'expect'],
]);
