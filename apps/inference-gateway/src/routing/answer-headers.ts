import type { Target } from '../upstreams/target.js';

/** Headers that tell who answered, and at which try. */
export function targetHeaders(
  { upstream, model, pinned }: Target,
  answerModel: string | null,
  attempts: number,
): Record<string, string> {
  return {
    ...pinned?.headers,
    'hone-model': headerText(pinned?.name ?? answerModel ?? model),
    'hone-target': headerText(`${upstream}/${model}`),
    'hone-attempts': String(attempts),
  };
}

/** Headers hold visible ASCII. */
const headerText = (text: string): string => encodeURI(text).replace(/%25/g, '%');
