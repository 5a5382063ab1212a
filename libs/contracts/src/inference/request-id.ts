import { REQUEST_ID as PATTERN } from '../patterns/patterns.js';
import { fromRule } from '../validation/rule.js';
import { textRule } from '../validation/rules.js';

const REQUEST_ID = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;

/** 1..128 visible ASCII characters other than `"` and `\`: fit for a header and for JSON without escapes. */
export const isRequestId = (text: string): boolean => REQUEST_ID.test(text);

export const IsRequestId = (): PropertyDecorator =>
  fromRule(
    textRule({
      shape: {
        matches: isRequestId,
        description: '<1 to 128 visible ASCII characters>',
        pattern: PATTERN,
        examples: ['req-1'],
      },
    }),
  );
