import { type FormEvent, type KeyboardEvent, useState } from 'react';

import { useModels } from '../../shared/data/models.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Button } from '../../shared/ui/button.js';
import { Select, TextArea } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote } from '../../shared/ui/notes.js';
import { Answers } from './answers.js';
import { EMPTY, toMessages, userTurn } from './conversation.js';
import { ParameterFields, useParameters } from './parameters/parameter-fields.js';
import { toRequest } from './parameters/request.js';
import styles from './playground.module.css';
import { SavePrompt } from './save-as/save-prompt.js';
import { useConversations } from './use-conversations.js';

const MOST_MODELS = 4;
/** In no id of a model. */
const BETWEEN = '\n';

/** A talk with models, for those who may ask them. */
export default function PlaygroundPage() {
  const { entity } = useProject();
  if (useRights().mayWrite) return <Playground />;
  return (
    <Page title="Playground">
      <EmptyNote title="Your role lets you look, not ask">
        <p>Asking a model makes a call of the project. Ask an owner of {entity} for the role writer.</p>
      </EmptyNote>
    </Page>
  );
}

/** Up to four models side by side, or one of them several times. Each answer becomes a call of the project. */
function Playground() {
  const project = useProject();
  const [first, setFirst] = useSearchState('model');
  const [beside, setBeside] = useSearchState('beside');
  const parameters = useParameters();
  const [system, setSystem] = useSearchState('system');
  // A link may bring one along.
  const [given] = useSearchState('message');
  const [question, setQuestion] = useState(given);
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setIsSaving] = useState(false);
  const known = useModels();
  const { conversations, ask, stop, clear } = useConversations(project.id);
  const ids = known.data?.data.map(({ id }) => id) ?? [];
  const models = [first || (ids[0] ?? ''), ...beside.split(BETWEEN).filter(Boolean)].slice(0, MOST_MODELS);
  const isAnswering = conversations.some((one) => one.isAnswering);
  const unnamed = known.isPending ? 'Loading models …' : 'No model to ask';
  const canSend = question.trim() !== '' && models[0] !== '' && !isAnswering;
  // What the next answer, or the newest one, is asked by.
  const turns = conversations[0]?.turns ?? [];
  const prompt =
    question.trim() === ''
      ? toMessages(system, turns.slice(0, turns.findLastIndex(({ role }) => role === 'user') + 1))
      : toMessages(system, [...turns, userTurn(question)]);
  const setModel = (at: number, id: string) => {
    if (at === 0) setFirst(id);
    else setBeside(models.with(at, id).slice(1).join(BETWEEN));
  };
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (!canSend) return;
    try {
      ask(models, question, { system, parameters: toRequest(parameters) });
      setError(null);
      setQuestion('');
    } catch (caught) {
      setError(caught);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
  };
  return (
    <Page title="Playground">
      <div className={page['body']}>
        {known.error && <ErrorNote error={known.error} retry={() => void known.refetch()} />}
        {known.isPending && (
          <p role="status" className="visually-hidden">
            {unnamed}
          </p>
        )}
        <div className={styles['settings']}>
          {models.map((model, at) => (
            <label key={at} className={styles['model']}>
              {at === 0 ? 'Model' : `Model ${at + 1}`}
              <Select value={model} onChange={({ target }) => setModel(at, target.value)}>
                {[...new Set([model, ...ids])].map((id) => (
                  <option key={id} value={id}>
                    {id || unnamed}
                  </option>
                ))}
              </Select>
            </label>
          ))}
          {models.length < MOST_MODELS && (
            <Button
              disabled={models[0] === ''}
              onClick={() => setBeside([...models.slice(1), models[0]].join(BETWEEN))}
            >
              Compare with another
            </Button>
          )}
          {models.length > 1 && (
            <Button onClick={() => setBeside(models.slice(1, -1).join(BETWEEN))}>Take the last away</Button>
          )}
        </div>
        <ParameterFields parameters={parameters} />
        <label className={styles['others']}>
          System prompt
          <TextArea rows={1} value={system} onChange={({ target }) => setSystem(target.value)} />
        </label>
        {conversations.length > 0 && (
          <div className={styles['columns']}>
            {models.map((model, at) => (
              <Answers key={at} model={model} conversation={conversations[at] ?? EMPTY} />
            ))}
          </div>
        )}
        {error !== null && <ErrorNote error={error} />}
        <form className={styles['prompt']} onSubmit={send}>
          <TextArea
            aria-label="Message"
            onKeyDown={onKeyDown}
            placeholder="Ask something. Ctrl+Enter sends."
            value={question}
            onChange={({ target }) => setQuestion(target.value)}
          />
          <div className={styles['actions']}>
            {isAnswering ? (
              <Button onClick={stop}>Stop</Button>
            ) : (
              <Button type="submit" kind="primary" disabled={!canSend}>
                Send
              </Button>
            )}
            {conversations.length > 0 && <Button onClick={clear}>New conversation</Button>}
            <Button disabled={prompt.length === 0} onClick={() => setIsSaving(true)}>
              Save as a prompt
            </Button>
          </div>
        </form>
        {isSaving && <SavePrompt messages={prompt} close={() => setIsSaving(false)} />}
      </div>
    </Page>
  );
}
