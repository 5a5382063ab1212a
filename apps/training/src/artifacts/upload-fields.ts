import { isJsonObject, issue, isUuid, JsonParseError, parseJson, searchableText, stringifyJson } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

const MAX_LEVELS = 64;

/** The fields of an upload beside its files. */
export interface UploadFields {
  /** JSON text of an object, fit for the database. */
  metadata: string;
  /** Null: the artifact belongs to no model. */
  modelId: string | null;
}

/** @throws ValidationError `metadata` is no JSON object, or `model_id` no id */
export function readFields(fields: ReadonlyMap<string, string>): UploadFields {
  const modelId = fields.get('model_id') || null;
  if (modelId !== null && !isUuid(modelId)) throw new ValidationError([issue('uuid_parsing', ['body', 'model_id'])]);
  return { metadata: readMetadata(fields.get('metadata') ?? '{}'), modelId: modelId?.toLowerCase() ?? null };
}

function readMetadata(text: string): string {
  const loc = ['body', 'metadata'];
  try {
    const metadata = parseJson(text, { maxLevels: MAX_LEVELS });
    if (!isJsonObject(metadata)) throw new ValidationError([issue('dict_type', loc)]);
    return searchableText(metadata, stringifyJson(metadata));
  } catch (error) {
    throw error instanceof JsonParseError ? new ValidationError([error.toIssue(loc)]) : error;
  }
}
