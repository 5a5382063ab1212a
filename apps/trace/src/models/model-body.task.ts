import { type JsonObject, type JsonValue, ModelCreateDto, RESERVED_MODEL_KEYS, valueIssue } from '@hone/contracts';
import { objectClassOf, toModelVal } from '@hone/objects/content';
import { bodyTask, ValidationError } from '@hone/platform/body-task';

import { internalRefIssues } from '../objects/internal-refs.js';
import { type SentVersion, toSentVersion } from '../typed-objects/sent-version.js';
import { readTask } from '../typed-objects/stored-version.js';
import { MODEL } from './model.mapper.js';

export const TASK = bodyTask({
  type: ModelCreateDto,
  module: import.meta.url,
  digest(body: ModelCreateDto, _issues, _sent, refScheme): SentVersion {
    assertFreeKeys(body.attributes ?? {});
    const val = toModelVal(body);
    assertNoOp(val);
    return toSentVersion(MODEL.noun, { name: body.name, val, sourceCode: body.source_code }, refScheme);
  },
});

export const READ = readTask(MODEL, import.meta.url);

function assertFreeKeys(attributes: Record<string, unknown>): void {
  const issues = Object.keys(attributes).flatMap((key) =>
    RESERVED_MODEL_KEYS.includes(key)
      ? [valueIssue('This key is reserved', ['body', 'attributes', key])]
      : internalRefIssues(attributes[key] as JsonValue, ['body', 'attributes', key]),
  );
  if (issues.length) throw new ValidationError(issues);
}

/** An attribute `weave_type` can say that a value is an op, which no endpoint of models would find. */
function assertNoOp(val: JsonObject): void {
  if (objectClassOf(val).kind === 'op')
    throw new ValidationError([
      valueIssue('A model should not have the type of an op', ['body', 'attributes', 'weave_type']),
    ]);
}
