import { type Issue, issue, tooFewIssue, tooManyIssue } from '../issues/issue.js';
import { fromRule } from '../validation/rule.js';
import { integerRule } from '../validation/rules.js';
import { anyTextRule, prefixed } from './chat-rules.js';

const TOKEN = integerRule({ min: 0 });
/** In all inputs of a request: to check more of them would take the time of other requests. OpenAI takes 300,000. */
const MAX_TOKENS = 1_000_000;
const TOKENS = { type: 'array', items: TOKEN.schema, minItems: 1 };

/** Whether it is several inputs; a list of numbers is one, by its token ids. */
export const isInputList = (input: unknown): input is readonly unknown[] =>
  Array.isArray(input) && typeof input[0] !== 'number';

/** A text, token ids, or a list of either. @param minText characters of each text @param maxItems of the list */
export function IsTextOrTokens({ minText = 0, maxItems = Infinity } = {}): PropertyDecorator {
  const text = anyTextRule({ min: minText });
  const items = { minItems: 1, ...(maxItems < Infinity && { maxItems }) };
  return fromRule({
    name: 'isTextOrTokens',
    issues(value) {
      if (typeof value === 'string') return text.issues(value);
      if (!Array.isArray(value)) return [{ ...issue('string_type'), msg: 'Input should be a string or a list' }];
      if (value.length === 0) return [tooFewIssue(1)];
      if (!isInputList(value)) return idIssues(value);
      if (value.length > maxItems) return [tooManyIssue(maxItems)];
      const ids = value.reduce<number>((sum, item) => sum + (Array.isArray(item) ? item.length : 0), 0);
      if (ids > MAX_TOKENS) return [tooManyTokens];
      return firstOf(value, typeof value[0] === 'string' ? (item) => text.issues(item) : tokenIssues);
    },
    schema: {
      anyOf: [
        text.schema,
        TOKENS,
        { type: 'array', items: text.schema, ...items },
        { type: 'array', items: TOKENS, ...items },
      ],
    },
  });
}

function tokenIssues(value: unknown): Issue[] {
  if (!Array.isArray(value)) return [issue('list_type')];
  return value.length === 0 ? [tooFewIssue(1)] : idIssues(value);
}

function idIssues(ids: readonly unknown[]): Issue[] {
  if (ids.length > MAX_TOKENS) return [tooManyTokens];
  return ids.every(isId) ? [] : firstOf(ids, (item) => TOKEN.issues(item));
}

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const tooManyTokens: Issue = { ...tooManyIssue(MAX_TOKENS), msg: 'Input should have at most 1000000 token ids' };

/** The first issue alone: a list may have millions of items. */
function firstOf(list: readonly unknown[], issuesOf: (item: unknown) => Issue[]): Issue[] {
  for (const [at, item] of list.entries()) {
    const issues = issuesOf(item);
    if (issues.length > 0) return prefixed(at, issues);
  }
  return [];
}
