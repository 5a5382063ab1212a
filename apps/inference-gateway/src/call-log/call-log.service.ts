import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { type LoggedCall, toCall } from './call-draft.js';
import { type CallEntry, SEPARATOR } from './call-entry.js';
import { LargeEntries } from './large-entries.js';

/** A journalled usage record with the entry of its call. */
export interface LoggedRecord {
  /** Text of the record. */
  readonly usage: string;
  /** As {@link CallLog.journalled} returned it; null: the request is no call. */
  readonly entry: string | null;
}

/** Calls of chats, on their way from the request over the journal to the database. */
@Injectable()
export class CallLog {
  constructor(
    private readonly large: LargeEntries,
    private readonly refScheme: RefScheme,
  ) {}

  /** Text to journal after the usage record. Large entries become files, which are whole when it resolves. */
  journalled(uid: string, entry: CallEntry): string | Promise<string> {
    const text = entry.text();
    return typeof text === 'string' ? this.fit(uid, text) : text.then((redacted) => this.fit(uid, redacted));
  }

  private fit(uid: string, text: string): string | Promise<string> {
    return LargeEntries.isLarge(text) ? this.large.put(uid, text) : text;
  }

  /** The calls of records. */
  async read(records: readonly LoggedRecord[]): Promise<LoggedCall[]> {
    const calls: LoggedCall[] = [];
    for (const { usage, entry } of records) {
      // Few are in files: of the others the record is parsed once, for the call.
      const isInFile = entry !== null && LargeEntries.isInFile(entry);
      const whole = isInFile ? await this.large.get(uidOf(usage)) : entry;
      if (whole !== null) calls.push(toCall(usage, whole, this.refScheme.name));
    }
    return calls;
  }

  /** The records are committed. */
  async committed(records: readonly LoggedRecord[]): Promise<void> {
    for (const { usage, entry } of records)
      if (entry !== null && LargeEntries.isInFile(entry)) await this.large.remove(uidOf(usage));
  }
}

/** Takes a journalled text apart. */
export function splitRecord(text: string): LoggedRecord {
  const at = text.indexOf(SEPARATOR);
  return at < 0 ? { usage: text, entry: null } : { usage: text.slice(0, at), entry: text.slice(at + 1) };
}

const uidOf = (usage: string): string => (JSON.parse(usage) as { uid: string }).uid;
