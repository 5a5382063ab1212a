import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import { endOfFrame, readFrame } from './sse-frame.js';

/** The objects that frames have as their data. @param bytes whole frames */
export function eventsIn(bytes: Buffer): Record<string, unknown>[] {
  const events: Record<string, unknown>[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = endOfFrame(bytes, at);
    if (end < 0) break;
    const { data } = readFrame(bytes.subarray(at, end));
    const event = data === null ? null : parsePlainJson(data);
    if (isJsonObject(event)) events.push(event);
    at = end;
  }
  return events;
}
