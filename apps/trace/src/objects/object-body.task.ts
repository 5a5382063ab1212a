import {
  isJsonObject,
  type Issue,
  type JsonObject,
  type JsonValue,
  ObjectCreateDto,
  valueIssue,
} from '@hone/contracts';
import { type ObjectContent, toObjectContent } from '@hone/objects/content';
import { bodyTask } from '@hone/platform/body-task';

import { internalRefIssues } from './internal-refs.js';

/** What the server fills into an `AnnotationSpec`. */
const ANNOTATION_SPEC = {
  _type: 'AnnotationSpec',
  _class_name: 'AnnotationSpec',
  _bases: ['BaseObject', 'BaseModel'],
  name: null,
  description: null,
  field_schema: {},
  unique_among_creators: false,
  op_scope: null,
};

/** A version of an object, as a body has it. */
export interface SentObject {
  readonly projectId: string;
  readonly objectId: string;
  /** Null: any. */
  readonly expectedDigest: string | null;
  readonly content: ObjectContent;
}

export const TASK = bodyTask({
  type: ObjectCreateDto,
  module: import.meta.url,
  digest({ obj }: ObjectCreateDto, issues, _sent, refScheme): SentObject {
    const { project_id: projectId, object_id: objectId, expected_digest: expectedDigest = null } = obj;
    return { projectId, objectId, expectedDigest, content: toObjectContent(completedVal(obj, issues), refScheme) };
  },
});

/** The value with the keys of its builtin class. */
function completedVal({ val, builtin_object_class, object_id }: ObjectCreateDto['obj'], issues: Issue[]): JsonValue {
  issues.push(...internalRefIssues(val as JsonValue, ['body', 'obj', 'val']));
  if (builtin_object_class && !isJsonObject(val))
    issues.push(valueIssue(`An ${builtin_object_class} should be an object`, ['body', 'obj', 'val']));
  if (!builtin_object_class || issues.length > 0) return val as JsonValue;
  return { ...ANNOTATION_SPEC, name: object_id, ...(val as JsonObject), ...classKeysOf(ANNOTATION_SPEC) };
}

const classKeysOf = ({ _type, _class_name, _bases }: typeof ANNOTATION_SPEC) => ({ _type, _class_name, _bases });
