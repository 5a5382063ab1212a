import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { exactHone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { Page } from '../../../shared/page/page.js';
import { PendingPage } from '../../../shared/page/pending-page.js';
import { readPrompt } from '../../../shared/prompts/prompt.js';
import { EmptyNote } from '../../../shared/ui/notes.js';
import { type GivenChat, toGivenPrompt } from './given-chat.js';
import { useGivenChat } from './use-given-chat.js';

/** What a playground was filled in from. */
export interface GivenSource {
  readonly label: string;
  /** Below the project's address. */
  readonly page: string;
  /** Name of the prompt that it is; '': it is a call. */
  readonly prompt: string;
}

type Show = (given: GivenChat, source: GivenSource) => ReactNode;

/** A playground that is filled in from a call of the project. */
export function GivenCall({ callId, show }: { readonly callId: string; readonly show: Show }) {
  const { chat, error, retry } = useGivenChat(callId);
  if (chat) return show(chat, { label: `call ${callId}`, page: `calls/${encodeURIComponent(callId)}`, prompt: '' });
  if (chat === undefined) return <PendingPage title="Playground" what="the call" {...{ error, retry }} />;
  return (
    <Missing title="There is no such call">
      It was deleted, or the time for which the project keeps calls is over.
    </Missing>
  );
}

interface PromptProps {
  readonly prompt: string;
  readonly version: string;
  readonly show: Show;
}

/** A playground that is filled in from a version of a prompt. */
export function GivenPrompt({ prompt, version, show }: PromptProps) {
  const { id: project_id } = useProject();
  const read = useQuery({
    queryKey: ['prompt to go on from', project_id, prompt, version],
    queryFn: async ({ signal }) => {
      const body = { project_id, object_id: prompt, digest: version };
      const { val } = (await exactHone.trace.readObject(body, { signal })).obj;
      return readPrompt(val) && toGivenPrompt(val);
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const page = `prompts/${encodeURIComponent(prompt)}?${new URLSearchParams({ version }).toString()}`;
  if (read.data) return show(read.data, { label: `prompt ${prompt}:${version}`, page, prompt });
  if (read.data === undefined) {
    const retry = () => void read.refetch();
    return <PendingPage title="Playground" what="the prompt" error={read.error} retry={retry} />;
  }
  return <Missing title="This object is no prompt">It has neither messages nor a text.</Missing>;
}

function Missing({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const project = useProject();
  return (
    <Page title="Playground">
      <EmptyNote title={title}>
        <p>
          {children} <Link to={project.path('playground')}>Begin without it</Link>
        </p>
      </EmptyNote>
    </Page>
  );
}
