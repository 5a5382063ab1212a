import type { Target } from '../upstreams/target.js';

/** Those of each target: the same with every answer, but for what the caller asked for. */
const known = new WeakMap<Target, { readonly answerModel: string | null; readonly headers: Record<string, string> }>();

/** Headers that tell who answered, and at which try. */
export function targetHeaders(target: Target, answerModel: string | null, attempts: number): Record<string, string> {
  let entry = known.get(target);
  if (entry === undefined || entry.answerModel !== answerModel) {
    entry = { answerModel, headers: headersOf(target, answerModel) };
    known.set(target, entry);
  }
  return Object.assign({}, entry.headers, { 'hone-attempts': String(attempts) });
}

const headersOf = ({ upstream, model, pinned }: Target, answerModel: string | null): Record<string, string> => ({
  ...pinned?.headers,
  'hone-model': headerText(pinned?.name ?? answerModel ?? model),
  'hone-target': headerText(`${upstream}/${model}`),
});

/** Headers hold visible ASCII. */
const headerText = (text: string): string => encodeURI(text).replace(/%25/g, '%');
