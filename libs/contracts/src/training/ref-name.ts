import { valueIssue } from '../issues/issue.js';
import { isProjectName } from '../names/project-id.js';
import { PROJECT_NAME } from '../patterns/patterns.js';
import { fromRule, type Rule } from '../validation/rule.js';
import { textRule } from '../validation/rules.js';

const LENGTH = textRule({ min: 1, max: 128 });
const SENTENCE = 'Input should have no / : or control characters and no outer blanks, and should not be . or ..';

/** A name of a project, a model or an artifact, as refs have it. */
const nameRule: Rule = {
  name: 'isRefName',
  issues(value) {
    const issues = LENGTH.issues(value);
    if (issues.length) return issues;
    return isProjectName(value as string) ? [] : [valueIssue(SENTENCE)];
  },
  schema: { ...LENGTH.schema, pattern: PROJECT_NAME, examples: ['agent-1'] },
};

/** 1 to 128 characters without `/`, `:`, control characters or outer blanks, not `.` or `..`. */
export const IsRefName = (): PropertyDecorator => fromRule(nameRule);
