import { isJsonObject } from '@hone/json';

import { readCallId } from '../../translation/call-id.js';
import { invalid, textAt, unsupported } from '../../translation/refusals.js';
import { blocksOf, type Json, type Loc, type Part, textOf, textPart, textParts, toParts } from './content-blocks.js';

/** Where messages of a prompt come from. */
const PROMPT: Loc = ['prompt'];
const ROLES = ['user', 'assistant', 'system'];

/** Messages of a chat, and where each comes from. */
export interface Conversation {
  readonly messages: Json[];
  readonly origins: Origin[];
  /** The answer continues the last message. */
  readonly isPrefilled: boolean;
}

/** Where a chat message comes from. */
export interface Origin {
  readonly loc: Loc;
  /** Of each part of its content; empty: the content is one text. */
  readonly parts: readonly Loc[];
}

/** Messages of one role in a row, which are one turn. */
interface Turn {
  readonly role: string;
  /** Of the first message. */
  readonly loc: Loc;
  readonly blocks: { readonly block: Json; readonly loc: Loc }[];
}

/**
 * The chat that `system` and `messages` are, see https://platform.claude.com/docs/en/api/messages. Reasoning of earlier
 * turns is left out: a chat completion has no place for it, and models do without.
 *
 * @param before chat messages of the prompt that the request names: what the system says goes into `system`
 * @throws InvalidRequestError a block that a chat completion cannot carry
 */
export function toConversation(messages: unknown, system: unknown, before: readonly Json[] = []): Conversation {
  const chat = new Chat();
  const said = before.filter((message) => !isOfSystem(message));
  const told = before.filter(isOfSystem).flatMap(({ content }) => textParts(content, PROMPT));
  if (system !== undefined) told.push(...textParts(system, ['system']));
  if (system !== undefined || told.length > 0) chat.add('system', ['system'], told);
  for (const message of said) chat.addPrompted(message);
  const turns = said.length > 0 && isAbsent(messages) ? [] : turnsOf(messages);
  for (const turn of turns) addTurn(chat, turn);
  const last = chat.messages.at(-1);
  const isPrefilled = last?.['role'] === 'assistant';
  if (isPrefilled && !last?.['content']) {
    const loc = turns.at(-1)?.loc;
    throw invalid(loc ? [...loc, 'content'] : PROMPT, 'The last message has no text that the answer could continue');
  }
  return { messages: chat.messages, origins: chat.origins, isPrefilled };
}

const isOfSystem = ({ role }: Json): boolean => role === 'system' || role === 'developer';

const isAbsent = (messages: unknown): boolean =>
  messages === undefined || (Array.isArray(messages) && messages.length === 0);

class Chat {
  readonly messages: Json[] = [];
  readonly origins: Origin[] = [];

  add(role: string, loc: Loc, parts: readonly Part[], more: Json = {}): void {
    const [only] = parts;
    // A text alone is what every model takes.
    const isText = parts.length <= 1 && (only?.part['type'] ?? 'text') === 'text';
    const content = isText ? (only?.part['text'] ?? '') : parts.map(({ part }) => part);
    this.messages.push({ role, content, ...more });
    this.origins.push({ loc, parts: isText ? [] : parts.map((part) => part.loc) });
  }

  /** A message of a prompt, as it is. */
  addPrompted(message: Json): void {
    this.messages.push(message);
    this.origins.push({ loc: PROMPT, parts: [] });
  }

  /** @param calls of tools, in the message with the text */
  addAssistant(loc: Loc, text: string, calls: readonly Json[]): void {
    const hasCalls = calls.length > 0;
    const content = text === '' && hasCalls ? null : text;
    this.messages.push({ role: 'assistant', content, ...(hasCalls && { tool_calls: calls }) });
    this.origins.push({ loc, parts: [] });
  }
}

