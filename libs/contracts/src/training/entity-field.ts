import { valueIssue } from '../issues/issue.js';
import { isEntityName } from '../names/project-id.js';
import { ENTITY_NAME } from '../patterns/patterns.js';
import { fromRule } from '../validation/rule.js';
import { textRule } from '../validation/rules.js';

const LENGTH = textRule({ min: 1, max: 128 });

/** A team or user that owns projects. */
export const IsEntity = (): PropertyDecorator =>
  fromRule({
    name: 'isEntity',
    issues(value) {
      const issues = LENGTH.issues(value);
      if (issues.length || isEntityName(value as string)) return issues;
      return [valueIssue('Input should have only A-Z a-z 0-9 _ . - and begin with a letter or digit')];
    },
    schema: { ...LENGTH.schema, pattern: ENTITY_NAME, examples: ['acme'] },
  });
