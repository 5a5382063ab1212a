import { type Issue, issue, type Loc, valueIssue } from '../issues/issue.js';
import { DATE_TIME as PATTERN } from '../patterns/patterns.js';
import { fromRule, type Rule } from '../validation/rule.js';

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-]\d{2}):?(\d{2})?)?$/;

/** Most clients write times as this server does. */
const CANONICAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Times that databases and clients agree on: the years 0001 to 9999 in UTC, as milliseconds of the Unix epoch. */
const MIN_MS = Date.parse('0001-01-01T00:00:00.000Z');
const MAX_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** The time itself, or the end of the years 0001 to 9999 that it is beyond: for times that are computed of others. */
export const withinDateTimes = (date: Date): Date => new Date(Math.min(Math.max(date.getTime(), MIN_MS), MAX_MS));

/** An ISO 8601 date-time in the years 0001 to 9999 of UTC; without an offset it is UTC. Undefined when it is none. */
export function parseDateTime(text: string): Date | undefined {
  const date = readDateTime(text);
  return date && date.getTime() >= MIN_MS && date.getTime() <= MAX_MS ? date : undefined;
}

function readDateTime(text: string): Date | undefined {
  // Read without taking it to pieces. A day that its month does not have becomes one of the next.
  if (CANONICAL.test(text)) {
    const date = new Date(text);
    if (date.getUTCDate() === Number(text.slice(8, 10))) return date;
  }
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const [, day, time, seconds = '00', fraction = '0', , hours, minutes = '00'] = match;
  const offset = hours ? `${hours}:${minutes}` : 'Z';
  const date = new Date(`${day}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  return Number.isNaN(date.getTime()) || new Date(`${day}T00:00Z`).toISOString().slice(0, 10) !== day
    ? undefined
    : date;
}

export const dateTimeIssue = (loc?: Loc): Issue =>
  valueIssue('Input should be an ISO 8601 date-time of the years 0001 to 9999', loc);

const dateTimeRule: Rule = {
  name: 'isDateTime',
  issues(value) {
    if (typeof value !== 'string') return [issue('string_type')];
    return parseDateTime(value) ? [] : [dateTimeIssue()];
  },
  schema: { type: 'string', format: 'date-time', pattern: PATTERN, examples: ['2026-01-15T10:00:00.000Z'] },
};

/** ISO 8601 date-time; answers always have the form `2026-01-15T10:00:00.000Z`. */
export const IsDateTime = (): PropertyDecorator => fromRule(dateTimeRule);
