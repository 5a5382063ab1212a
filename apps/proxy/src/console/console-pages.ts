import type { IncomingMessage } from 'node:http';

import { methodNotAllowed, NOT_FOUND, type OwnAnswer } from '../answers/own-answer.js';
import type { ConsoleFiles } from './console-files.js';

const BASE = '/console/';
const PAGE = 'index.html';
/**
 * The console loads and asks nothing but this server, runs no script that is not a file of it, and stands in no frame.
 * Styles of elements are set by scripts, which this allows.
 */
const POLICY =
  "default-src 'self'; img-src 'self' data: blob:; media-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const SECURITY = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** Links that tracing SDKs print: `/<entity>/<project>/r/call/<id>` and `/<entity>/<project>/weave…`. */
const SDK_CALL = /^\/([^/]+)\/([^/]+)\/r\/call\/([^/]+)$/;
const SDK_PROJECT = /^\/([^/]+)\/([^/]+)\/weave(?:\/.*)?$/;

/** The answer of the console; undefined: the path is not its own. @param path percent-encoded, without its query */
export function consoleAnswer(files: ConsoleFiles, request: IncomingMessage, path: string): OwnAnswer | undefined {
  const target = redirectOf(path, request.headers.accept ?? '');
  if (target === undefined && !path.startsWith(BASE)) return undefined;
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(request.method ?? '');
  if (target !== undefined) return redirect(target);
  const name = path.slice(BASE.length);
  // Every other path is a page, which the script of the page knows.
  const isFile = name.startsWith('assets/') || name === 'hone.svg';
  return fileAnswer(files, request, isFile ? name : PAGE);
}

/** Where a browser should look instead; undefined: the path means itself. */
function redirectOf(path: string, accept: string): string | undefined {
  if (path === '/console') return BASE;
  if (path === '/' || path === '/authorize') return accept.includes('text/html') ? BASE : undefined;
  const [, entity, project, call] = SDK_CALL.exec(path) ?? SDK_PROJECT.exec(path) ?? [];
  if (entity === undefined || project === undefined || path.startsWith(BASE)) return undefined;
  return `${BASE}p/${entity}/${project}${call === undefined ? '' : `/calls/${call}`}`;
}

const redirect = (location: string): OwnAnswer => ({
  status: 302,
  body: '',
  type: 'text/plain; charset=utf-8',
  headers: { location, 'cache-control': 'no-store' },
});

function fileAnswer(files: ConsoleFiles, { headers }: IncomingMessage, name: string): OwnAnswer {
  const file = files.find(name, String(headers['accept-encoding'] ?? ''));
  if (file === undefined) return NOT_FOUND;
  return {
    status: 200,
    body: file.body,
    type: file.type,
    headers: {
      ...SECURITY,
      // The names of assets change with their content; the page names them.
      'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-store',
      vary: 'accept-encoding',
      ...(file.encoding && { 'content-encoding': file.encoding }),
    },
  };
}
