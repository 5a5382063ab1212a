import { isJsonObject, stringifyJson } from '@hone/client';

/** A JSON object of which nothing is known. */
export type Loose = Readonly<Record<string, unknown>>;

/** Blocks of Anthropic's Messages, and parts of OpenTelemetry's, that have a field of their own in chat completions. */
const MOVED = ['tool_use', 'tool_result', 'thinking', 'tool_call', 'tool_call_response', 'reasoning'];

/** Arguments as a model writes them: JSON text. */
export const toArguments = (value: unknown): string => (typeof value === 'string' ? value : stringifyJson(value ?? {}));

/** The messages of chat completions that one message is, whose content may be of blocks. */
export function fromBlocks(message: Loose): Loose[] {
  const { parts, ...rest } = message;
  const content = rest['content'] ?? parts;
  const isAsItIs = rest['content'] !== undefined && Array.isArray(content) && !content.some(isMoved);
  if (!Array.isArray(content) || isAsItIs) return [message];
  const blocks = content.filter(isJsonObject);
  const results = blocks.filter(({ type }) => type === 'tool_result' || type === 'tool_call_response').map(toResult);
  const calls = blocks.filter(({ type }) => type === 'tool_use' || type === 'tool_call').map(toCall);
  const thoughts = blocks.flatMap(({ type, thinking, content: text }) =>
    type === 'thinking' || type === 'reasoning' ? [String(thinking ?? text ?? '')] : [],
  );
  const others = blocks.filter((block) => !isMoved(block)).map(toPart);
  const isOwn = others.length > 0 || calls.length > 0 || thoughts.length > 0;
  const own = {
    ...{ ...rest, content: others },
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(thoughts.length > 0 && { reasoning: thoughts.join('\n') }),
  };
  return [...results, ...(isOwn ? [own] : [])];
}

const isMoved = (block: unknown): boolean => isJsonObject(block) && MOVED.includes(String(block['type']));

/** OpenTelemetry has the text of a part as its content. */
const toPart = (block: Loose): Loose =>
  block['type'] === 'text' && block['text'] === undefined ? { ...block, text: block['content'] } : block;

const toResult = ({ tool_use_id: used, id, content, response, result }: Loose): Loose => ({
  ...{ role: 'tool', tool_call_id: used ?? id },
  content: toContent(content ?? response ?? result),
});

/** Text and parts as they are; any other value as JSON. */
export const toContent = (value: unknown): unknown =>
  typeof value === 'string' || Array.isArray(value) ? value : stringifyJson(value ?? null);

const toCall = ({ id, name, input, arguments: args }: Loose): Loose => ({
  ...{ id, type: 'function' },
  function: { name, arguments: toArguments(input ?? args) },
});
