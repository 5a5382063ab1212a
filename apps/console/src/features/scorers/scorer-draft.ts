import type {
  CheckDto,
  HttpScorerDto,
  JudgeDto,
  JudgeMessageDto,
  JudgeRatingDto,
  JudgeTagDto,
  ScorerDefinitionDto,
} from '@hone/client';

import { prettyJson } from '../../shared/format/preview.js';
import { type DraftMessage, newDraft, toDraft as toMessageDraft } from '../../shared/messages/draft.js';
import { fromExpression, toExpression } from '../../shared/query/expression.js';
import { parseQuery } from '../../shared/query/parse.js';
import { printQuery } from '../../shared/query/print.js';
import { type PairwiseDraft, toPairwise, toPairwiseDraft } from './pairwise-draft.js';

export type Check = CheckDto['check'];
export type CheckField = Exclude<keyof CheckDto, 'check'>;

/** Fields that each check has, in the order in which one fills them in. */
export const CHECK_FIELDS: Readonly<Record<Check, readonly CheckField[]>> = {
  exact: ['value', 'reference', 'ignore_case', 'of'],
  contains: ['value', 'reference', 'ignore_case', 'of'],
  regex: ['pattern', 'of'],
  json_schema: ['schema', 'of'],
  json_equal: ['value', 'reference', 'of'],
  numeric: ['value', 'reference', 'abs', 'rel', 'of'],
  edit_distance: ['value', 'reference', 'max', 'ignore_case', 'of'],
  latency: ['max'],
  cost: ['max'],
  tool_called: ['tool'],
  language: ['language', 'of'],
  expression: ['query'],
};

/** Checks whose value is any JSON; that of others is text. */
const JSON_VALUES: readonly Check[] = ['json_equal', 'numeric'];

export interface RatingDraft {
  readonly name: string;
  readonly min: string;
  readonly max: string;
  readonly description: string;
  /** One line for each step that has a meaning, such as `5: as good as an expert's`. */
  readonly steps: string;
}

export interface TagDraft {
  readonly name: string;
  readonly description: string;
}

export interface CheckDraft {
  readonly kind: 'check';
  readonly check: Check;
  /** Fields as they are typed; what is absent is empty. */
  readonly fields: Readonly<Partial<Record<CheckField, string>>>;
}

export interface JudgeDraft {
  readonly kind: 'llm';
  readonly model: string;
  readonly messages: readonly DraftMessage[];
  readonly ratings: readonly RatingDraft[];
  readonly tags: readonly TagDraft[];
  readonly reference: string;
  readonly votes: string;
  readonly temperature: string;
  /** What the form has no field for stays as it is. */
  readonly others: Pick<JudgeDto, 'seed' | 'max_tokens' | 'expected'>;
}

export interface ServerRatingDraft {
  readonly name: string;
  /** '': any number; then `max` is '', too. */
  readonly min: string;
  readonly max: string;
}

export interface ServerDraft {
  readonly kind: 'http';
  readonly url: string;
  readonly ratings: readonly ServerRatingDraft[];
  /** Separated by commas. */
  readonly tags: string;
  /** Milliseconds. */
  readonly timeout: string;
}

/** The definition of a scorer while somebody edits it. */
export type ScorerDraft = CheckDraft | JudgeDraft | ServerDraft | PairwiseDraft;

export const EMPTY_RATING: RatingDraft = { name: '', min: '1', max: '5', description: '', steps: '' };
export const EMPTY_TAG: TagDraft = { name: '', description: '' };

export const EMPTY_SERVER_RATING: ServerRatingDraft = { name: '', min: '0', max: '1' };

/** A server with one rating, to begin with. */
export const NEW_SERVER: ServerDraft = {
  ...{ kind: 'http', url: 'https://', tags: '', timeout: '' },
  ratings: [{ ...EMPTY_SERVER_RATING, name: 'score' }],
};

export const EMPTY_CHECK: CheckDraft = { kind: 'check', check: 'contains', fields: {} };

/** A check of a text, to begin with. */
export const NEW_CHECK: CheckDraft = { ...EMPTY_CHECK, fields: { value: 'thank', ignore_case: 'true' } };

/** A judge with one question, to begin with. */
export const emptyJudge = (model: string): JudgeDraft => ({
  kind: 'llm',
  model,
  messages: [
    { ...newDraft('user'), content: 'What was asked:\n{{messages}}\n\nThe answer:\n{{output}}\n\nIs the answer good?' },
  ],
  ratings: [],
  tags: [{ name: 'good', description: 'The answer does what was asked, and nothing in it is wrong.' }],
  ...{ reference: '', votes: '', temperature: '', others: {} },
});

export function toDraft({ check, llm, http, pairwise }: ScorerDefinitionDto): ScorerDraft {
  if (pairwise) return toPairwiseDraft(pairwise);
  if (llm) return toJudgeDraft(llm);
  if (http) return toServerDraft(http);
  if (!check) return EMPTY_CHECK;
  const { check: name, ...fields } = check;
  const texts = Object.entries(fields).flatMap(([field, value]) =>
    (value ?? null) === null ? [] : [[field, toText(name, field as CheckField, value)]],
  );
  return { kind: 'check', check: name, fields: Object.fromEntries(texts) };
}

function toText(check: Check, field: CheckField, value: unknown): string {
  if (field === 'query') {
    const { $expr: expression } = value as { $expr?: unknown };
    const query = fromExpression(expression);
    return query === null ? prettyJson(expression) : printQuery(query);
  }
  const isText = typeof value === 'string' && !(field === 'value' && JSON_VALUES.includes(check));
  return isText ? value : prettyJson(value);
}

