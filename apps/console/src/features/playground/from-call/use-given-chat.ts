import { useQuery } from '@tanstack/react-query';

import { useProject } from '../../../shared/data/project.js';
import { readWhole } from '../../../shared/payload/read-whole.js';
import { useCall } from '../../../shared/payload/use-call.js';
import { type GivenChat, toGivenChat } from './given-chat.js';

interface Reading {
  /** undefined: it is read; null: there is no such call. */
  readonly chat: GivenChat | null | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** What the playground takes over of a call. */
export function useGivenChat(callId: string): Reading {
  const { id: projectId } = useProject();
  const read = useCall(callId);
  const call = read.data?.call;
  const chat = useQuery({
    queryKey: ['chat to go on from', projectId, callId],
    queryFn: async () => toGivenChat(await readWhole(call?.inputs)),
    enabled: call !== undefined && call !== null,
    // What a call was asked does not change.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const retry = () => void (read.error ? read.refetch() : chat.refetch());
  return { chat: call === null ? null : chat.data, error: read.error ?? chat.error, retry };
}
