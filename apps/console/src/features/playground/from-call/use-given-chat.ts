import { AnswerError, type CallDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';

import { exactHone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { readWhole } from '../../../shared/payload/read-whole.js';
import { useCall } from '../../../shared/payload/use-call.js';
import { withFiles } from './file-refs.js';
import type { GivenChat } from './given-chat.js';
import { toGivenRequest } from './given-request.js';

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
    queryFn: ({ signal }) => readGiven(projectId, call as CallDto, signal),
    enabled: call !== undefined && call !== null,
    // What a call was asked does not change.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const retry = () => void (read.error ? read.refetch() : chat.refetch());
  return { chat: call === null ? null : chat.data, error: read.error ?? chat.error, retry };
}

async function readGiven(projectId: string, call: CallDto, signal: AbortSignal): Promise<GivenChat> {
  const [asked, output, attributes] = await Promise.all([call.inputs, call.output, call.attributes].map(readWhole));
  const { value: inputs, missing } = await withFiles(asked, projectId, (digest) => readFile(projectId, digest, signal));
  const chat = toGivenRequest({ inputs, output, attributes });
  if (missing === 0) return chat;
  const lost = `Images, sounds and files: ${missing} ${missing === 1 ? 'is' : 'are'} not in the project any more.`;
  return { ...chat, leftOut: [...chat.leftOut, lost] };
}

/** A file in base64; null: it is gone. */
async function readFile(projectId: string, digest: string, signal: AbortSignal): Promise<string | null> {
  try {
    const answer = await exactHone.trace.readFile({ project_id: projectId, digest }, { signal });
    return await toBase64(await answer.blob());
  } catch (error) {
    if (error instanceof AnswerError && error.status === 404) return null;
    throw error;
  }
}

const toBase64 = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const address = reader.result as string;
      resolve(address.slice(address.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'));
    reader.readAsDataURL(blob);
  });
