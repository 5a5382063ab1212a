import { issue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { fromRule, type Rule } from '../validation/rule.js';
import { listRule } from '../validation/rules.js';

/** What is known of a file in a form. */
export interface FormFileFacts {
  readonly filename: string;
  readonly content_type: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

const MAX_FILES = 16;

/** Forms are read before they are checked: what is left of a file are its facts. */
const FILE: Rule = {
  name: 'isFormFile',
  issues: (value) => (isJsonObject(value) ? [] : [issue('dict_type')]),
  schema: { type: 'string', format: 'binary' },
};

export const IsFormFile = (): PropertyDecorator => fromRule(FILE);
export const IsFormFiles = (): PropertyDecorator => fromRule(listRule(FILE, { min: 1, max: MAX_FILES }));
