import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { Link } from 'wouter';

import { ChatView } from '../../shared/chat/chat-view.js';
import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { Button } from '../../shared/ui/button.js';
import { Input, Select, TextArea } from '../../shared/ui/input.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import styles from './playground.module.css';
import { useConversation } from './use-conversation.js';

const numberOf = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text));

/** A talk with any model that the key may use. Each answer becomes a call of the project. */
export default function PlaygroundPage() {
  const project = useProject();
  const [chosen, setModel] = useSearchState('model');
  const [temperature, setTemperature] = useSearchState('temperature');
  const [maxTokens, setMaxTokens] = useSearchState('max_tokens');
  const [question, setQuestion] = useState('');
  const models = useQuery({
    queryKey: ['models', project.id],
    queryFn: ({ signal }) => hone.inference.listModels({ signal, headers: { 'hone-project': project.id } }),
  });
  const { turns, error, callId, isAnswering, ask, stop, clear } = useConversation(project.id);
  const ids = models.data?.data.map(({ id }) => id) ?? [];
  const model = chosen || (ids[0] ?? '');
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (question.trim() === '' || isAnswering || model === '') return;
    void ask({ model, temperature: numberOf(temperature), max_tokens: numberOf(maxTokens) }, question);
    setQuestion('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
  };
  return (
    <div className={styles['page']}>
      <h1>Playground</h1>
      {models.error && <ErrorNote error={models.error} retry={() => void models.refetch()} />}
      <div className={styles['settings']}>
        <label>
          Model
          <Select value={model} onChange={({ target }) => setModel(target.value)}>
            {[...new Set([model, ...ids])].map((id) => (
              <option key={id}>{id}</option>
            ))}
          </Select>
        </label>
        <label>
          Temperature
          <Input
            type="number"
            min={0}
            max={2}
            step={0.1}
            placeholder="default"
            value={temperature}
            onChange={({ target }) => setTemperature(target.value)}
          />
        </label>
        <label>
          Most tokens
          <Input
            type="number"
            min={1}
            placeholder="default"
            value={maxTokens}
            onChange={({ target }) => setMaxTokens(target.value)}
          />
        </label>
      </div>
      {turns.length > 0 && (
        <div aria-live="polite" aria-busy={isAnswering}>
          <ChatView turns={turns.map(({ role, content }) => ({ role, text: content, tools: [] }))} />
        </div>
      )}
      {error !== null && <ErrorNote error={error} />}
      {callId !== null && !isAnswering && (
        <p>
          <Link to={project.path(`calls/${encodeURIComponent(callId)}`)}>Open this call</Link>{' '}
          <span className={styles['muted']}>to judge the answer</span>
        </p>
      )}
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
            <Button type="submit" kind="primary" disabled={question.trim() === '' || model === ''}>
              Send
            </Button>
          )}
          {turns.length > 0 && <Button onClick={clear}>New conversation</Button>}
        </div>
      </form>
    </div>
  );
}
