import * as patterns from '../patterns/patterns.js';
import { fromRule, type Rule } from '../validation/rule.js';
import { textRule } from '../validation/rules.js';
import { isEntityName, isProjectName, parseProjectId } from './project-id.js';

const OBJECT_ID = /^[\p{L}\p{N}_.-]{1,128}$/u;
const CALL_ID = /^[^/\p{Cc}]{1,128}$/u;

/** 1..128 letters and digits of any script, `_`, `.` and `-`. */
export const isObjectId = (text: string): boolean => OBJECT_ID.test(text);

/** 1..128 characters without `/` and control characters. */
export const isCallId = (text: string): boolean => CALL_ID.test(text);

const projectIdRule: Rule = textRule({
  shape: {
    matches: (text) => parseProjectId(text) !== undefined,
    description: '<entity>/<project>',
    pattern: patterns.PROJECT_ID,
    examples: ['acme/demo', 'acme/My project'],
  },
});
export const entityNameRule: Rule = textRule({
  shape: {
    matches: isEntityName,
    description: '1 to 128 of A-Z a-z 0-9 _ . -, the first a letter or digit',
    pattern: patterns.ENTITY_NAME,
    examples: ['acme', 'team-1.x_y'],
  },
});
export const objectIdRule: Rule = textRule({
  shape: {
    matches: isObjectId,
    description: '1 to 128 letters, digits, _ . -',
    pattern: patterns.OBJECT_NAME,
    examples: ['config', 'été-1'],
  },
});
export const callIdRule: Rule = textRule({
  shape: {
    matches: isCallId,
    description: '1 to 128 characters without / and control characters',
    pattern: patterns.CALL_NAME,
    examples: ['019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d', 'c1'],
  },
});
const projectNameRule: Rule = textRule({
  shape: {
    matches: isProjectName,
    description: '1 to 128 characters without / : and control characters',
    pattern: patterns.PROJECT_NAME,
    examples: ['demo', 'My project'],
  },
});

const typedName = textRule({ min: 1, max: 128 });
/** Name of a typed object; whether an object id can be made of it is checked where that is done. */
export const typedNameRule: Rule = {
  ...typedName,
  schema: { ...typedName.schema, pattern: patterns.TYPED_NAME, examples: ['Greeter', 'My model/v1'] },
};

/** `<entity>/<project>`, for example `acme/summarizer`. */
export const IsProjectId = (): PropertyDecorator => fromRule(projectIdRule);
export const IsEntityName = (): PropertyDecorator => fromRule(entityNameRule);
export const IsProjectName = (): PropertyDecorator => fromRule(projectNameRule);
export const IsObjectId = (): PropertyDecorator => fromRule(objectIdRule);
export const IsCallId = (): PropertyDecorator => fromRule(callIdRule);
