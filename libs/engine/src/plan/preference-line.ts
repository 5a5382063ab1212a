import { isDeepStrictEqual } from 'node:util';

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
  /** 0.001 to 1,000. */
  readonly weight: number;
}

/** Roles of messages that are no answer. */
const ASKING: readonly unknown[] = ['system', 'developer', 'user'];
/** Lines that weigh more than a million times as much as others would make numbers that no float holds. */
const MAX_WEIGHT = 1_000;
const WRONG_WEIGHT = `weight is not a number from ${1 / MAX_WEIGHT} to ${MAX_WEIGHT}`;

/** The names that a field has in files of others: those of OpenAI's fine-tuning come second. */
const FIELDS = {
  chosen: ['chosen', 'preferred_output'],
  rejected: ['rejected', 'non_preferred_output'],
  completion: ['completion'],
} as const;

/**
 * Reads `{"messages" or "prompt", "chosen", "rejected", "weight"?}`, or for KTO `{"messages" or "prompt", "completion",
 * "label", "weight"?}`. A prompt is a list of messages, or a text of the user; an answer a text, a message or a list of
 * messages; an answer may repeat the prompt, and two whole conversations need none. OpenAI's `{"input": {"messages", "tools"}, "preferred_output", "non_preferred_output"}` is read as well.
 *
 * @returns the line, or in a few words what is wrong with it
 */
export function readPreferenceLine(line: string, method: PreferenceMethod): PreferenceLine | string {
  const parsed = readObjectLine(line);
  if (typeof parsed === 'string') return parsed;
  const prompt = promptOf(parsed);
  if (typeof prompt === 'string') return prompt;
  const { weight = 1, label = null } = parsed;
  if (typeof weight !== 'number' || !(weight >= 1 / MAX_WEIGHT && weight <= MAX_WEIGHT)) return WRONG_WEIGHT;
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
  const given = parsed['prompt'] ?? input['messages'] ?? sharedBeginning(parsed);
  const messages = typeof given === 'string' ? [{ role: 'user', content: given }] : given;
  if (!Array.isArray(messages) || messages.length === 0) return 'neither messages nor prompt says what is answered';
  const last: unknown = messages.at(-1);
  if (isJsonObject(last) && last['role'] === 'assistant') return 'the prompt ends with an answer';
  return { messages: messages.map(asContext), tools, functions };
}

/** What two whole conversations have in common, up to their answers: TRL's form without a prompt. */
function sharedBeginning(parsed: Record<string, unknown>): unknown[] {
  const [chosen, rejected] = [valueOf(parsed, 'chosen'), valueOf(parsed, 'rejected')];
  if (!Array.isArray(chosen) || !Array.isArray(rejected)) return [];
  const differs = chosen.findIndex((message, at) => !isDeepStrictEqual(message, rejected[at]));
  const shared: unknown[] = chosen.slice(0, differs < 0 ? chosen.length : differs);
  const end = shared.findLastIndex((message) => isJsonObject(message) && message['role'] !== 'assistant');
  return shared.slice(0, end + 1);
}

const valueOf = (parsed: Record<string, unknown>, field: keyof typeof FIELDS): unknown =>
  FIELDS[field].map((name) => parsed[name]).find((value) => value !== undefined);

function answerOf(
  parsed: Record<string, unknown>,
  { messages, ...tools }: Prompt,
  field: keyof typeof FIELDS,
): SftConversation | string {
  const given = valueOf(parsed, field);
  if (given === undefined || given === null) return `${field} is missing`;
  const all =
    typeof given === 'string' ? [{ role: 'assistant', content: given }] : isJsonObject(given) ? [given] : given;
  if (!Array.isArray(all) || all.length === 0) return `${field} is not an answer`;
  const answer = beginsWith(all, messages) ? all.slice(messages.length) : all;
  const first: unknown = answer[0];
  if (isJsonObject(first) && ASKING.includes(first['role'])) return `${field} does not begin with an answer`;
  const conversation = readConversation({ messages: [...messages, ...answer], ...tools });
  return typeof conversation === 'string' ? `${field}: ${conversation}` : conversation;
}

/** Whether an answer repeats the prompt, as whole conversations do. */
const beginsWith = (answer: readonly unknown[], prompt: readonly unknown[]): boolean =>
  answer.length > prompt.length && prompt.every((message, at) => isDeepStrictEqual(message, asContext(answer[at])));

/** Answers of the prompt are not trained. */
const asContext = (message: unknown): unknown =>
  isJsonObject(message) && message['role'] === 'assistant' ? { ...message, weight: 0 } : message;
