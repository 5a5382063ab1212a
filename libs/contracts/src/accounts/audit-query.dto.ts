import { issue, rangeIssue, valueIssue } from '../issues/issue.js';
import { IsDateTime } from '../names/date-time.js';
import { isUuid } from '../names/uuid.js';
import { UUID } from '../patterns/patterns.js';
import { AcceptsUnknownFields, fromRule, MayOmit } from '../validation/rule.js';
import { IsText } from '../validation/rules.js';

export const DEFAULT_AUDIT_LIMIT = 50;
const MAX_LIMIT = 1_000;

const IsAuditLimit = (): PropertyDecorator =>
  fromRule({
    name: 'isAuditLimit',
    issues(value) {
      if (typeof value !== 'string' || !/^-?\d{1,15}$/.test(value)) return [issue('int_type')];
      if (Number(value) < 1) return [rangeIssue('greater', 1)];
      return Number(value) > MAX_LIMIT ? [rangeIssue('less', MAX_LIMIT)] : [];
    },
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_AUDIT_LIMIT },
    coerce: Number,
  });

const IsAuditCursor = (): PropertyDecorator =>
  fromRule({
    name: 'isAuditCursor',
    issues: (value) =>
      typeof value === 'string' && isUuid(value) ? [] : [valueIssue('Input should be the id of an audit entry')],
    schema: { type: 'string', format: 'uuid', pattern: UUID },
  });

/** Query of `GET /account/audit`. */
@AcceptsUnknownFields()
export class AuditQueryDto {
  /** Most entries to answer, 1 to 1,000. Absent: 50. */
  @MayOmit() @IsAuditLimit() limit?: number;
  /** Id of the last entry of the page before. Absent: from the newest. */
  @MayOmit() @IsAuditCursor() after?: string;
  /** Name of the user who made the change, 1 to 128 characters. Absent: of anybody. */
  @MayOmit() @IsText({ min: 1, max: 128 }) actor?: string;
  /** An action, for example `api_key.revoke`, or an area, for example `api_key`. Absent: any. */
  @MayOmit() @IsText({ min: 1, max: 128 }) action?: string;
  /** Entries of this time and later, ISO 8601. Absent: from the first. */
  @MayOmit() @IsDateTime() from?: string;
  /** Entries before this time, ISO 8601. Absent: to the newest. */
  @MayOmit() @IsDateTime() to?: string;
}
