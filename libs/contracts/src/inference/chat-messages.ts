import { isJsonObject } from '../json/json-value.js';
import { issue, tooFewIssue, valueIssue, type Issue } from '../issues/issue.js';
import { fromRule, type JsonSchema } from '../validation/rule.js';
import { anyTextRule, prefixed } from './chat-rules.js';

/** A part of a message's content. */
export interface ContentPart {
  /** `text`, or another kind that the model must know. */
  type: string;
  /** With type `text`. */
  text?: string;
}

/** A message as the engine's chat template takes it: what else it carries is passed on. */
export interface ChatMessage {
  /** system, developer, user, assistant, tool, function, or one of the model's own. */
  role: string;
  /** Null for the assistant only, for example beside tool calls. */
  content?: string | ContentPart[] | null;
  name?: string | null;
  [field: string]: unknown;
}

const MAX_ROLE = 64;
const ROLE = anyTextRule({ min: 1, max: MAX_ROLE });
const TEXT = anyTextRule();

const SCHEMA: JsonSchema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['role'],
    properties: {
      role: { type: 'string', minLength: 1, maxLength: MAX_ROLE },
      content: {
        anyOf: [
          { type: 'string' },
          {
            type: 'array',
            items: {
              type: 'object',
              required: ['type'],
              properties: { type: { type: 'string' }, text: { type: 'string' } },
            },
          },
          { type: 'null' },
        ],
      },
      name: { type: ['string', 'null'] },
    },
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
    schema: SCHEMA,
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
