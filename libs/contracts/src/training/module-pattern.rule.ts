import { type Issue, valueIssue } from '../issues/issue.js';
import type { Rule } from '../validation/rule.js';
import { mapRule } from '../validation/rules.js';

/**
 * A projection, in all layers or in one: the end of a module's name. PEFT takes such names for regular expressions, with
 * the same result.
 */
const MODULE =
  '^(layers\\.(0|[1-9][0-9]{0,3})\\.(self_attn\\.[qkvo]_proj|mlp\\.(gate|up|down)_proj)' +
  '|(self_attn\\.)?[qkvo]_proj|(mlp\\.)?(gate|up|down)_proj)$';
const MAX_MODULES = 256;

/** Values by the names of modules. @param item rule of a value */
export function modulePatternRule(item: Rule): Rule {
  const map = mapRule(item);
  const isModule = new RegExp(MODULE);
  return {
    ...map,
    name: 'isModulePattern',
    issues(value) {
      const found = map.issues(value);
      if (found.length > 0) return found;
      const names = Object.keys(value as object);
      if (names.length > MAX_MODULES) return [valueIssue(`At most ${MAX_MODULES} modules`)];
      const stranger = names.find((name) => !isModule.test(name));
      return stranger === undefined ? [] : [unknownModule(stranger)];
    },
    schema: {
      type: 'object',
      maxProperties: MAX_MODULES,
      propertyNames: { pattern: MODULE, examples: ['q_proj', 'mlp.down_proj', 'layers.0.self_attn.q_proj'] },
      additionalProperties: item.schema,
    },
  };
}

const unknownModule = (name: string): Issue =>
  valueIssue('Not a module such as q_proj, mlp.down_proj or layers.0.self_attn.q_proj', [name]);
