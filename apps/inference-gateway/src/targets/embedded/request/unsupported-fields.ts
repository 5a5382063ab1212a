import type { ChatCompletionRequestDto } from '@hone/contracts';

import type { EmbeddedBase } from '../embedded-base.js';

type Fields = ChatCompletionRequestDto & Readonly<Record<string, unknown>>;
type Check = (fields: Fields, base: EmbeddedBase) => boolean;

const isSet = (value: unknown): boolean => value !== undefined && value !== null;
const isFilled = (value: unknown): boolean =>
  isSet(value) && (typeof value !== 'object' || Object.keys(value as object).length > 0);
/** Values of `structured_outputs._backend` that mean this engine. */
const BACKENDS = ['auto', 'hone'];

/** Field -> whether its value needs a feature that the engine does not have. */
const CHECKS: Readonly<Record<string, Check>> = {
  use_beam_search: ({ use_beam_search: wanted }) => wanted === true,
  length_penalty: ({ length_penalty: penalty }) => isSet(penalty) && penalty !== 1,
  structured_outputs: ({ structured_outputs: outputs }) =>
    !!outputs &&
    (isSet(outputs.grammar) ||
      isSet(outputs.structural_tag) ||
      (isSet(outputs._backend) && !BACKENDS.includes(outputs._backend as string))),
  response_format: ({ response_format: format }) => format?.type === 'structural_tag',
  audio: ({ audio }) => isSet(audio),
  modalities: ({ modalities }) => isSet(modalities) && !(Array.isArray(modalities) && modalities.every(isText)),
  chat_template: ({ chat_template: template }) => isSet(template),
  documents: ({ documents }, { readsDocuments }) => isFilled(documents) && !readsDocuments,
  mm_processor_kwargs: ({ mm_processor_kwargs: kwargs }) => isFilled(kwargs),
  kv_transfer_params: ({ kv_transfer_params: params }) => isFilled(params),
  engine_xargs: ({ engine_xargs: args }) => isFilled(args),
  tools: ({ tools, tool_choice: choice }, { toolCallForm }) =>
    isSet(tools) && choice !== 'none' && (!toolCallForm || !!tools?.some(({ type }) => type === 'custom')),
};

const isText = (modality: unknown): boolean => modality === 'text';

/** Fields that the embedded engine cannot honour and whose values differ from their defaults. */
export function unsupportedFields(fields: ChatCompletionRequestDto, base: EmbeddedBase): string[] {
  return Object.keys(CHECKS).filter((name) => CHECKS[name]?.(fields as Fields, base));
}
