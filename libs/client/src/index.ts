export type { ChatCompletionChunk, ChatMessage, ChatTool, Issue } from '@hone/contracts';
export { isJsonObject, JsonNumber, parseJson, stringifyJson } from '@hone/json';
export {
  CsvError,
  type CsvDelimiter,
  type CsvOptions,
  type CsvTable,
  type CsvType,
  type CsvTypes,
  type CsvValue,
  decodeText,
  readCsv,
  TextEncodingError,
  type TextEncodingName,
  writeCsv,
} from '@hone/contracts/csv';
export type * from './endpoints/bodies.generated.js';
export type { AccountsEndpoints } from './endpoints/accounts.generated.js';
export type { EvaluationEndpoints } from './endpoints/evaluation.generated.js';
export type { TraceEndpoints } from './endpoints/trace.generated.js';
export * from './errors/hone-error.js';
export type { TrainingJobStanding, TrainingJobUpdate } from './follow-training-job.js';
export { Hone, type Inference, type Training } from './hone.js';
export type { AnswerEvent } from './stream-answers.js';
export type { HoneOptions, RawBody, RequestOptions } from './transport/request-options.js';
