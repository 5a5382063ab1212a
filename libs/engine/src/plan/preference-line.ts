import type { PreferenceMethod } from '@hone/contracts';
import { isJsonObject } from '@hone/json';

import { readConversation, readObjectLine, type SftConversation } from './sft-line.js';

/** A line of preferences: the conversations that end with its answers. */
export interface PreferenceLine {
  /** Messages that each of the conversations begins with. */
  readonly promptLength: number;
  /** A pair: the chosen one, then the rejected one. KTO: one. */
  readonly answers: readonly SftConversation[];
  /** KTO: whether the answer is liked. */
  readonly label: boolean | null;
  /** Above 0. */
  readonly weight: number;
}

/** The names that a field has in files of others: those of OpenAI's fine-tuning come second. */
const FIELDS = {
  chosen: ['chosen', 'preferred_output'],
  rejected: ['rejected', 'non_preferred_output'],
  completion: ['completion'],
} as const;

/**
 * Reads `{"messages" or "prompt", "chosen", "rejected", "weight"?}`, or for KTO `{"messages" or "prompt", "completion",
 * "label", "weight"?}`. A prompt is a list of messages, or a text of the user; an answer a text, a message or a list of
 * messages. OpenAI's `{"input": {"messages", "tools"}, "preferred_output", "non_preferred_output"}` is read as well.
 *
 * @returns the line, or in a few words what is wrong with it
 */
export function readPreferenceLine(line: string, method: PreferenceMethod): PreferenceLine | string {
  const parsed = readObjectLine(line);
  if (typeof parsed === 'string') return parsed;
  const prompt = promptOf(parsed);
  if (typeof prompt === 'string') return prompt;
  const { weight = 1, label = null } = parsed;
  if (typeof weight !== 'number' || !(weight > 0 && Number.isFinite(weight))) return 'weight is not a number above 0';
  if (method === 'kto' && typeof label !== 'boolean') return 'label is not true or false';
  const answers: SftConversation[] = [];
  for (const field of method === 'kto' ? (['completion'] as const) : (['chosen', 'rejected'] as const)) {
    const conversation = answerOf(parsed, prompt, field);
    if (typeof conversation === 'string') return conversation;
    answers.push(conversation);
  }
  return { promptLength: prompt.messages.length, answers, label: method === 'kto' ? (label as boolean) : null, weight };
}

interface Prompt {
  readonly messages: readonly unknown[];
  readonly tools: unknown;
  readonly functions: unknown;
}

function promptOf(parsed: Record<string, unknown>): Prompt | string {
  const input = isJsonObject(parsed['input']) ? parsed['input'] : parsed;
  const { tools, functions } = input;
  const given = input['messages'] ?? parsed['prompt'];
  const messages = typeof given === 'string' ? [{ role: 'user', content: given }] : given;
  if (!Array.isArray(messages) || messages.length === 0) return 'neither messages nor prompt says what is answered';
  const last: unknown = messages.at(-1);
  if (isJsonObject(last) && last['role'] === 'assistant') return 'the prompt ends with an answer';
  return { messages: messages.map(asContext), tools, functions };
}

function answerOf(parsed: Record<string, unknown>, { messages, ...tools }: Prompt, field: keyof typeof FIELDS) {
  const given = FIELDS[field].map((name) => parsed[name]).find((value) => value !== undefined);
  if (given === undefined || given === null) return `${field} is missing`;
  const answer =
    typeof given === 'string' ? [{ role: 'assistant', content: given }] : isJsonObject(given) ? [given] : given;
  if (!Array.isArray(answer) || answer.length === 0) return `${field} is not an answer`;
  const conversation = readConversation({ messages: [...messages, ...answer], ...tools });
  return typeof conversation === 'string' ? `${field}: ${conversation}` : conversation;
}

/** Answers of the prompt are not trained. */
const asContext = (message: unknown): unknown =>
  isJsonObject(message) && message['role'] === 'assistant' ? { ...message, weight: 0 } : message;
