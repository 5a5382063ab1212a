import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { step } from '../shared/step.js';
import { WorkInTurns } from '../shared/time/work-in-turns.js';
import type { CallContent, CallEntry } from './call-entry.js';
import { type BookedRequest, callTexts } from './call-texts.js';
import { entryParts, type LoggedRecord, type TextParts, uidOf } from './journalled-entry.js';
import { LargeEntries } from './large-entries.js';
import { type LoggedCall, readCall } from './logged-call.js';

/** Calls of chats, on their way from the request over the journal to the database. */
@Injectable()
export class CallLog {
  constructor(
    private readonly large: LargeEntries,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * What to journal after the usage record. Large entries become files, which are whole when it resolves.
   *
   * @param attempts of the record, as JSON
   */
  journalled(record: BookedRequest, attempts: string, entry: CallEntry): TextParts | Promise<TextParts> {
    const fit = (content: CallContent) =>
      this.fit(record.uid, entryParts(content, callTexts(record, attempts, entry, content, this.refScheme.name)));
    return step(entry.content(), fit);
  }

  private fit(uid: string, parts: TextParts): TextParts | Promise<TextParts> {
    return LargeEntries.isLarge(parts) ? this.large.put(uid, parts) : parts;
  }

  /** The calls of records, a turn of the event loop for some of them, so that no answer waits for all. */
  async read(records: readonly LoggedRecord[]): Promise<LoggedCall[]> {
    const calls: LoggedCall[] = [];
    const work = new WorkInTurns();
    for (const { usage, entry } of records) {
      if (entry === null) continue;
      const whole = LargeEntries.isInFile(entry) ? await this.large.get(uidOf(usage)) : entry;
      if (whole === null) continue;
      const read = readCall(whole);
      const call = read instanceof Promise ? await read : read;
      if (call) calls.push(call);
      if (work.add(whole.length)) await work.nextTurn();
    }
    return calls;
  }

  /** The records are committed. */
  async committed(records: readonly LoggedRecord[]): Promise<void> {
    for (const { usage, entry } of records)
      if (entry !== null && LargeEntries.isInFile(entry)) await this.large.remove(uidOf(usage));
  }
}
