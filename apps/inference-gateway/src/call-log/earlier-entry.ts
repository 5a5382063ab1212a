import type { KeptTokens } from '../shared/kept-tokens.js';
import type { AskedCheckpoint, CallContent } from './call-entry.js';
import { type BookedRequest, callTexts } from './call-texts.js';
import { entryParts, SEPARATOR } from './journalled-entry.js';

/** A usage record as it is journalled: what is null, false or 0 is absent. */
type JournalledRecord = Pick<
  BookedRequest,
  'uid' | 'rid' | 'keyId' | 'userId' | 'projectId' | 'modelAsked' | 'status' | 'durationMs'
> &
  Partial<BookedRequest> & { readonly startedAt: string; readonly attempts: unknown[] };

/** What the first form of entries said beside request and answer. */
interface EarlierFacts {
  readonly id: string;
  readonly projectId: string;
  readonly traceId?: string;
  readonly parentId?: string;
  readonly threadId?: string;
  /** Exact text of a JSON object. */
  readonly metadata?: string;
  readonly isWithoutContent?: true;
  readonly checkpoint?: AskedCheckpoint;
  readonly tokens?: KeptTokens;
}

/**
 * An entry in its first form, request, answer and facts, made into one of today's: a journal may be left behind by a
 * gateway that was killed before an upgrade.
 *
 * @param usage the record that the entry belongs to
 * @param refScheme of the op's ref
 * @returns null: it is no such entry
 */
export function upgradeEntry(usage: Buffer, entry: Buffer, refScheme: string): Buffer | null {
  const text = entry.toString();
  const [output, facts] = [text.indexOf(SEPARATOR), text.lastIndexOf(SEPARATOR)];
  if (output < 0 || facts === output) return null;
  const earlier = parse<EarlierFacts>(text.slice(facts + 1));
  if (earlier === null) return null;
  const record = JSON.parse(usage.toString()) as JournalledRecord;
  const { id, projectId, traceId = null, parentId = null, checkpoint = null } = earlier;
  const content: CallContent = {
    inputs: text.slice(0, output),
    output: text.slice(output + 1, facts),
    metadata: earlier.metadata ?? null,
    thread: earlier.threadId ?? null,
    isWithoutContent: earlier.isWithoutContent ?? false,
    tokens: earlier.tokens ?? null,
  };
  const texts = callTexts(
    booked(record),
    JSON.stringify(record.attempts),
    { id, facts: { projectId, checkpoint, headers: { traceId, parentId } } },
    content,
    refScheme,
  );
  return Buffer.from(entryParts(content, texts).join(''));
}

const booked = (record: JournalledRecord): BookedRequest => ({
  ...{ modelAnswered: null, target: null, checkpointId: null, errorCode: null, ttftMs: null, isStream: false },
  ...{ promptTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, completionTokens: 0, reasoningTokens: 0 },
  ...record,
  startedAt: new Date(record.startedAt),
});

/** Null: no JSON. One damaged entry must not keep all others from the database. */
function parse<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}
