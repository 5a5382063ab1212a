import { issue, patternIssue } from '../issues/issue.js';
import { fromRule, type Rule } from '../validation/rule.js';

/** `chatcmpl-<call id>`. Of other ids the call cannot be told. */
const COMPLETION_ID = /^chatcmpl-([A-Za-z0-9_-]{1,128})$/;

/** Id of the call that a chat completion became; undefined: the text is no such id. */
export const callIdOfCompletion = (completionId: string): string | undefined => COMPLETION_ID.exec(completionId)?.[1];

const completionIdRule: Rule = {
  name: 'isCompletionId',
  issues(value) {
    if (typeof value !== 'string') return [issue('string_type')];
    return callIdOfCompletion(value) === undefined ? [patternIssue('chatcmpl-<call id>')] : [];
  },
  schema: {
    type: 'string',
    pattern: COMPLETION_ID.source,
    examples: ['chatcmpl-019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d'],
  },
};

export const IsCompletionId = (): PropertyDecorator => fromRule(completionIdRule);
