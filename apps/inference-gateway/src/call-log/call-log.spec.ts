import type { RefScheme } from '@hone/platform';

import { CallLog } from './call-log.service.js';
import { SEPARATOR, splitRecord } from './journalled-entry.js';
import { LargeEntries } from './large-entries.js';

const log = new CallLog(new LargeEntries('', false), { name: 'hone' } as RefScheme);
const recordOf = (text: string, output = 'null') =>
  splitRecord(
    Buffer.from(
      [
        '{"uid":"u"}',
        JSON.stringify({ q: text }),
        output,
        '{"uid":"u","p":"p","op":"hone:///a/b/op/c:v0"',
        '{}',
        '{}',
      ].join(SEPARATOR),
    ),
  );

describe('CallLog', () => {
  it('lets other work have its turn while it reads many calls', async () => {
    const records = Array.from({ length: 40 }, () => recordOf('see hone:///a/b/call/c '.repeat(2_600)));
    const events: string[] = [];
    const reading = log.read(records).then((calls) => {
      events.push('read');
      return calls;
    });
    const turn = () => {
      if (events.push('turn') < 5) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await reading).toHaveLength(40);
    expect(events).toEqual(['turn', 'turn', 'turn', 'turn', 'turn', 'read']);
  });

  it('passes over what is no entry', async () => {
    const broken = splitRecord(Buffer.from(`{"uid":"u"}${SEPARATOR}{}`));
    expect(await log.read([broken, recordOf('x'), { usage: Buffer.from('{}'), entry: null }])).toHaveLength(1);
  });
});
