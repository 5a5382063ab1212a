import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { CallEntry } from '../call-log/call-entry.js';

/** Names the call that a request becomes. */
@Injectable()
export class CallHeader {
  constructor(private readonly refScheme: RefScheme) {}

  /** Null: the request is not kept. */
  of(entry: CallEntry | null): Readonly<Record<string, string>> | null {
    return entry && { 'hone-call': `${this.refScheme.name}:///${entry.projectId}/call/${entry.id}` };
  }
}
