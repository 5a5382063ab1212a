import type { GatewayStateDto } from '@hone/client';

import { mergeProcesses } from './processes.js';

const answer = (id: string, second: number, startedSecond = 0) =>
  ({
    instance: { id, started_at: new Date(startedSecond * 1_000).toISOString(), hostname: null },
    read_at: new Date(second * 1_000).toISOString(),
  }) as GatewayStateDto;

describe('the processes of the gateway', () => {
  const idsOf = (states: readonly GatewayStateDto[]) => states.map(({ instance }) => instance.id);

  it('are those that answered, the oldest first, each with its latest answer', () => {
    const states = [answer('b', 100, 7), answer('a', 102, 3), answer('b', 104, 7)].reduce(
      mergeProcesses,
      [] as readonly GatewayStateDto[],
    );
    expect(idsOf(states)).toEqual(['a', 'b']);
    expect(states[1]).toEqual(answer('b', 104, 7));
  });

  it('forget one that has not answered for a minute', () => {
    const known = [answer('gone', 10), answer('here', 60)];
    expect(idsOf(mergeProcesses(known, answer('new', 69)))).toEqual(['gone', 'here', 'new']);
    expect(idsOf(mergeProcesses(known, answer('new', 71)))).toEqual(['here', 'new']);
  });
});
