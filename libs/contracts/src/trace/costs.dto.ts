import { IsOptional } from 'class-validator';

import { issue, MAX_ISSUES } from '../issues/issue.js';
import { isJsonObject, setKey } from '../json/index.js';
import { IsDateTime } from '../names/date-time.js';
import { IsCallId, IsProjectId } from '../names/names.js';
import { STORABLE_TEXT } from '../patterns/patterns.js';
import { schemaRef } from '../schema/descriptions.js';
import { Example } from '../schema/example.js';
import { check } from '../validation/check.js';
import { fromRule, MayOmit, Nested, NestedList, type Rule } from '../validation/rule.js';
import { IsInteger, IsJsonValue, IsNumber, IsText, textRule } from '../validation/rules.js';
import { CostSortDto, IsCostFieldNames, IsLimit, IsOffset } from './paging.dto.js';
import { CostConditionDto } from './query.dto.js';

/** What a token of a model costs. */
export class CostPriceDto {
  /** US dollars for a token of the prompt, 0 or more. */
  @IsNumber({ min: 0, max: 1e9 }) prompt_token_cost!: number;
  /** US dollars for a token of the completion, 0 or more. */
  @IsNumber({ min: 0, max: 1e9 }) completion_token_cost!: number;
  /** US dollars for a token of the prompt that was read from a cache. Absent or null: as any other token of the prompt. */
  @IsOptional() @IsNumber({ min: 0, max: 1e9 }) cache_read_input_token_cost?: number | null;
  /** US dollars for a token of the prompt that was written into a cache. Absent or null: as any other of the prompt. */
  @IsOptional() @IsNumber({ min: 0, max: 1e9 }) cache_creation_input_token_cost?: number | null;
  /** US dollars for a token of reasoning. Absent or null: as any other token of the completion. */
  @IsOptional() @IsNumber({ min: 0, max: 1e9 }) reasoning_token_cost?: number | null;
  /** Calls that begin from then on have this price, ISO 8601. Absent or null: now. */
  @IsOptional() @IsDateTime() effective_date?: string | null;
  /** Who serves the model, 1 to 128 characters. Absent or null: `default`. */
  @IsOptional() @IsText({ min: 1, max: 128 }) provider_id?: string | null;
}

const MODEL = textRule({ min: 1, max: 256 });

const PRICES: Rule = {
  name: 'isPrices',
  issues(value) {
    if (!isJsonObject(value)) return [issue('dict_type')];
    const issues = Object.keys(value).flatMap((model) => [
      ...MODEL.issues(model).map((one) => ({ ...one, loc: [model] })),
      ...check(CostPriceDto, value[model], [model]).issues,
    ]);
    return issues.slice(0, MAX_ISSUES);
  },
  schema: {
    type: 'object',
    propertyNames: { minLength: 1, maxLength: 256, pattern: STORABLE_TEXT },
    additionalProperties: schemaRef(CostPriceDto),
  },
  parts: () => [CostPriceDto],
  coerce(value) {
    const prices = {};
    for (const [model, price] of Object.entries(value as object))
      setKey(prices, model, check(CostPriceDto, price).value);
    return prices;
  },
};

/** Body of `POST /cost/create`. */
@Example({
  project_id: 'acme/demo',
  costs: {
    'gpt-5': {
      prompt_token_cost: 0.00000125,
      completion_token_cost: 0.00001,
      cache_read_input_token_cost: 0.000000125,
    },
  },
})
export class CostCreateDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Model, as `summary.usage` of calls names it, 1 to 256 characters -> its price. */
  @fromRule(PRICES) costs!: Record<string, CostPriceDto>;
}

/** Answer of `POST /cost/create`. */
export class CostCreateResultDto {
  /** Id and model of each price, in the order of the body. */
  @IsJsonValue({
    type: 'array',
    items: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
  })
  ids!: [id: string, model: string][];
}

/** Body of `POST /cost/query`. */
@Example({
  project_id: 'acme/demo',
  query: { $expr: { $eq: [{ $getField: 'model' }, { $literal: 'gpt-5' }] } },
  sort_by: [{ field: 'effective_date', direction: 'desc' }],
})
export class CostQueryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Columns to answer, at most 1,000. Absent, null or empty: all. */
  @IsOptional() @IsCostFieldNames() fields?: string[] | null;
  /** Condition that the prices meet. Absent or null: none. */
  @IsOptional() @Nested(() => CostConditionDto) query?: CostConditionDto | null;
  /** Columns, the first before the second. Absent or null: `created_at` ascending; ties by `id` ascending. */
  @IsOptional() @NestedList(() => CostSortDto) sort_by?: CostSortDto[] | null;
  /** Most results to answer, 0 to 2,147,483,647. Absent or null: all. */
  @IsLimit() limit?: number | null;
  /** Results to skip, 0 to 2,147,483,647. Absent or null: 0. */
  @IsOffset() offset?: number | null;
}

/** A stored price: all fields, or those that `fields` names. */
export class CostDto {
  /** Id of the price. */
  @MayOmit() @IsCallId() id?: string;
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @MayOmit() @IsProjectId() project_id?: string;
  /** Model that the price is of. */
  @MayOmit() @IsText() model?: string;
  /** Who serves the model. */
  @MayOmit() @IsText() provider_id?: string;
  /** US dollars for a token of the prompt. */
  @MayOmit() @IsNumber({ min: 0 }) prompt_token_cost?: number;
  /** US dollars for a token of the completion. */
  @MayOmit() @IsNumber({ min: 0 }) completion_token_cost?: number;
  /** US dollars for a token of the prompt that was read from a cache. Null: as any other token of the prompt. */
  @MayOmit() @IsOptional() @IsNumber({ min: 0 }) cache_read_input_token_cost?: number | null;
  /** US dollars for a token of the prompt that was written into a cache. Null: as any other token of the prompt. */
  @MayOmit() @IsOptional() @IsNumber({ min: 0 }) cache_creation_input_token_cost?: number | null;
  /** US dollars for a token of reasoning. Null: as any other token of the completion. */
  @MayOmit() @IsOptional() @IsNumber({ min: 0 }) reasoning_token_cost?: number | null;
  /** Calls that begin from then on have this price, ISO 8601 in UTC. */
  @MayOmit() @IsDateTime() effective_date?: string;
  /** When the price was stored, ISO 8601 in UTC. */
  @MayOmit() @IsDateTime() created_at?: string;
  /** Id of the user who stored it. */
  @MayOmit() @IsText() created_by?: string;
}

/** Answer of `POST /cost/query`. */
export class CostQueryResultDto {
  /** The prices, at most `limit` of them. */
  @NestedList(() => CostDto) result!: CostDto[];
  /** Prices that match, whatever `limit` and `offset` say. */
  @IsInteger({ min: 0 }) total_count!: number;
}

/** Body of `POST /cost/purge`. */
@Example({ project_id: 'acme/demo', query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'none' }] } } })
export class CostPurgeDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Which prices are meant: `$eq` of `id` and a literal, `$in` of `id` and literals, or `$or` of these. */
  @Nested(() => CostConditionDto) query!: CostConditionDto;
}
