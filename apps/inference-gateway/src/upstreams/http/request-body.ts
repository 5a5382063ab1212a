import { editObject } from '../json/splice.js';
import type { ChatRequest } from '../target.js';
import type { ParameterRules } from './parameters.js';

/** Whose habits an upstream has. */
export type Dialect = 'vllm' | 'openai' | 'generic';

/**
 * Where an upstream's counts come from: asked for in `stream_options`, told unasked, or nowhere. Bodies that are no
 * streams are read for them in any case.
 */
export type UsageHabit = 'include' | 'native' | 'none';

export interface BodyRules {
  /** The model's name at the upstream. */
  readonly model: string;
  readonly dialect: Dialect;
  readonly usage: UsageHabit;
  readonly parameters: ParameterRules;
}

/** The caller's body as an upstream gets it: spliced where it must differ, else byte for byte. */
export function requestBody(request: ChatRequest, { model, dialect, usage, parameters }: BodyRules): Buffer {
  const { fields, overrides } = request;
  const set = new Map<string, string>();
  for (const [field, value] of Object.entries(overrides)) set.set(field, JSON.stringify(value));
  if (fields.model !== model) set.set('model', JSON.stringify(model));
  if (request.isStream && usage === 'include') set.set('stream_options', withUsage(fields.stream_options));
  const remove = new Set(parameters.fit(fields).removable);
  if (usage === 'none' && 'stream_options' in fields) remove.add('stream_options');
  for (const field of remove) set.delete(field);
  const rename = new Map<string, string>();
  if (dialect === 'vllm' && 'engine_xargs' in fields) rename.set('engine_xargs', 'vllm_xargs');
  return editObject(request.body, { set, remove, rename });
}

const withUsage = (options: unknown): string => JSON.stringify({ ...(options as object | null), include_usage: true });
