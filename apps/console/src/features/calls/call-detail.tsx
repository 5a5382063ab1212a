import { Maximize2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { ChatView } from '../../shared/chat/chat-view.js';
import { useProject } from '../../shared/data/project.js';
import { shortRef } from '../../shared/data/refs.js';
import { CallFeedback } from '../../shared/feedback/call-feedback.js';
import { formatDuration, formatTime, shortOpName } from '../../shared/format/format.js';
import { ValueCard } from '../../shared/json-view/value-card.js';
import { useCall } from '../../shared/payload/use-call.js';
import { useChat } from '../../shared/payload/use-chat.js';
import { Button } from '../../shared/ui/button.js';
import { ButtonLink } from '../../shared/ui/button-link.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Traceback } from '../../shared/ui/traceback.js';
import { toCallRow } from './call-row.js';
import styles from './calls.module.css';
import { JudgeWith } from './judge-with.js';
import { answeringOf, hasInput, playgroundQuery } from './relations/call-links.js';
import { CallRefs } from './relations/call-refs.js';
import { CallRelations } from './relations/call-relations.js';
import { CallUsage } from './relations/call-usage.js';
import { CopyRequest } from './relations/copy-request.js';
import { StatusMark } from './status-mark.js';

interface Props {
  readonly id: string;
  /** Closes the panel that the call is shown in. Absent: it is on a page of its own. */
  readonly close?: () => void;
  /** Ways to the calls beside it. */
  readonly children?: ReactNode;
}

/** All of one call: what went in, what came out, what it used, and what was said of it. */
export function CallDetail({ id, close, children }: Props) {
  const project = useProject();
  const query = useCall(id);
  const chat = useChat(query.data);
  if (query.error) return <ErrorNote error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading what="the call" />;
  if (query.data.call === null)
    return (
      <EmptyNote title="There is no such call">
        <p>It was deleted, or the time for which the project keeps calls is over.</p>
      </EmptyNote>
    );
  const { call } = query.data;
  const row = toCallRow(call);
  const answering = answeringOf(call.attributes);
  return (
    <article className={styles['detail']}>
      <header className={styles['title']}>
        <StatusMark status={row.status} />
        <h2>{row.displayName ?? shortOpName(row.opName)}</h2>
        {close && (
          <>
            <ButtonLink kind="plain" to={project.path(`calls/${encodeURIComponent(id)}`)} title="Open the whole trace">
              <Maximize2 size={16} aria-label="Open the whole trace" />
            </ButtonLink>
            <Button kind="plain" aria-label="Close" title="Close (Esc)" onClick={close}>
              <X size={16} aria-hidden />
            </Button>
          </>
        )}
      </header>
      {children}
      <JudgeWith key={`judge ${id}`} callId={id} />
      <CallFeedback callId={id} />
      {call.exception && <Traceback text={call.exception} />}
      <dl className={styles['facts']}>
        <dt>Op</dt>
        <dd title={row.opName}>{shortRef(row.opName)}</dd>
        <dt>Began</dt>
        <dd>{formatTime(row.startedAt)}</dd>
        <dt>Latency</dt>
        <dd>{formatDuration(row.latencyMs)}</dd>
        <CallUsage row={row} />
        {row.threadId !== null && (
          <>
            <dt>Thread</dt>
            <dd>
              <Link to={project.path(`threads/${encodeURIComponent(row.threadId)}`)}>{row.threadId}</Link>
            </dd>
          </>
        )}
        {answering && (
          <>
            <dt>Answered by</dt>
            <dd>
              <Link to={project.path(`training/models/${answering.modelId}`)}>
                {answering.step === null ? 'a trained model' : `step ${answering.step} of a trained model`}
              </Link>
            </dd>
          </>
        )}
        <CallRefs id={id} endedAt={row.endedAt} />
        <dt>Id</dt>
        <dd>{id}</dd>
      </dl>
      {chat && (
        <div className={styles['ways']}>
          <ButtonLink to={project.path(`playground?${playgroundQuery(id)}`)}>Open in the playground</ButtonLink>
          {hasInput(call.inputs, 'model') && <CopyRequest call={call} />}
        </div>
      )}
      {chat && <ChatView turns={chat} />}
      <ValueCard title="Inputs" path="inputs" value={call.inputs} />
      <ValueCard title="Output" path="output" value={call.output} />
      <ValueCard title="Attributes" path="attributes" value={call.attributes} />
      <ValueCard title="Summary" path="summary" value={call.summary} />
      {!close && <CallRelations key={call.id} call={call} />}
    </article>
  );
}
