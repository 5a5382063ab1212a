import { type Issue, issue, tooFewIssue, valueIssue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { describedProperties, describeType, schemaRef } from '../schema/descriptions.js';
import { fromRule } from '../validation/rule.js';
import { anyTextRule, prefixed } from './chat-rules.js';

/** A part of the content of a message. */
export interface ContentPart {
  /** `text`, or another kind that the model knows. */
  type: string;
  /** The text of a part of type `text`. */
  text?: string;
}

/** A message of the conversation, as the chat template takes it: further fields are passed on. */
export interface ChatMessage {
  /** `system`, `developer`, `user`, `assistant`, `tool`, `function`, or a role of the model, 1 to 64 characters. */
  role: string;
  /** A text, or a list of parts. Absent or null: allowed for the assistant only, for example beside tool calls. */
  content?: string | ContentPart[] | null;
  /** Name of the speaker. Absent or null: none. */
  name?: string | null;
  [field: string]: unknown;
}

const MAX_ROLE = 64;
const ROLE = anyTextRule({ min: 1, max: MAX_ROLE });
const TEXT = anyTextRule();

const PART = {
  name: 'ContentPart',
  schema: {
    type: 'object',
    description: describeType('ContentPart'),
    required: ['type'],
    properties: describedProperties('ContentPart', { type: { type: 'string' }, text: {} }),
    if: { properties: { type: { const: 'text' } }, required: ['type'] },
    then: { properties: { text: { type: 'string' } }, required: ['text'] },
  },
};
const MESSAGE = {
  name: 'ChatMessage',
  schema: {
    type: 'object',
    description: describeType('ChatMessage'),
    required: ['role'],
    properties: describedProperties('ChatMessage', {
      role: { type: 'string', minLength: 1, maxLength: MAX_ROLE },
      content: { anyOf: [{ type: 'string' }, { type: 'array', items: schemaRef(PART) }, { type: 'null' }] },
      name: { type: ['string', 'null'] },
    }),
    if: { properties: { role: { const: 'assistant' } }, required: ['role'] },
    else: { properties: { content: { type: ['string', 'array'] } }, required: ['content'] },
  },
};

/** At least one message; fields that are null count as absent. */
export const IsMessages = (): PropertyDecorator =>
  fromRule({
    name: 'isMessages',
    issues(value) {
      if (!Array.isArray(value)) return [issue('list_type')];
      if (value.length === 0) return [tooFewIssue(1)];
      const issues: Issue[] = [];
      for (const [index, message] of value.entries()) {
        if (!isPlain(message)) issues.push(...prefixed(index, messageIssues(message)));
      }
      return issues;
    },
    schema: { type: 'array', minItems: 1, items: schemaRef(MESSAGE) },
    parts: () => [MESSAGE, PART],
  });

/** Nearly all messages: a role and a text. Nothing is looked for in them, and no lists of issues are made. */
function isPlain(message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false;
  const { role, content, name } = message as Record<string, unknown>;
  return (
    typeof role === 'string' &&
    role.length > 0 &&
    role.length <= MAX_ROLE &&
    typeof content === 'string' &&
    name === undefined
  );
}

function messageIssues(message: unknown): Issue[] {
  if (!isJsonObject(message)) return [issue('dict_type')];
  const { role, content, name } = message as Record<string, unknown>;
  return [
    ...prefixed('role', role === undefined || role === null ? [issue('missing')] : ROLE.issues(role)),
    ...prefixed('content', contentIssues(content, role === 'assistant')),
    ...prefixed('name', name === undefined || name === null ? [] : TEXT.issues(name)),
  ];
}

function contentIssues(content: unknown, mayBeAbsent: boolean): Issue[] {
  if (typeof content === 'string') return [];
  if (content === undefined || content === null) return mayBeAbsent ? [] : [issue('missing')];
  if (!Array.isArray(content)) {
    return [{ ...valueIssue('Input should be a string or a list of parts'), type: 'string_type' }];
  }
  return content.flatMap((part, index) => prefixed(index, partIssues(part)));
}

function partIssues(part: unknown): Issue[] {
  if (!isJsonObject(part)) return [issue('dict_type')];
  const { type, text } = part as Record<string, unknown>;
  if (typeof type !== 'string') return prefixed('type', [issue(type === undefined ? 'missing' : 'string_type')]);
  if (type !== 'text') return [];
  return prefixed('text', text === undefined ? [issue('missing')] : TEXT.issues(text));
}
