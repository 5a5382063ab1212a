import type { Issue, Loc } from '@hone/contracts';

/** Of an answer that tells what is wrong with a request. */
const MAX_BODY_BYTES = 8_192;
const MAX_ISSUES = 10;
const MAX_DEPTH = 16;
/** Most characters of any text of the client's that is told again; the smaller ones are for texts that JSON swells. */
const CUTS = [200, 80, 30, 10] as const;

/** What a 422 says, no longer than its bounds. */
export interface BoundedIssues {
  /** The first issue in a sentence, and how many more there are. */
  readonly message: string;
  /** Path of the first wrong field, without `body`; null: it is the body itself. */
  readonly param: string | null;
  readonly detail: readonly Issue[];
}

/** @param issues at least one */
export function boundIssues(issues: readonly Issue[]): BoundedIssues {
  const told = CUTS.map((length) => tell(issues, length));
  return (
    told.find((one) => Buffer.byteLength(JSON.stringify(one)) < MAX_BODY_BYTES - 512) ?? (told.at(-1) as BoundedIssues)
  );
}

function tell(issues: readonly Issue[], length: number): BoundedIssues {
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

/** Half a character at the cut is left out: the answer is UTF-8. */
export const cutText = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;
