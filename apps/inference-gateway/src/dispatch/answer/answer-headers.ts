import type { ChatRequest, Target } from '../../targets/target.js';
import { partOf, type Route, type RouteTarget } from '../route/route.js';

/** The same with every answer of a target, so they are made once. */
const known = new WeakMap<Target, Record<string, string>>();

/** Characters of warnings; proxies allow a few kilobytes for all headers. */
const MAX_WARNINGS = 1_000;

/**
 * Headers that say which target answers a request, at which attempt, what it leaves out, and for which route where there
 * were several.
 */
export function targetHeaders(
  route: Route,
  routeTarget: RouteTarget,
  request: ChatRequest,
  attempts: number,
): Record<string, string> {
  const { target } = routeTarget.state;
  let headers = known.get(target);
  if (headers === undefined) known.set(target, (headers = headersOf(target)));
  const warnings = target.warnings?.(request) ?? NONE;
  const own: Record<string, string> = { 'hone-attempts': String(attempts) };
  if (warnings.length > 0) own['hone-warning'] = warningText(warnings);
  if (route.parts !== undefined) own['hone-route'] = headerText(partOf(route, routeTarget).id);
  return Object.assign({}, headers, own);
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
