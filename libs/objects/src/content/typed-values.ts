import { type EvaluationCreateDto, type JsonObject, type ModelCreateDto, ownRef, setKey } from '@hone/contracts';

/** The keys by which a stored value names its class. */
export const classKeys = (className: string): JsonObject => ({
  _type: className,
  _class_name: className,
  _bases: ['Object', 'BaseModel'],
});

/** The ref of a version, as this server writes it. */
export const versionRef = (
  scheme: string,
  projectId: string,
  { kind, objectId, digest }: { kind: 'object' | 'op'; objectId: string; digest: string },
): string => `${scheme}:///${projectId}/${kind}/${encodeURIComponent(objectId)}:${digest}`;

export const MODEL_CLASS = 'Model';
export const EVALUATION_CLASS = 'Evaluation';

/** The value under which a model is stored, but for its files. */
export function toModelVal(body: Pick<ModelCreateDto, 'name' | 'description' | 'attributes'>): JsonObject {
  const val: JsonObject = { ...classKeys(MODEL_CLASS), name: body.name, description: body.description ?? null };
  for (const [key, value] of Object.entries(body.attributes ?? {})) setKey(val, key, value);
  return val;
}

/** The value under which an evaluation is stored. @param scheme of its refs */
export const toEvaluationVal = (body: EvaluationCreateDto, scheme: string): JsonObject => ({
  ...classKeys(EVALUATION_CLASS),
  name: body.name,
  description: body.description ?? null,
  dataset: ownRef(body.dataset, scheme),
  scorers: (body.scorers ?? []).map((ref) => ownRef(ref, scheme)),
  trials: body.trials ?? 1,
  evaluation_name: body.evaluation_name ?? null,
  eval_attributes: (body.eval_attributes as JsonObject | null | undefined) ?? null,
});
