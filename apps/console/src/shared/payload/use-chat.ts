import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { type ChatTurn, toChat } from '../chat/chat.js';
import type { ReadCall } from './use-call.js';

/** The conversation of a call; null: it is none, or a large one that is still looked for. */
export function useChat(read: ReadCall | undefined): readonly ChatTurn[] | null {
  const { call = null, large = null } = read ?? {};
  const local = useMemo(
    () => (call === null || large !== null ? null : toChat(call.inputs, call.output)),
    [call, large],
  );
  const asked = useQuery({
    queryKey: ['conversation', large?.name],
    queryFn: ({ signal }) => large?.chat('call', signal) ?? null,
    enabled: large !== null,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  return large === null ? local : (asked.data ?? null);
}
