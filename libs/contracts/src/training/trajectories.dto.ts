import { IsOptional } from 'class-validator';

import { type Issue, issue, MAX_ISSUES, tooManyIssue } from '../issues/issue.js';
import { asNumber, isJsonObject } from '../json/index.js';
import { IsDateTime } from '../names/date-time.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, MayOmit, NestedList, type Rule } from '../validation/rule.js';
import { IsInteger, IsJsonObject, IsJsonValue, IsNumber, listRule, mapRule } from '../validation/rules.js';

/** Most of each in one call. */
export const MAX_GROUPS = 4_096;
export const MAX_TRAJECTORIES = 16_384;
export const MAX_HISTORY_ITEMS = 10_000;
export const MAX_ADDITIONAL_HISTORIES = 256;

const INT32 = { min: -2_147_483_648, max: 2_147_483_647 };

/**
 * What is wrong with an item of a history. It is a Choice when it has a `message` that is an object and a
 * `finish_reason`; else a message, which has a role.
 */
function itemIssues(item: unknown): Issue[] {
  if (!isJsonObject(item)) return [issue('dict_type')];
  if (isJsonObject(item['message']) && Object.hasOwn(item, 'finish_reason')) return [];
  const role = Object.hasOwn(item, 'role') ? item['role'] : undefined;
  if (typeof role === 'string') return [];
  return [issue(role === undefined ? 'missing' : 'string_type', ['role'])];
}

const ITEMS: Rule = {
  name: 'isHistory',
  issues(value) {
    if (!Array.isArray(value)) return [issue('list_type')];
    if (value.length > MAX_HISTORY_ITEMS) return [tooManyIssue(MAX_HISTORY_ITEMS)];
    const issues: Issue[] = [];
    for (const [index, item] of value.entries()) {
      for (const found of itemIssues(item)) issues.push({ ...found, loc: [index, ...found.loc] });
      if (issues.length >= MAX_ISSUES) break;
    }
    return issues;
  },
  schema: {
    type: 'array',
    maxItems: MAX_HISTORY_ITEMS,
    items: {
      anyOf: [
        {
          type: 'object',
          required: ['role'],
          properties: { role: { type: 'string', description: 'Who speaks: the item is a message.' } },
        },
        {
          type: 'object',
          required: ['message', 'finish_reason'],
          properties: {
            message: { type: 'object', description: 'What the model answered: the item is a Choice.' },
            finish_reason: { description: 'Why the answer ended; any JSON.' },
          },
        },
      ],
    },
  },
};

const OBJECTS = listRule({
  name: 'isAnyObject',
  issues: (value) => (isJsonObject(value) ? [] : [issue('dict_type')]),
  schema: { type: 'object', additionalProperties: true },
});

const ANYTHING = listRule({ name: 'isAnything', issues: () => [], schema: {} });

const METRICS = mapRule({
  name: 'isMetric',
  issues(value) {
    if (typeof value === 'boolean') return [];
    const number = asNumber(value);
    if (number === undefined) return [issue('float_type')];
    return Number.isFinite(number) ? [] : [issue('finite_number')];
  },
  schema: { type: ['number', 'boolean'] },
  coerce: (value) => asNumber(value) ?? value,
});

/** At most so many items of a list; whether it is one, another rule says. */
const atMost = (max: number): PropertyDecorator =>
  fromRule({
    name: 'isShortList',
    issues: (value) => (Array.isArray(value) && value.length > max ? [tooManyIssue(max)] : []),
    schema: { maxItems: max },
  });

const countTrajectories = (groups: readonly unknown[]): number =>
  groups.reduce<number>((sum, group) => {
    const trajectories = isJsonObject(group) ? group['trajectories'] : undefined;
    return sum + (Array.isArray(trajectories) ? trajectories.length : 0);
  }, 0);

const FEW_TRAJECTORIES: Rule = {
  name: 'isFewTrajectories',
  issues: (value) =>
    Array.isArray(value) && countTrajectories(value) > MAX_TRAJECTORIES
      ? [{ loc: [], msg: `At most ${MAX_TRAJECTORIES} trajectories in one call`, type: 'too_many' }]
      : [],
  schema: {},
};

/** One conversation of a rollout. */
@AcceptsUnknownFields()
export class HistoryDto {
  /**
   * Messages as they were sent to the model, and Choices as it answered: an item with `message` and `finish_reason` is
   * a Choice, which is trained when it carries log-probabilities. Absent: none.
   */
  @MayOmit() @fromRule(ITEMS) messages_and_choices?: object[];
  /** Functions that the model could call, as the chat completion took them. Absent or null: none. */
  @IsOptional() @fromRule(OBJECTS) tools?: object[] | null;
}

/** One rollout and what it was worth. Fields that are not declared here are kept. */
@AcceptsUnknownFields()
export class TrajectoryDto extends HistoryDto {
  /** Further conversations of the same rollout, at most 256. Absent: none. */
  @MayOmit()
  @NestedList(() => HistoryDto)
  @atMost(MAX_ADDITIONAL_HISTORIES)
  additional_histories?: HistoryDto[];
  /** What the rollout was worth. Absent: 0. */
  @MayOmit() @IsNumber() reward?: number;
  /** Step of the checkpoint that answered first, 32-bit. Absent or null: not known. */
  @IsOptional() @IsInteger(INT32) initial_policy_version?: number | null;
  /** Step of the checkpoint that answered last, 32-bit. Absent or null: not known. */
  @IsOptional() @IsInteger(INT32) final_policy_version?: number | null;
  /** Metric name -> number, or true and false for 1 and 0. Absent: none. */
  @MayOmit() @fromRule(METRICS) metrics?: Record<string, number | boolean>;
  /** JSON object, kept unread. Absent: none. */
  @MayOmit() @IsJsonObject() metadata?: Record<string, unknown>;
  /** List of any JSON, kept unread. Absent: none. */
  @MayOmit() @fromRule(ANYTHING) logs?: unknown[];
  /** When the rollout began, ISO 8601. Absent: when it arrived. */
  @MayOmit() @IsDateTime() start_time?: string;
}

/** Rollouts that are compared with each other. `{}` is an empty group; fields that are not declared here are kept. */
@AcceptsUnknownFields()
@Example({
  trajectories: [{ messages_and_choices: [{ role: 'user', content: 'repeat: cat' }], reward: 1 }, { reward: 0 }],
})
export class TrajectoryGroupDto {
  /** Rollouts of the group. Absent: none. */
  @MayOmit() @NestedList(() => TrajectoryDto) trajectories?: TrajectoryDto[];
  /** Rollouts that failed, any JSON each; only their number counts. Absent: none. */
  @MayOmit() @fromRule(ANYTHING) exceptions?: unknown[];
  /** Metrics of the group as a whole: name -> number, or true and false for 1 and 0. Absent: none. */
  @MayOmit() @fromRule(METRICS) metrics?: Record<string, number | boolean>;
  /** Any JSON, kept unread. Absent: none. */
  @MayOmit() @IsJsonValue() metadata?: unknown;
  /** Any JSON, kept unread. Absent: none. */
  @MayOmit() @IsJsonValue() logs?: unknown;
}

/** Groups of trajectories, within the limits of one call. */
export const IsTrajectoryGroups = (): PropertyDecorator => (target, key) => {
  atMost(MAX_GROUPS)(target, key);
  fromRule(FEW_TRAJECTORIES)(target, key);
  NestedList(() => TrajectoryGroupDto)(target, key);
};
