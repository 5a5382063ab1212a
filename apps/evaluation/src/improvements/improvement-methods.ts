import {
  type ImproveDto,
  type ImprovementMethod,
  type JsonObject,
  memberOf,
  type TrainingDataKind,
} from '@hone/contracts';

/** A method that trains. */
export type TrainingMethod = Exclude<ImprovementMethod, 'prompt'>;

/** How a method learns. */
interface Method {
  readonly kind: TrainingDataKind;
  /** What makes it learn from a call, as the end of a sentence about calls. */
  readonly from: string;
  /** Members of the request for its data. */
  readonly options: (settings: ImproveDto) => JsonObject;
}

export const METHODS: Readonly<Record<TrainingMethod, Method>> = {
  sft: { kind: 'sft', from: 'have a correction', options: () => ({ corrections: 'only' }) },
  dpo: { kind: 'preference', from: 'are in pairs of a better and a worse answer', options: () => ({}) },
  kto: { kind: 'thumbs', from: 'are liked or disliked', options: () => ({}) },
  rl: {
    kind: 'rl',
    from: "are in groups of the model's own answers with different rewards",
    options: ({ model_id: id }) => ({ model_id: id }),
  },
  distill: {
    kind: 'distill',
    from: 'are answered by the teacher',
    options: ({ data, teacher }) => ofTeacher(data, teacher),
  },
};

function ofTeacher(data: ImproveDto['data'], teacher: ImproveDto['teacher']): JsonObject {
  const source = memberOf((data ?? {}) as JsonObject, 'source');
  const isModel: JsonObject = { $eq: [{ $getField: 'inputs.model' }, { $literal: teacher ?? '' }] };
  const query = memberOf(memberOf(source, 'query'), '$expr');
  const $expr: JsonObject = query === undefined ? isModel : { $and: [query, isModel] };
  return { source: { ...(source as JsonObject | undefined), query: { $expr } } };
}

/** The members of a request for training data that make a method's. */
export function dataRequest(method: TrainingMethod, settings: ImproveDto): JsonObject {
  const { kind, options } = METHODS[method];
  return { source: {}, ...((settings.data ?? {}) as JsonObject), ...options(settings), kind };
}
