import { isJsonObject } from '@hone/json';

type Json = Record<string, unknown>;

/** What chat messages are as those of Anthropic. */
export interface Turns {
  /** Blocks of text; empty: none. */
  readonly system: Json[];
  readonly messages: { readonly role: 'user' | 'assistant'; readonly content: Json[] }[];
}

/** What a data URL has. */
const DATA_URL = /^data:([^;,]+)(?:;[^;,]+)*;base64,(.*)$/s;
/** Characters that ids of calls may not have there. */
const FOREIGN = /[^A-Za-z0-9_-]/g;
const MEDIA = new Set(['input_audio', 'audio', 'video_url']);

/**
 * Chat messages as the turns of a message (https://platform.claude.com/docs/en/api/messages). Messages of one role in a row,
 * results of tools among them, are one turn; what the system says stands before all of them.
 */
export function toTurns(messages: readonly Json[]): Turns {
  const turns: Turns = { system: [], messages: [] };
  for (const message of messages) {
    const { role } = message;
    if (role === 'system' || role === 'developer') turns.system.push(...toTexts(message['content']));
    else if (role === 'assistant') add(turns, 'assistant', toAssistantBlocks(message));
    else if (role === 'tool') add(turns, 'user', [toResult(message)]);
    else add(turns, 'user', toBlocks(message['content']));
  }
  return turns;
}

/** Whether a message has a part that no turn has a place for. */
export const hasForeignPart = (messages: unknown): boolean =>
  partsIn(messages).some(
    (part) =>
      MEDIA.has(String(part['type'])) || (isJsonObject(part['file']) && typeof part['file']['file_data'] !== 'string'),
  );

function partsIn(messages: unknown): Json[] {
  const list = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  return list.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isJsonObject) : []));
}

function add({ messages }: Turns, role: 'user' | 'assistant', blocks: readonly Json[]): void {
  const last = messages.at(-1);
  if (last?.role === role) last.content.push(...blocks);
  else if (blocks.length > 0) messages.push({ role, content: [...blocks] });
}

/** Empty texts are refused there. */
const toText = (text: unknown): Json[] => (typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []);

const toTexts = (content: unknown): Json[] => toBlocks(content).filter(({ type }) => type === 'text');

function toBlocks(content: unknown): Json[] {
  if (!Array.isArray(content)) return toText(content);
  return content.filter(isJsonObject).flatMap((part) => {
    const { type, text, refusal, image_url: image, file } = part;
    if (type === 'image_url') return [toImage(isJsonObject(image) ? image['url'] : image)];
    if (type === 'file' && isJsonObject(file)) return [toDocument(file)];
    return toText(text ?? refusal);
  });
}

function toImage(url: unknown): Json {
  const [, type, data] = DATA_URL.exec(String(url)) ?? [];
  const source = data === undefined ? { type: 'url', url } : { type: 'base64', media_type: type, data };
  return { type: 'image', source };
}

function toDocument({ file_data: data, filename }: Json): Json {
  const [, type = 'application/pdf', base64 = data] = DATA_URL.exec(String(data)) ?? [];
  const isText = type.startsWith('text/');
  const source = isText
    ? { type: 'text', media_type: 'text/plain', data: Buffer.from(String(base64), 'base64').toString() }
    : { type: 'base64', media_type: type, data: base64 };
  return { type: 'document', source, ...(typeof filename === 'string' && { title: filename }) };
}

function toAssistantBlocks({ content, refusal, tool_calls: calls, reasoning_details: details }: Json): Json[] {
  return [
    ...toThinking(details),
    ...toBlocks(content),
    ...toText(refusal),
    ...(Array.isArray(calls) ? calls.filter(isJsonObject).map(toUse) : []),
  ];
}

/** Thinking as it came, with the signatures without which it is refused; parts of one block, as a stream has them, are put together. */
function toThinking(details: unknown): Json[] {
  const blocks: Json[] = [];
  for (const detail of Array.isArray(details) ? details.filter(isJsonObject) : []) {
    const { type, text, signature, data, index } = detail;
    if (type === 'reasoning.encrypted') blocks.push({ type: 'redacted_thinking', data });
    if (type !== 'reasoning.text') continue;
    const last = blocks.at(-1);
    const isSame = last !== undefined && last['index'] === index && last['type'] === 'thinking' && !last['signature'];
    const block = isSame ? last : { type: 'thinking', thinking: '', index };
    if (!isSame) blocks.push(block);
    block['thinking'] = `${String(block['thinking'])}${typeof text === 'string' ? text : ''}`;
    if (typeof signature === 'string' && signature !== '') block['signature'] = signature;
  }
  return blocks
    .filter(({ type, signature }) => type !== 'thinking' || signature !== undefined)
    .map(({ index: _, ...block }) => block);
}

const toId = (id: unknown): string => String(id).replace(FOREIGN, '_');

function toUse({ id, function: called }: Json): Json {
  const { name, arguments: sent } = isJsonObject(called) ? called : {};
  return { type: 'tool_use', id: toId(id), name, input: toInput(sent) };
}

/** Arguments that the model wrote wrongly still show what they say. */
function toInput(sent: unknown): Json {
  if (typeof sent !== 'string' || sent.trim() === '') return {};
  try {
    const input = JSON.parse(sent) as unknown;
    if (isJsonObject(input)) return input;
  } catch {
    // Told below.
  }
  return { unparsed: sent };
}

function toResult({ tool_call_id: id, content }: Json): Json {
  return { type: 'tool_result', tool_use_id: toId(id), content: toBlocks(content) };
}
