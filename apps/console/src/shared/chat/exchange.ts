import { isJsonObject } from '@hone/client';

import { fromBlocks, type Loose } from './blocks.js';
import { fromItems } from './items.js';

/** What a model was sent and what it answered: every message in the form of chat completions. */
export interface Exchange {
  /** The API in whose form the call has them. */
  readonly form: 'chat' | 'responses' | 'messages';
  readonly sent: readonly Loose[];
  readonly answers: readonly Loose[];
}

/** Fields that only requests of Responses have: embeddings have an `input`, too. */
const OF_RESPONSES = ['instructions', 'previous_response_id', 'max_output_tokens', 'conversation'];

/** The exchange that a call's inputs and output are, in any of these forms; null: it is none, and is shown as a value. */
export function toExchange(inputs: unknown, output: unknown): Exchange | null {
  if (!isJsonObject(inputs)) return null;
  const answer: Loose = isJsonObject(output) ? output : {};
  return ofMessages(inputs, answer) ?? ofResponses(inputs, answer);
}

function ofMessages(inputs: Loose, answer: Loose): Exchange | null {
  const { messages, system } = inputs;
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isJsonObject)) return null;
  const isOfMessages = answer['type'] === 'message' || isGiven(system) || Array.isArray(answer['content']);
  const said = isOfMessages && Array.isArray(answer['content']) ? [{ role: 'assistant', ...answer }] : [];
  const choices = Array.isArray(answer['choices']) ? answer['choices'] : [];
  const chosen = choices.filter(isJsonObject).map((choice) => choice['message']);
  return {
    form: isOfMessages ? 'messages' : 'chat',
    sent: [...(isGiven(system) ? [{ role: 'system', content: system }] : []), ...messages.flatMap(fromBlocks)],
    answers: [...said, ...chosen.filter(isJsonObject)].flatMap(fromBlocks),
  };
}

function ofResponses(inputs: Loose, answer: Loose): Exchange | null {
  const { input, instructions } = inputs;
  const hasAnswer = Array.isArray(answer['output']);
  const isItems = Array.isArray(input) && input.length > 0 && input.every(isJsonObject);
  if (!isItems && (typeof input !== 'string' || !(hasAnswer || OF_RESPONSES.some((name) => isGiven(inputs[name]))))) {
    return null;
  }
  return {
    form: 'responses',
    sent: [
      ...(isGiven(instructions) ? [{ role: 'system', content: instructions }] : []),
      ...(isItems ? fromItems(input) : [{ role: 'user', content: input }]),
    ],
    answers: hasAnswer ? fromItems((answer['output'] as unknown[]).filter(isJsonObject)) : [],
  };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