function toJudgeDraft({
  model,
  messages,
  ratings,
  tags,
  reference,
  votes,
  temperature,
  ...others
}: JudgeDto): JudgeDraft {
  const text = (value: number | string | null | undefined) => String(value ?? '');
  return {
    ...{ kind: 'llm', model, messages: messages.map(({ role, content }) => toMessageDraft({ role, content })) },
    ratings: (ratings ?? []).map(({ name, min, max, description, steps }) => ({
      ...{ name, min: String(min), max: String(max), description: description ?? '' },
      steps: Object.entries(steps ?? {})
        .sort(([a], [b]) => Number(a) - Number(b))
        .map(([step, meaning]) => `${step}: ${meaning}`)
        .join('\n'),
    })),
    tags: (tags ?? []).map(({ name, description }) => ({ name, description: description ?? '' })),
    ...{ reference: text(reference), votes: text(votes), temperature: text(temperature), others },
  };
}

const toServerDraft = ({ url, ratings, tags, timeout_ms }: HttpScorerDto): ServerDraft => ({
  ...{ kind: 'http', url, tags: (tags ?? []).join(', '), timeout: String(timeout_ms ?? '') },
  ratings: (ratings ?? []).map(({ name, min, max }) => ({ name, min: String(min ?? ''), max: String(max ?? '') })),
});

/** What the service is sent, which says what else is wrong. @throws Error a sentence about a field that cannot be read */
export function toDefinition(draft: ScorerDraft): ScorerDefinitionDto {
  switch (draft.kind) {
    case 'check':
      return { kind: 'check', check: toCheck(draft) };
    case 'llm':
      return { kind: 'llm', llm: toJudge(draft) };
    case 'http':
      return { kind: 'http', http: toServer(draft) };
    case 'pairwise':
      return { kind: 'pairwise', pairwise: toPairwise(draft) };
  }
}

function toServer({ url, ratings, tags, timeout }: ServerDraft): HttpScorerDto {
  const names = tags.split(',').map((tag) => tag.trim());
  return {
    url: url.trim(),
    ...(ratings.length > 0 && {
      ratings: ratings.map(({ name, min, max }) => ({
        name: name.trim(),
        ...(min.trim() !== '' && { min: toNumber(min, 'The least number') }),
        ...(max.trim() !== '' && { max: toNumber(max, 'The largest number') }),
      })),
    }),
    ...(names.some(Boolean) && { tags: names.filter(Boolean) }),
    ...(timeout.trim() !== '' && { timeout_ms: toNumber(timeout, 'The time for an answer') }),
  };
}

function toCheck({ check, fields }: CheckDraft): CheckDto {
  const given = CHECK_FIELDS[check].flatMap((field) => {
    const text = fields[field] ?? '';
    return text.trim() === '' ? [] : [[field, toValue(check, field, text)]];
  });
  return { check, ...(Object.fromEntries(given) as Partial<CheckDto>) };
}

function toValue(check: Check, field: CheckField, text: string): unknown {
  switch (field) {
    case 'value':
      return JSON_VALUES.includes(check) ? readJson(text, 'The expected value') : text;
    case 'schema':
      return readJson(text, 'The schema');
    case 'abs':
    case 'rel':
    case 'max':
      return toNumber(text, 'A limit');
    case 'ignore_case':
      return text === 'true';
    case 'query':
      return { $expr: isExpression(text) ? readJson(text, 'The condition') : toExpressionOf(text) };
    default:
      return text;
  }
}

/** Whether a condition is written as the interface has it: the query line cannot say it. */
export const isExpression = (text: string): boolean => text.trimStart().startsWith('{');

function toExpressionOf(text: string): unknown {
  const query = parseQuery(text);
  if (query === null) throw new Error('The condition says nothing.');
  return toExpression(query);
}

function toJudge({ model, messages, ratings, tags, reference, votes, temperature, others }: JudgeDraft): JudgeDto {
  return {
    model,
    messages: messages.map(({ role, content }): JudgeMessageDto => ({
      role: role as JudgeMessageDto['role'],
      content,
    })),
    ...(ratings.length > 0 && { ratings: ratings.map(toRating) }),
    ...(tags.length > 0 && { tags: tags.map(toTag) }),
    ...(reference.trim() !== '' && { reference: reference.trim() }),
    ...(votes.trim() !== '' && { votes: toNumber(votes, 'The number of votes') }),
    ...(temperature.trim() !== '' && { temperature: toNumber(temperature, 'The temperature') }),
    ...others,
  };
}

function toRating({ name, min, max, description, steps }: RatingDraft): JudgeRatingDto {
  const meanings = steps.split('\n').filter((line) => line.trim() !== '');
  return {
    ...{ name: name.trim(), min: toNumber(min, 'The least number'), max: toNumber(max, 'The largest number') },
    ...(description.trim() !== '' && { description: description.trim() }),
    ...(meanings.length > 0 && { steps: Object.fromEntries(meanings.map(toStep)) }),
  };
}

function toStep(line: string): [string, string] {
  const [, step, meaning] = /^\s*(-?\d+)\s*[:=]\s*(.*)$/.exec(line) ?? [];
  if (step === undefined || meaning === undefined)
    throw new Error(`“${line.slice(0, 60)}” is no step: write 5: what it means.`);
  return [step, meaning.trim()];
}

const toTag = ({ name, description }: TagDraft): JudgeTagDto => ({
  name: name.trim(),
  ...(description.trim() !== '' && { description: description.trim() }),
});

function toNumber(text: string, what: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new Error(`${what} is no number.`);
  return number;
}

function readJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${what} is no JSON: ${(error as Error).message}.`, { cause: error });
  }
}
