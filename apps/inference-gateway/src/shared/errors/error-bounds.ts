import type { Issue, Loc } from '@hone/contracts';

/** Size limit of a 422 body. */
const MAX_BODY_BYTES = 8_192;
const MAX_ISSUES = 10;
const MAX_DEPTH = 16;
/** Most characters of an echoed client text; the smaller limits are for texts that JSON escapes inflate. */
const CUTS = [200, 80, 30, 10] as const;

/** The content of a 422, within its size limit. */
export interface BoundedIssues {
  /** The first issue as a sentence, and the number of further issues. */
  readonly message: string;
  /** Path of the first wrong field, without `body`; null: the body itself is wrong. */
  readonly param: string | null;
  readonly detail: readonly Issue[];
}

/** @param issues at least one */
export function boundIssues(issues: readonly Issue[]): BoundedIssues {
  const candidates = CUTS.map((length) => cutIssues(issues, length));
  const fits = (issues: BoundedIssues) => Buffer.byteLength(JSON.stringify(issues)) < MAX_BODY_BYTES - 512;
  return candidates.find(fits) ?? (candidates.at(-1) as BoundedIssues);
}

function cutIssues(issues: readonly Issue[], length: number): BoundedIssues {
  const [first] = issues as [Issue, ...Issue[]];
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return {
    message: cutText(`${first.loc.join('.')}: ${first.msg}`, length) + more,
    param: fieldOf(first.loc, length),
    detail: issues.slice(0, MAX_ISSUES).map(({ loc, msg, type }) => ({
      loc: loc.slice(0, MAX_DEPTH).map((part) => (typeof part === 'string' ? cutText(part, length) : part)),
      msg: cutText(msg, length),
      type,
    })),
  };
}

function fieldOf(loc: Loc, length: number): string | null {
  const path = loc.slice(1).filter((part) => part !== '');
  return path.length > 0 && typeof path[0] === 'string' ? cutText(path.join('.'), length) : null;
}

/** Cuts a text without splitting a surrogate pair: responses are UTF-8. */
export const cutText = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;