function turnsOf(messages: unknown): Turn[] {
  if (!Array.isArray(messages)) throw invalid(['messages'], 'Input should be a valid list');
  if (messages.length === 0) throw invalid(['messages'], 'List should have at least 1 item');
  const turns: Turn[] = [];
  for (const [at, message] of messages.entries()) {
    const loc: Loc = ['messages', at];
    if (!isJsonObject(message)) throw invalid(loc, 'Input should be a valid object');
    const { role, content } = message;
    if (typeof role !== 'string' || !ROLES.includes(role)) {
      throw invalid([...loc, 'role'], "Input should be 'user', 'assistant' or 'system'");
    }
    const blocks = blocksOf(content, [...loc, 'content']);
    const last = turns.at(-1);
    if (last?.role === role) for (const block of blocks) last.blocks.push(block);
    else turns.push({ role, loc, blocks });
  }
  assertNoOpenCall(turns.at(-1) as Turn);
  return turns;
}

function assertNoOpenCall({ role, blocks }: Turn): void {
  const open = blocks.find(({ block }) => block['type'] === 'tool_use');
  if (role !== 'assistant' || open === undefined) return;
  throw invalid(open.loc, 'The tool_use needs its tool_result in a message of the user');
}

function addTurn(chat: Chat, turn: Turn): void {
  if (turn.role === 'user') addUser(chat, turn);
  else if (turn.role === 'assistant') addAssistant(chat, turn);
  else {
    chat.add(
      'system',
      turn.loc,
      turn.blocks.map(({ block, loc }) => textPart(textOf(block, loc), loc)),
    );
  }
}

/** Results of tools follow the message with the calls at once, so they stand before what else the turn says. */
function addUser(chat: Chat, { loc, blocks }: Turn): void {
  const results = blocks.filter(isResult);
  const said = blocks.filter((each) => !isResult(each));
  const attached = results.flatMap((result) => addResult(chat, result.block, result.loc));
  const parts = [...attached, ...said.flatMap(({ block, loc: at }) => toParts(block, at))];
  if (parts.length > 0 || results.length === 0) chat.add('user', said[0]?.loc.slice(0, 2) ?? loc, parts);
}

const isResult = ({ block }: { readonly block: Json }): boolean => block['type'] === 'tool_result';

/**
 * Adds a message with the result of a tool. Nothing in it says that the tool failed, so its text does.
 *
 * @returns its images and files, for the user's message: in that of a tool, chat completions have text alone
 */
function addResult(chat: Chat, { tool_use_id: useId, content, is_error: isError }: Json, loc: Loc): Part[] {
  const { id } = readCallId(textAt(useId, [...loc, 'tool_use_id']));
  const parts = blocksOf(content ?? '', [...loc, 'content']).flatMap(({ block, loc: at }) => toParts(block, at));
  const texts = parts.filter(isText);
  const files = parts.filter((part) => !isText(part));
  if (isError !== undefined && isError !== null && typeof isError !== 'boolean') {
    throw invalid([...loc, 'is_error'], 'Input should be a valid boolean');
  }
  chat.add('tool', loc, isError === true ? asError(texts, loc) : texts, { tool_call_id: id });
  return files.length === 0 ? [] : [textPart(`Attached to the result of ${id}:`, loc), ...files];
}

const isText = ({ part }: Part): boolean => part['type'] === 'text';

function asError([first, ...others]: readonly Part[], loc: Loc): Part[] {
  if (first === undefined) return [textPart('Error', loc)];
  return [textPart(`Error: ${first.part['text'] as string}`, first.loc), ...others];
}

function addAssistant(chat: Chat, { loc, blocks }: Turn): void {
  let text = '';
  const calls: Json[] = [];
  for (const { block, loc: at } of blocks) {
    switch (block['type']) {
      case 'thinking':
      case 'redacted_thinking':
        break;
      case 'tool_use':
        calls.push(toCall(block, at));
        break;
      case 'text':
        text += textAt(block['text'], [...at, 'text']);
        break;
      default:
        throw unsupported([...at, 'type'], `A block of type ${String(block['type'])} is not supported here`);
    }
  }
  chat.addAssistant(loc, text, calls);
}

function toCall({ id, name, input }: Json, loc: Loc): Json {
  const called = { name: textAt(name, [...loc, 'name']), arguments: JSON.stringify(input ?? {}) };
  const call = readCallId(textAt(id, [...loc, 'id']));
  return { id: call.id, type: 'function', function: called, ...call.extra };
}
