import { type FormEvent, type KeyboardEvent, useState } from 'react';

import { useMissingModels } from '../../shared/data/missing-models.js';
import { useModels } from '../../shared/data/models.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { useShortcuts } from '../../shared/keyboard/shortcuts.js';
import { ModelOptions } from '../../shared/models/model-options.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { fillMessages, variablesOf } from '../../shared/prompts/prompt.js';
import { useVariables } from '../../shared/prompts/use-variables.js';
import { VariableFields } from '../../shared/prompts/variable-fields.js';
import { Button } from '../../shared/ui/button.js';
import { Select, TextArea } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote } from '../../shared/ui/notes.js';
import { Answers } from './answers.js';
import { ShowCode } from './code/show-code.js';
import { EMPTY, toMessages, type Turn, userTurn } from './conversation.js';
import type { AskedChat, Door } from './doors/door.js';
import { DoorChoice, NotSent } from './doors/door-choice.js';
import { doorOf } from './doors/doors.js';
import { EarlierMessages } from './from-call/earlier-messages.js';
import { type GivenChat, NOTHING_GIVEN } from './from-call/given-chat.js';
import { GivenNote } from './from-call/given-note.js';
import { GivenCall, GivenPrompt, type GivenSource } from './from-call/given-playground.js';
import { useEarlier } from './from-call/use-earlier.js';
import { ParameterFields, useParameters } from './parameters/parameter-fields.js';
import { toRequest } from './parameters/request.js';
import styles from './playground.module.css';
import { rivalsOf } from './preference/rivals.js';
import { RowsPanel } from './rows/rows-panel.js';
import type { RowsRequest } from './rows/use-rows-run.js';
import { SavePrompt } from './save-as/save-prompt.js';
import { useConversations } from './use-conversations.js';

const MOST_MODELS = 4;
/** In no id of a model. */
const BETWEEN = '\n';
/** Fields that are none of the parameters. */
const SHOWN_ELSEWHERE = ['api', 'model', 'system', 'message'];
/** The version of a prompt that an address does not name. */
const NEWEST = { version: 'latest' };

const KEYS = { title: 'In the message', shortcuts: [['Ctrl Enter', 'send']] } as const;

/** What of a chat the door has no place for; nothing while a parameter cannot be read. */
function leftOutOf(door: Door, toChat: () => AskedChat): readonly string[] {
  try {
    return door.toBody(toChat()).leftOut;
  } catch {
    return [];
  }
}

/** Whether these messages wait for an answer. */
const isOpen = (turns: readonly Turn[]): boolean => ['user', 'tool', 'function'].includes(turns.at(-1)?.role ?? '');

/** A talk with models, for those who may ask them. */
export default function PlaygroundPage() {
  const { entity } = useProject();
  const [callId] = useSearchState('call');
  const [prompt] = useSearchState('prompt');
  const [version] = useSearchState('version', NEWEST);
  const show = (given: GivenChat, source: GivenSource) => <Playground {...{ source, given }} />;
  if (useRights().mayWrite) {
    if (callId !== '') return <GivenCall key={callId} {...{ callId, show }} />;
    if (prompt !== '') return <GivenPrompt key={`${prompt}:${version}`} {...{ prompt, version, show }} />;
    return <Playground key="" source={null} given={NOTHING_GIVEN} />;
  }
  return (
    <Page title="Playground">
      <EmptyNote title="Your role lets you look, not ask">
        <p>Asking a model makes a call of the project. Ask an owner of {entity} for the role writer.</p>
      </EmptyNote>
    </Page>
  );
}

interface Props {
  /** null: none. */
  readonly source: GivenSource | null;
  /** What the fields begin with. */
  readonly given: GivenChat;
}

