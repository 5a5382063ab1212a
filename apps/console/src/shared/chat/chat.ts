import type { Token } from '../tokens/tokens.js';

/** A message as it is shown. */
export interface ChatTurn {
  readonly role: string;
  readonly text: string;
  /** `name(arguments)` of each tool that it calls. */
  readonly tools: readonly string[];
  /** Of an answer that came with log-probabilities. Absent or null: of none. */
  readonly tokens?: readonly Token[] | null;
}

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The conversation of a call's inputs and output; null: it is none, and is shown as a value. */
export function toChat(inputs: unknown, output: unknown): readonly ChatTurn[] | null {
  const messages = isObject(inputs) ? inputs['messages'] : undefined;
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isObject)) return null;
  const choices = isObject(output) && Array.isArray(output['choices']) ? output['choices'] : [];
  const answers = choices.filter(isObject).map((choice) => choice['message']);
  return [...messages, ...answers.filter(isObject)].map(toTurn);
}

const toTurn = (message: Loose): ChatTurn => ({
  role: typeof message['role'] === 'string' ? message['role'] : 'unknown',
  text: [message['reasoning'], message['content'], message['refusal']].map(textOf).filter(Boolean).join('\n\n'),
  tools: Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isObject).map(toolOf) : [],
});

/** Parts that are no text are named: images are not loaded unasked. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isObject)
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : `[${String(part['type'])}]`))
    .join('\n');
}

function toolOf(call: Loose): string {
  const called = isObject(call['function']) ? call['function'] : {};
  return `${String(called['name'])}(${String(called['arguments'])})`;
}
