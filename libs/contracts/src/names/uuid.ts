import { issue } from '../issues/issue.js';
import { UUID as PATTERN } from '../patterns/patterns.js';
import { fromRule } from '../validation/rule.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether `text` has the form of a UUID, of any version, in either case. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Id of a row. Whether there is one is another question. */
export const IsUuid = (): PropertyDecorator =>
  fromRule({
    name: 'isUuid',
    issues(value) {
      if (typeof value !== 'string') return [issue('string_type')];
      return isUuid(value) ? [] : [issue('uuid_parsing')];
    },
    schema: {
      type: 'string',
      format: 'uuid',
      pattern: PATTERN,
      examples: ['019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d'],
    },
    coerce: (value) => (value as string).toLowerCase(),
  });
