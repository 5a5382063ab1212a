import { valueIssue } from '../issues/issue.js';
import { fromRule } from '../validation/rule.js';

/** `none`, or the length to which the server shortens longer gradients. */
export const IsGradientClip = () =>
  fromRule({
    name: 'isGradientClip',
    issues: (value) =>
      value === 'none' || (typeof value === 'number' && Number.isFinite(value) && value > 0)
        ? []
        : [valueIssue("Input should be 'none' or a number above 0")],
    schema: { anyOf: [{ const: 'none' }, { type: 'number', exclusiveMinimum: 0 }] },
  });
