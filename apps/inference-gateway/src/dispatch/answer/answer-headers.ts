import type { ChatRequest, Target } from '../../targets/target.js';

/** The same with every answer of a target, so they are made once. */
const known = new WeakMap<Target, Record<string, string>>();

/** Characters of warnings; proxies allow a few kilobytes for all headers. */
const MAX_WARNINGS = 1_000;

/** Headers that say which target answers a request, at which attempt, and what it leaves out. */
export function targetHeaders(target: Target, request: ChatRequest, attempts: number): Record<string, string> {
  let headers = known.get(target);
  if (headers === undefined) known.set(target, (headers = headersOf(target)));
  const warnings = target.warnings?.(request) ?? NONE;
  const own = { 'hone-attempts': String(attempts) };
  if (warnings.length === 0) return Object.assign({}, headers, own);
  return Object.assign({}, headers, own, { 'hone-warning': warningText(warnings) });
}

const NONE: readonly string[] = [];

function warningText(warnings: readonly string[]): string {
  const text = headerText(warnings.join(', ')).replaceAll('%20', ' ');
  return text.length > MAX_WARNINGS ? `${text.slice(0, MAX_WARNINGS)}...` : text;
}

const headersOf = ({ upstream, model, pinned }: Target): Record<string, string> => ({
  ...pinned?.headers,
  'hone-model': headerText(pinned?.name ?? model),
  'hone-target': headerText(`${upstream}/${model}`),
});

/** Header values hold visible ASCII only. */
const headerText = (text: string): string => encodeURI(text).replace(/%25/g, '%');
