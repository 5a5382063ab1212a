import { REACTION } from '../feedback/feedback.js';

const hasReaction = (emoji: string): string => `feedback has (type = "${REACTION}" and emoji = "${emoji}")`;

/** Conditions on what people said about a call. */
export const WITH_THUMB = { up: hasReaction('👍'), down: hasReaction('👎') } as const;

/** Which calls a link leads to. */
interface LinkedCalls {
  /** Unix milliseconds. */
  readonly start: number;
  /** Excluded. */
  readonly end: number;
  /** Further conditions, as the query line writes them. */
  readonly conditions?: readonly string[];
  readonly status?: string;
  /** As a part of the name of the op. */
  readonly op?: string;
}

/** The query of the address at which the list of calls shows these, those within others included. */
export function callsLink({ start, end, conditions = [], status = '', op = '' }: LinkedCalls): string {
  const time = (ms: number) => JSON.stringify(new Date(ms).toISOString());
  const q = [`started_at >= ${time(start)}`, `started_at < ${time(end)}`, ...conditions].join(' and ');
  return new URLSearchParams({ depth: 'all', q, ...(status && { status }), ...(op && { op }) }).toString();
}
