import { asNumber, type EvaluationCreateDto, isJsonObject, type JsonObject, type JsonValue } from '@hone/contracts';

import { ownRef } from '../objects/own-ref.js';
import { classKeys } from '../objects/typed-object.js';
import { textOrNull, type TypedKind } from '../typed-objects/typed-kind.js';
import { EvaluationNotFoundError } from './evaluation.errors.js';

const EVALUATION_CLASS = 'Evaluation';

export const EVALUATION: TypedKind = {
  noun: 'evaluation',
  only: { baseObjectClass: EVALUATION_CLASS },
  notFound: EvaluationNotFoundError,
  toFields: (val) => ({
    dataset: textOrNull(val['dataset']),
    scorers: textsOf(val['scorers']),
    trials: trialsOf(val['trials']),
    evaluation_name: textOrNull(val['evaluation_name']),
    eval_attributes: isJsonObject(val['eval_attributes']) ? val['eval_attributes'] : null,
    // The keys under which SDKs store the methods of an evaluation.
    evaluate_op: textOrNull(val['evaluate']),
    predict_and_score_op: textOrNull(val['predict_and_score']),
    summarize_op: textOrNull(val['summarize']),
  }),
};

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

const textsOf = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Values that other endpoints stored may have anything there. */
function trialsOf(value: JsonValue | undefined): number {
  const trials = asNumber(value);
  return trials !== undefined && Number.isSafeInteger(trials) && trials >= 1 ? trials : 1;
}
