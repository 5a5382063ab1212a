import type { Target } from '../../targets/target.js';

/** The same with every answer of a target, so they are made once. */
const known = new WeakMap<Target, Record<string, string>>();

/** Headers that say which target answered, and at which attempt. */
export function targetHeaders(target: Target, attempts: number): Record<string, string> {
  let headers = known.get(target);
  if (headers === undefined) known.set(target, (headers = headersOf(target)));
  return Object.assign({}, headers, { 'hone-attempts': String(attempts) });
}

const headersOf = ({ upstream, model, pinned }: Target): Record<string, string> => ({
  ...pinned?.headers,
  'hone-model': headerText(pinned?.name ?? model),
  'hone-target': headerText(`${upstream}/${model}`),
});

/** Header values hold visible ASCII only. */
const headerText = (text: string): string => encodeURI(text).replace(/%25/g, '%');
