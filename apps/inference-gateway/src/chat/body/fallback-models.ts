import { fallbackNames, MAX_FALLBACKS, type NamedModels } from '@hone/contracts';
import { editObject } from '@hone/json/bytes';

import { InvalidHeaderError } from '../../call-log/log-headers.js';

type Fields = Readonly<Record<string, unknown>>;

const HEADER = 'Hone-Fallback';
const LISTS = ['models', 'fallbacks'];
const NONE: readonly string[] = [];

/** The fields with the first of `models` as `model`, where they have none. */
export function withFirstModel<T extends Fields>(fields: T): T {
  const { model, models } = fields;
  const isNamed = (model ?? null) !== null || !Array.isArray(models) || models.length === 0;
  return isNamed ? fields : { ...fields, model: models[0] as unknown };
}

/**
 * The models that may answer a valid request in place of its first: those of the body, then those of the header.
 *
 * @param header value of `Hone-Fallback`: names with commas between them
 * @throws InvalidHeaderError
 */
export function readFallbacks(fields: Fields & NamedModels, header: string | undefined): readonly string[] {
  if (header === undefined && !LISTS.some((list) => list in fields)) return NONE;
  const names = new Set([...fallbackNames(fields), ...namesOf(header ?? '')]);
  names.delete(fields.model as string);
  return [...names];
}

function namesOf(header: string): readonly string[] {
  if (header.trim() === '') return NONE;
  // Node reads headers as Latin-1, clients write UTF-8.
  const names = Buffer.from(header, 'latin1')
    .toString()
    .split(',')
    .map((name) => name.trim());
  if (names.includes('')) throw new InvalidHeaderError(HEADER, 'has an empty name');
  if (names.length > MAX_FALLBACKS) {
    throw new InvalidHeaderError(HEADER, `has ${names.length} names; the limit is ${MAX_FALLBACKS}`);
  }
  return names;
}

/** A request without its lists of models, which upstreams could take for their own. */
export function withoutFallbacks(fields: Fields, body: Buffer): { readonly fields: Fields; readonly body: Buffer } {
  if (!LISTS.some((name) => name in fields)) return { fields, body };
  const { models: _models, fallbacks: _fallbacks, ...rest } = fields;
  const set = new Map([['model', JSON.stringify(rest['model'])]]);
  return { fields: rest, body: editObject(body, { set, remove: new Set(LISTS), rename: new Map() }) };
}
