import { asNumber, isJsonObject, type JsonValue } from '@hone/contracts';
import { EVALUATION_CLASS } from '@hone/objects/content';

import { textOrNull, type TypedKind } from '../typed-objects/typed-kind.js';
import { EvaluationNotFoundError } from './evaluation.errors.js';

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

const textsOf = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Values that other endpoints stored may have anything there. */
function trialsOf(value: JsonValue | undefined): number {
  const trials = asNumber(value);
  return trials !== undefined && Number.isSafeInteger(trials) && trials >= 1 ? trials : 1;
}
