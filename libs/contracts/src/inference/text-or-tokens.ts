import { type Issue, issue, tooFewIssue, tooManyIssue } from '../issues/issue.js';
import { fromRule } from '../validation/rule.js';
import { integerRule } from '../validation/rules.js';
import { anyTextRule, prefixed } from './chat-rules.js';

const TOKEN = integerRule({ min: 0 });
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
      if (!isInputList(value)) return firstOf(value, (item) => TOKEN.issues(item));
      if (value.length > maxItems) return [tooManyIssue(maxItems)];
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
  return value.length === 0 ? [tooFewIssue(1)] : firstOf(value, (item) => TOKEN.issues(item));
}

/** The first issue alone: a list may have millions of items. */
function firstOf(list: readonly unknown[], issuesOf: (item: unknown) => Issue[]): Issue[] {
  for (const [at, item] of list.entries()) {
    const issues = issuesOf(item);
    if (issues.length > 0) return prefixed(at, issues);
  }
  return [];
}
