import { isJsonObject, type ObjectVersionDto } from '@hone/client';
import { useState } from 'react';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { WordDiff } from '../../shared/diff/word-diff.js';
import { ValueCard } from '../../shared/json-view/value-card.js';
import { toComparedText } from '../../shared/messages/draft.js';
import { useObjectValue, useObjectVersions, versionOf } from '../../shared/objects/use-object.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { type Prompt, readPrompt, variablesOf } from '../../shared/prompts/prompt.js';
import { useVariables } from '../../shared/prompts/use-variables.js';
import { VariableFields } from '../../shared/prompts/variable-fields.js';
import { Button } from '../../shared/ui/button.js';
import { ButtonLink } from '../../shared/ui/button-link.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { UseInCode } from './code/use-in-code.js';
import { EditPrompt } from './edit-prompt.js';
import { LabelsCard } from './labels-card.js';
import { PromptMessages } from './prompt-messages.js';
import styles from './prompts.module.css';
import { UseByVersion } from './use/use-by-version.js';
import { VersionList } from './version-list.js';
import type { VersionProps } from './versions.js';

/** A prompt: what a version of it says, its other versions, and the labels that say which one requests get. */
export default function PromptPage({ id }: { readonly id: string }) {
  const project = useProject();
  const [wanted] = useSearchState('version');
  const versions = useObjectVersions(id);
  const back = <Link to={project.path('prompts')}>Prompts</Link>;
  if (versions.error || !versions.data) {
    const retry = () => void versions.refetch();
    return <PendingPage title={id} what="the prompt" error={versions.error} {...{ back, retry }} />;
  }
  const shown = versionOf(versions.data, wanted);
  if (shown) return <Version key={shown.digest} versions={versions.data} shown={shown} />;
  return (
    <Page title={id} back={back}>
      <EmptyNote title="There is no such prompt">
        <p>It was deleted, or its name is another.</p>
      </EmptyNote>
    </Page>
  );
}

function Version({ versions, shown }: VersionProps) {
  const project = useProject();
  const { mayWrite } = useRights();
  const [isEditing, setIsEditing] = useState(false);
  const [isCode, setIsCode] = useState(false);
  const [view, setView] = useSearchState('view');
  const isUse = view === 'use';
  const value = useObjectValue(shown);
  const [variables] = useVariables();
  const prompt = value.data === undefined ? null : readPrompt(value.data);
  const { object_id, version_index } = shown;
  const tried = new URLSearchParams({ prompt: object_id, version: `v${version_index}` });
  if (Object.keys(variables).length > 0) tried.set('variables', JSON.stringify(variables));
  return (
    <Page
      title={object_id}
      back={<Link to={project.path('prompts')}>Prompts</Link>}
      actions={
        prompt &&
        !isEditing && (
          <>
            {mayWrite && (
              <Button kind="primary" onClick={() => setIsEditing(true)}>
                Edit
              </Button>
            )}
            <ButtonLink to={project.path(`playground?${tried.toString()}`)}>Open in the playground</ButtonLink>
            {mayWrite && (
              <ButtonLink to={project.path(`evaluations?new=1&prompt=${encodeURIComponent(object_id)}`)}>
                Evaluate
              </ButtonLink>
            )}
            <Button aria-pressed={isUse} onClick={() => setView(isUse ? '' : 'use')}>
              Use by version
            </Button>
            {prompt.isServed && <Button onClick={() => setIsCode(true)}>Use in code</Button>}
          </>
        )
      }
    >
      <div className={styles['columns']} data-wide={isUse}>
        <div className={styles['main']}>
          {value.error ? (
            <ErrorNote error={value.error} retry={() => void value.refetch()} />
          ) : value.data === undefined ? (
            <Loading what="the prompt" />
          ) : prompt === null ? (
            <NoPrompt value={value.data} shown={shown} />
          ) : isEditing ? (
            <EditPrompt {...{ shown, prompt }} value={value.data} close={() => setIsEditing(false)} />
          ) : isUse ? (
            <UseByVersion versions={versions} />
          ) : (
            <Said {...{ versions, shown, prompt }} />
          )}
        </div>
        {isCode && prompt && (
          <UseInCode {...{ shown, prompt, variables }} model={modelOf(value.data)} close={() => setIsCode(false)} />
        )}
        {!isUse && (
          <aside className={styles['side']} aria-label="Versions and labels">
            <LabelsCard {...{ versions, shown }} />
            <VersionList {...{ versions, shown }} />
          </aside>
        )}
      </div>
    </Page>
  );
}

/** The model that a prompt asks for; '': none. */
const modelOf = (value: unknown): string =>
  isJsonObject(value) && typeof value['model'] === 'string' ? value['model'] : '';

function NoPrompt({ value, shown }: { readonly value: unknown; readonly shown: ObjectVersionDto }) {
  const project = useProject();
  return (
    <>
      <EmptyNote title="This version is no prompt">
        <p>
          A prompt has <code>messages</code>, or a text. See it as{' '}
          <Link to={project.path(`objects/${encodeURIComponent(shown.object_id)}?version=${shown.digest}`)}>
            an object
          </Link>
          .
        </p>
      </EmptyNote>
      {typeof value === 'string' ? <p className={page['text']}>{value}</p> : <ValueCard title="Value" value={value} />}
    </>
  );
}

/** What a version says, with its variables filled in as far as they are known; and what differs from another one. */
function Said({ versions, shown, prompt }: VersionProps & { readonly prompt: Prompt }) {
  const [wanted, setOther] = useSearchState('with');
  const [variables, setVariable] = useVariables();
  const names = variablesOf(prompt.messages);
  const other = versions.find((one) => `v${one.version_index}` === wanted && one !== shown);
  return (
    <>
      {!prompt.isServed && (
        <p className={page['muted']}>
          The gateway does not take this version: it is a text of a class of its own. A version that is saved here has
          messages.
        </p>
      )}
      <VariableFields {...{ names, variables }} set={setVariable} />
      {versions.length > 1 && (
        <label className={page['row']}>
          Changes since
          <Select
            value={other === undefined ? '' : `v${other.version_index}`}
            onChange={({ target }) => setOther(target.value)}
          >
            <option value="">no other version</option>
            {versions
              .filter(({ digest }) => digest !== shown.digest)
              .map(({ digest, version_index }) => (
                <option key={digest}>v{version_index}</option>
              ))}
          </Select>
        </label>
      )}
      {other ? (
        <Changes {...{ shown, other, prompt }} />
      ) : (
        <PromptMessages messages={prompt.messages} variables={variables} />
      )}
    </>
  );
}

interface ChangesProps {
  readonly shown: ObjectVersionDto;
  readonly other: ObjectVersionDto;
  readonly prompt: Prompt;
}

function Changes({ shown, other, prompt }: ChangesProps) {
  const value = useObjectValue(other);
  if (value.error) return <ErrorNote error={value.error} retry={() => void value.refetch()} />;
  if (value.data === undefined) return <Loading what="the other version" />;
  const before = readPrompt(value.data)?.messages ?? [];
  return (
    <WordDiff
      label={`Changes from v${other.version_index} to v${shown.version_index}`}
      before={toComparedText(before)}
      after={toComparedText(prompt.messages)}
    />
  );
}
