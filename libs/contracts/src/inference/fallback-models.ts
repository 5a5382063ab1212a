import { issue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { fromRule, type Rule } from '../validation/rule.js';
import { listRule } from '../validation/rules.js';
import { anyTextRule, IsAnyTextList, prefixed } from './chat-rules.js';

/** Most models that a list of further ones may have. */
export const MAX_FALLBACKS = 8;

const NAME_LENGTH = { min: 1, max: 512 };
const NAME = anyTextRule(NAME_LENGTH);

/** `models` of a request: names, in the order in which they are tried. */
export const IsModelNames = (): PropertyDecorator => IsAnyTextList({ ...NAME_LENGTH, maxItems: MAX_FALLBACKS + 1 });

const NAMED = { ...NAME.schema, description: 'A route, an alias, or the reference of a trained model.' };

/** A name, or an object with the name alone: what else a request says is the same for all models. */
const FALLBACK: Rule = {
  name: 'isFallback',
  issues(value) {
    if (!isJsonObject(value)) return NAME.issues(value);
    const other = Object.keys(value).find((key) => key !== 'model');
    if (other !== undefined) return [issue('extra_forbidden', [other])];
    return prefixed('model', value['model'] === undefined ? [issue('missing')] : NAME.issues(value['model']));
  },
  schema: {
    anyOf: [
      NAME.schema,
      { type: 'object', properties: { model: NAMED }, required: ['model'], additionalProperties: false },
    ],
  },
};

/** `fallbacks` of a request, in the forms of LiteLLM and of Anthropic. */
export const IsFallbacks = (): PropertyDecorator => fromRule(listRule(FALLBACK, { max: MAX_FALLBACKS }));

/** What a request may say of the models that answer it. */
export interface NamedModels {
  readonly model?: unknown;
  readonly models?: unknown;
  readonly fallbacks?: unknown;
}

/** The models that a valid request names after `model`, which may be among them, in order. */
export const fallbackNames = ({ models, fallbacks }: NamedModels): readonly string[] =>
  [...asList(models), ...asList(fallbacks).map((item) => (isJsonObject(item) ? item['model'] : item))] as string[];

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
