import { editObject } from '@hone/json/bytes';

import { CHAT, isNative } from '../../../shared/endpoint.js';
import type { ChatRequest } from '../../target.js';
import type { Dialect } from './dialect.js';
import { formBody } from './form-body.js';
import { hintsIn } from './gemini-fields.js';
import type { ParameterRules } from './parameters.js';
import { emptyToolFields, toolFieldsFor } from './tool-dialect.js';

/**
 * Source of the usage in streams: requested with `stream_options`, always sent, or never sent. Other responses are
 * always read for their usage.
 */
export type UsageHabit = 'include' | 'native' | 'none';

export interface BodyRules {
  /** The model's name at the upstream. */
  readonly model: string;
  readonly dialect: Dialect;
  readonly usage: UsageHabit;
  readonly parameters: ParameterRules;
}

/**
 * The caller's body for an upstream: edited where it must differ, otherwise byte for byte the same.
 *
 * @param more fields that the gateway asks for on its own, with their JSON
 */
export function requestBody(
  request: ChatRequest,
  { model, dialect, usage, parameters }: BodyRules,
  more: readonly (readonly [string, string])[] = [],
): Buffer {
  const { fields, overrides, endpoint, media } = request;
  if (media?.form !== undefined) return formBody(media.form, model);
  if (isNative(endpoint) || media !== undefined)
    return fields.model === model ? request.body : withModel(request.body, model);
  const set: (readonly [string, string])[] = [];
  for (const field in overrides) set.push([field, JSON.stringify(overrides[field])]);
  if (fields.model !== model) set.push(['model', JSON.stringify(model)]);
  if (request.isStream && usage === 'include') set.push(['stream_options', withUsage(fields.stream_options)]);
  set.push(...toolFieldsFor(dialect, fields), ...more);
  const remove = endpoint === CHAT ? [...parameters.fit(fields).removable, ...emptyToolFields(fields)] : [];
  if (dialect === 'gemini') remove.push(...hintsIn(fields));
  if (usage === 'none' && 'stream_options' in fields) remove.push('stream_options');
  const isRenamed = dialect === 'vllm' && 'engine_xargs' in fields;
  if (set.length === 0 && remove.length === 0 && !isRenamed) return request.body;
  return editObject(request.body, {
    set: new Map(set.filter(([field]) => !remove.includes(field))),
    remove: new Set(remove),
    rename: new Map(isRenamed ? [['engine_xargs', 'vllm_xargs']] : []),
  });
}

const withModel = (body: Buffer, model: string): Buffer =>
  editObject(body, { set: new Map([['model', JSON.stringify(model)]]), remove: new Set(), rename: new Map() });

const withUsage = (options: unknown): string => JSON.stringify({ ...(options as object | null), include_usage: true });
