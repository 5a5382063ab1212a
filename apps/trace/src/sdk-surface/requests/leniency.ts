import {
  asNumber,
  BESIDE,
  CallDto,
  CallEndDto,
  CallHalfDto,
  CallsQueryDto,
  CallStartDto,
  type Class,
  CompletedCallDto,
  CostCreateDto,
  CostPriceDto,
  FeedbackCreateDto,
  FeedbackQueryDto,
  FeedbackRecordDto,
  FeedbackReplaceDto,
  fieldsOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ObjectQueryDto,
  ProjectCallEndDto,
  ProjectCallStartDto,
  toStorableText,
} from '@hone/contracts';

import { EXTRAS, EXTRAS_PREFIX } from '../names.js';

/** Most code points of the texts of a call: longer ones are cut, because a refusal would lose the call. */
const CALL_TEXTS: Readonly<Record<string, number>> = {
  op_name: 512,
  display_name: 1_024,
  exception: Infinity,
  trace_id: 128,
  thread_id: 128,
  turn_id: 128,
  run_id: 128,
};
const CALL_OBJECTS: Readonly<Record<'start' | 'end' | 'whole', readonly string[]>> = {
  start: ['attributes', 'inputs'],
  end: ['summary'],
  whole: ['attributes', 'inputs', 'summary'],
};
const CALL_STEPS = ['run_step', 'run_step_end'];
/** Most code points of a text beside the fields of feedback. */
const MAX_EXTRA = 1_024;
const MAX_INT32 = 2_147_483_647;
const OBJECT_SORT_FIELDS = new Set<unknown>(['object_id', 'created_at']);

/** Members of objects that a class leaves free: their classes by class, field and key. */
export const PARTS = new Map<Class, Readonly<Record<string, Readonly<Record<string, Class>>>>>([
  [CallHalfDto, { req: { start: CallStartDto, end: CallEndDto } }],
]);

/** The same for maps from any key to a class. */
export const MAPS = new Map<Class, Readonly<Record<string, Class>>>([[CostCreateDto, { costs: CostPriceDto }]]);

/** What SDKs send that the handlers would refuse, and that has a good meaning: changes a body that is translated. */
export const LENIENCY = new Map<Class, (body: JsonObject, sent: JsonObject) => void>([
  [CallStartDto, (body) => mendCall(body, 'start')],
  [ProjectCallStartDto, (body) => mendCall(body, 'start')],
  [CallEndDto, (body) => mendCall(body, 'end')],
  [ProjectCallEndDto, (body) => mendCall(body, 'end')],
  [CompletedCallDto, (body) => mendCall(body, 'whole')],
  [ObjectQueryDto, ignoreUnknownOrder],
  [CallsQueryDto, ignoreUnknownColumns],
  [CostPriceDto, withoutUnsetPrices],
  [FeedbackCreateDto, keepExtras],
  [FeedbackReplaceDto, keepExtras],
  [FeedbackQueryDto, askForExtras],
]);

/** SDKs send 0 for prices that nobody set. */
function withoutUnsetPrices(price: JsonObject): void {
  for (const name of ['cache_read_input_token_cost', 'cache_creation_input_token_cost'])
    if (asNumber(price[name]) === 0) price[name] = null;
}

/** A client whose batches are refused drops them, or ends its process: odd calls are stored as well as they can be. */
function mendCall(call: JsonObject, half: keyof typeof CALL_OBJECTS): void {
  for (const name of CALL_OBJECTS[half]) call[name] ??= {};
  for (const [name, max] of Object.entries(CALL_TEXTS)) {
    const text = call[name];
    if (typeof text === 'string') call[name] = storable(text, max) || (name === 'op_name' ? 'unknown' : null);
  }
  if (call['parent_id'] === '') call['parent_id'] = null;
  for (const name of CALL_STEPS) if (name in call && !isStep(call[name])) call[name] = null;
}

/** Without U+0000 and unpaired surrogates, and cut after so many code points. */
function storable(text: string, max: number): string {
  const whole = toStorableText(text);
  return whole.length > max ? [...whole.slice(0, max * 2)].slice(0, max).join('') : whole;
}

const isStep = (value: JsonValue | undefined): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INT32;

/** Orders by fields that nobody knows are no orders. */
function ignoreUnknownOrder(query: JsonObject): void {
  const order = query['sort_by'];
  if (!Array.isArray(order)) return;
  query['sort_by'] = order.filter((one) => !isJsonObject(one) || OBJECT_SORT_FIELDS.has(one['field']));
}

/** Columns that only another server knows are left out of the answer. */
function ignoreUnknownColumns(query: JsonObject): void {
  const { columns } = query;
  if (!Array.isArray(columns) || columns.length === 0) return;
  const known = new Set<unknown>(fieldsOf(CallDto).map(({ name }) => name));
  query['columns'] = ['id', ...columns].filter((name, index) => {
    const column = typeof name === 'string' ? name.split('.', 1)[0] : name;
    return (index === 0 || name !== 'id') && (typeof name !== 'string' || known.has(column));
  });
}

/** Texts beside the fields travel beside the body. */
function keepExtras(feedback: JsonObject, sent: JsonObject): void {
  const extras: Record<string, string> = {};
  for (const [name, absent] of EXTRAS) {
    const text = Object.hasOwn(sent, name) ? sent[name] : absent;
    if (typeof text === 'string' && text !== absent) extras[name] = storable(text, MAX_EXTRA);
  }
  if (Object.keys(extras).length > 0) (feedback as { [BESIDE]?: unknown })[BESIDE] = extras;
}

/** The SDKs read them with all the other fields. */
function askForExtras(query: JsonObject): void {
  const { fields } = query;
  if (Array.isArray(fields) && fields.length > 0) return;
  query['fields'] = [
    ...fieldsOf(FeedbackRecordDto).map(({ name }) => name),
    ...[...EXTRAS.keys()].map((name) => EXTRAS_PREFIX + name),
  ];
}
