import { isJsonObject } from '@hone/client';

import type { SentMessage } from '../../../shared/chat/chat.js';
import { hone } from '../../../shared/data/hone.js';
import type { Token } from '../../../shared/tokens/tokens.js';
import type { PreferenceLine } from './preference-lines.js';

/** The log-probability of an answer, token by token. */
export interface ScoredAnswer {
  readonly tokens: readonly Token[];
  /** Sum over the tokens, in nats. */
  readonly sum: number;
}

const NOT_LOGGED = { headers: { 'Hone-Log': 'off' } };

/** Asks a model for the tokens of a conversation, the first of which has no log-probability. */
async function readPrompt(model: string, messages: readonly SentMessage[], more: object, signal: AbortSignal) {
  const body = { model, messages, max_tokens: 1, prompt_logprobs: 0, ...more };
  const answer: unknown = await hone.inference.createChatCompletion(body as never, { signal, ...NOT_LOGGED });
  const tokens = isJsonObject(answer) ? answer['prompt_logprobs'] : undefined;
  if (!Array.isArray(tokens)) throw new Error(`The engine of ${model} gives no log-probabilities of what it is asked.`);
  return tokens as readonly unknown[];
}

function toToken(entry: unknown): Token {
  const [found] = isJsonObject(entry) ? Object.values(entry) : [];
  const { decoded_token: text, logprob } = (isJsonObject(found) ? found : {}) as Record<string, unknown>;
  return { text: String(text ?? ''), logprob: Number(logprob ?? 0), alternatives: [] };
}

/**
 * How likely a model finds the answers of a line, in their order: the tokens that follow what was asked, with the mark of the
 * answer's end.
 */
export async function scoreAnswers(
  model: string,
  { asked, answers }: PreferenceLine,
  signal: AbortSignal,
): Promise<ScoredAnswer[]> {
  const before = (await readPrompt(model, asked, {}, signal)).length;
  return Promise.all(
    answers.map(async ({ messages }) => {
      const all = await readPrompt(model, [...asked, ...messages], { add_generation_prompt: false }, signal);
      const tokens = all.slice(before).map(toToken);
      // What the template writes after the end of the answer is the same for each.
      if (tokens.length > 1 && tokens.at(-1)?.text.trim() === '') tokens.pop();
      return { tokens, sum: tokens.reduce((sum, { logprob }) => sum + logprob, 0) };
    }),
  );
}