/** Up to four models side by side, or one of them several times. Each answer becomes a call of the project. */
function Playground({ source, given: { fields, earlier: givenTurns, leftOut } }: Props) {
  const project = useProject();
  const [first, setFirst] = useSearchState('model', fields);
  const [beside, setBeside] = useSearchState('beside');
  const parameters = useParameters(fields);
  const [doorName, setDoorName] = useSearchState('api', fields);
  const door = doorOf(doorName);
  const [system, setSystem] = useSearchState('system', fields);
  // A link may bring one along.
  const [message] = useSearchState('message', fields);
  const [question, setQuestion] = useState(message);
  const before = useEarlier(givenTurns);
  const earlier = before.turns;
  const [best, setBest] = useState<string | null>(null);
  const [isEdited, setIsEdited] = useState(false);
  const [variables, setVariable] = useVariables();
  const [error, setError] = useState<unknown>(null);
  const [isRows, setIsRows] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const [shown, setShown] = useState<AskedChat | null>(null);
  const known = useModels();
  const { conversations, ask, goOn, stop, clear } = useConversations(project.id, earlier);
  const listed = known.data?.data.map(({ id }) => id);
  const ids = known.data?.data.filter(({ kind }) => kind === undefined).map(({ id }) => id) ?? [];
  const models = [first || (ids[0] ?? ''), ...beside.split(BETWEEN).filter(Boolean)].slice(0, MOST_MODELS);
  const isAnswering = conversations.some((one) => one.isAnswering);
  const unnamed = known.isPending ? 'Loading models …' : 'No model to ask';
  const missing = useMissingModels(models, listed);
  const turns = conversations[0]?.turns ?? earlier;
  // A call may end with the result of a tool, or with a question that has images.
  const isAsked = question.trim() !== '' || (conversations.length === 0 && isOpen(turns));
  const canSend = isAsked && models[0] !== '' && missing.length === 0 && !isAnswering && before.problem === null;
  // What the next answer, or the newest one, is asked by.
  const prompt =
    question.trim() === ''
      ? toMessages(system, turns.slice(0, turns.findLastIndex(({ role }) => role !== 'assistant') + 1))
      : toMessages(system, [...turns, userTurn(question)]);
  const names = variablesOf(prompt);
  const hasQuestion = prompt.some(({ role }) => role !== 'system');
  /** @throws Error a sentence that says which parameter cannot be read */
  const toChat = (): AskedChat => ({
    model: models[0] ?? '',
    messages: fillMessages(prompt, variables),
    parameters: toRequest(parameters),
  });
  const setModel = (at: number, id: string) => {
    if (at === 0) setFirst(id);
    else setBeside(models.with(at, id).slice(1).join(BETWEEN));
  };
  /** What cannot be read is said. */
  const attempt = (work: () => void) => {
    try {
      work();
      setError(null);
    } catch (caught) {
      setError(caught);
    }
  };
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (!canSend) return;
    attempt(() => {
      ask(models, question, { system, parameters: toRequest(parameters), variables, door });
      setQuestion('');
    });
  };
  useShortcuts(KEYS);
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
        {source && <GivenNote {...{ source, leftOut }} />}
        <div className={styles['settings']}>
          <DoorChoice {...{ door }} choose={setDoorName} />
          {models.map((model, at) => (
            <label key={at} className={styles['model']}>
              {at === 0 ? 'Model' : `Model ${at + 1}`}
              <Select value={model} onChange={({ target }) => setModel(at, target.value)}>
                <ModelOptions {...{ ids, model }} unnamed={model === '' ? unnamed : undefined} />
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
          {models.length > 1 && <Button onClick={() => setBeside(models.slice(1, -1).join(BETWEEN))}>Remove</Button>}
        </div>
        {missing.map((model) => (
          <p key={model} role="status" className={page['problem']}>
            The gateway has no model <bdi>{model}</bdi>. Choose another one to send.
          </p>
        ))}
        <ParameterFields
          parameters={parameters}
          schema={door.schema}
          isOpen={Object.keys(fields).some((name) => !SHOWN_ELSEWHERE.includes(name))}
        />
        <NotSent {...{ door }} leftOut={leftOutOf(door, toChat)} />
        <label className={styles['others']}>
          System prompt
          <TextArea rows={1} value={system} onChange={({ target }) => setSystem(target.value)} />
        </label>
        <VariableFields {...{ names, variables }} set={setVariable} />
        {conversations.length === 0 && before.drafts.length > 0 && (
          <EarlierMessages earlier={before} isEdited={isEdited} />
        )}
        {conversations.length > 0 && (
          <div className={styles['columns']}>
            {models.map((model, at) => (
              <Answers
                key={at}
                model={model}
                conversation={conversations[at] ?? EMPTY}
                isBusy={isAnswering}
                rivals={rivalsOf(conversations, at)}
                {...{ best, setBest }}
                goOn={(added) =>
                  attempt(() => goOn(at, model, added, { system, parameters: toRequest(parameters), variables, door }))
                }
                edit={() => {
                  before.setTurns(conversations[at]?.turns ?? []);
                  setIsEdited(true);
                  clear();
                }}
              />
            ))}
          </div>
        )}
        {error !== null && <ErrorNote error={error} />}
        <form className={styles['prompt']} onSubmit={send}>
          <TextArea
            aria-label="Message"
            onKeyDown={onKeyDown}
            placeholder={isAsked ? 'Send asks for the answer to these messages.' : 'Ask something.'}
            value={question}
            onChange={({ target }) => setQuestion(target.value)}
          />
          <div className={styles['actions']}>
            {isAnswering ? (
              <Button onClick={stop}>Stop</Button>
            ) : (
              <Button type="submit" kind="primary" aria-keyshortcuts="Control+Enter" disabled={!canSend}>
                Send <kbd aria-hidden>Ctrl ↵</kbd>
              </Button>
            )}
            {conversations.length > 0 && <Button onClick={clear}>New conversation</Button>}
            <Button disabled={prompt.length === 0} onClick={() => setIsSaving(true)}>
              Save as a prompt
            </Button>
            <Button disabled={!hasQuestion} onClick={() => attempt(() => setShown(toChat()))}>
              Show code
            </Button>
            <Button aria-pressed={isRows} onClick={() => setIsRows(!isRows)}>
              Run over a dataset
            </Button>
          </div>
        </form>
        {isRows && (
          <RowsPanel
            {...{ names, models }}
            canAsk={hasQuestion && models[0] !== '' && missing.length === 0 && before.problem === null}
            toRequest={() => {
              let request: RowsRequest | undefined;
              attempt(() => {
                const asked = { messages: prompt, parameters: toRequest(parameters), variables, door };
                request = { projectId: project.id, models, ...asked };
              });
              return request;
            }}
          />
        )}
        {shown !== null && <ShowCode {...{ door }} chat={shown} close={() => setShown(null)} />}
        {isSaving && <SavePrompt messages={prompt} from={source?.prompt ?? ''} close={() => setIsSaving(false)} />}
      </div>
    </Page>
  );
}
