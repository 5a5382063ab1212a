import { isJsonObject } from '@hone/client';

import { type ChatTurn, toTurn } from '../../shared/chat/chat.js';
import { prettyJson } from '../../shared/format/preview.js';

/** The better answer of a correction as a text; null: it has none. @param output a text or a message */
export function correctionText(output: unknown): string | null {
  if (typeof output === 'string') return output;
  if (!isJsonObject(output)) return null;
  const { text, tools } = toTurn(output);
  const said = [text, ...tools].filter(Boolean).join('\n\n');
  return said === '' ? prettyJson(output) : said;
}

/** What a call answered, as a text; null: it answered none. @param chat its conversation, if it is one */
export function answerText(chat: readonly ChatTurn[] | null, output: unknown): string | null {
  const last = chat?.at(-1);
  if (last?.role === 'assistant') return [last.text, ...last.tools].filter(Boolean).join('\n\n');
  return typeof output === 'string' ? output : isJsonObject(output) ? prettyJson(output) : null;
}
