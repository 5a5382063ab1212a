import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';

import { formatBytes } from '../format/format.js';
import { Button } from '../ui/button.js';
import { Select, TextArea } from '../ui/input.js';
import { type DraftMessage, moved, newDraft, ROLES } from './draft.js';
import styles from './messages.module.css';

/** Characters of a content that a field takes without holding up the page. */
const MAX_EDITED = 200_000;

interface Props {
  readonly drafts: readonly DraftMessage[];
  readonly change: (drafts: readonly DraftMessage[]) => void;
}

/** Messages to edit: each has its role and text, is moved and removed, and others are added anywhere. */
export function MessageFields({ drafts, change }: Props) {
  const insert = (at: number) => {
    const before = drafts[at - 1]?.role;
    const role = before === 'user' || before === 'tool' ? 'assistant' : at === 0 ? 'system' : 'user';
    change(drafts.toSpliced(at, 0, newDraft(role)));
  };
  return (
    <div className={styles['messages']}>
      <ol className={styles['list']} aria-label="Messages to edit">
        {drafts.map((draft, at) => (
          <li key={draft.key} className={styles['message']} data-role={draft.role}>
            <Fields
              draft={draft}
              number={at + 1}
              change={(changed) => change(drafts.with(at, changed))}
              tools={
                <>
                  <IconButton
                    label={`Move message ${at + 1} up`}
                    Icon={ArrowUp}
                    disabled={at === 0}
                    onClick={() => change(moved(drafts, at, at - 1))}
                  />
                  <IconButton
                    label={`Move message ${at + 1} down`}
                    Icon={ArrowDown}
                    disabled={at === drafts.length - 1}
                    onClick={() => change(moved(drafts, at, at + 1))}
                  />
                  <IconButton
                    label={`Insert a message before message ${at + 1}`}
                    Icon={Plus}
                    onClick={() => insert(at)}
                  />
                  <IconButton
                    label={`Remove message ${at + 1}`}
                    Icon={Trash2}
                    onClick={() => change(drafts.toSpliced(at, 1))}
                  />
                </>
              }
            />
          </li>
        ))}
      </ol>
      <Button onClick={() => insert(drafts.length)}>
        <Plus size={15} aria-hidden /> Add a message
      </Button>
    </div>
  );
}

interface FieldsProps {
  readonly draft: DraftMessage;
  readonly number: number;
  readonly change: (draft: DraftMessage) => void;
  readonly tools: ReactNode;
}

const Fields = ({ draft, number, change, tools }: FieldsProps) => (
  <>
    <div className={styles['head']}>
      <Select
        aria-label={`Role of message ${number}`}
        value={draft.role}
        onChange={({ target }) => change({ ...draft, role: target.value })}
      >
        {[...new Set([...ROLES, draft.role])].map((role) => (
          <option key={role}>{role}</option>
        ))}
      </Select>
      <span className={styles['tools']}>{tools}</span>
    </div>
    {draft.content.length > MAX_EDITED ? (
      <p className={styles['kept']}>
        {formatBytes(draft.content.length)}: too large to edit here. It is kept as it is.
      </p>
    ) : (
      <TextArea
        className={styles['text'] ?? ''}
        aria-label={draft.isJson ? `Content of message ${number}, as JSON` : `Text of message ${number}`}
        dir="auto"
        spellCheck={!draft.isJson}
        rows={2}
        value={draft.content}
        onChange={({ target }) => change({ ...draft, content: target.value })}
      />
    )}
    {draft.others !== '' && (
      <details>
        <summary>Other members of the message</summary>
        <TextArea
          className={styles['text'] ?? ''}
          aria-label={`Other members of message ${number}, as JSON`}
          spellCheck={false}
          rows={4}
          value={draft.others}
          onChange={({ target }) => change({ ...draft, others: target.value })}
        />
      </details>
    )}
  </>
);

interface IconButtonProps {
  readonly label: string;
  readonly Icon: typeof Plus;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

const IconButton = ({ label, Icon, ...rest }: IconButtonProps) => (
  <Button kind="plain" aria-label={label} title={label} {...rest}>
    <Icon size={15} aria-hidden />
  </Button>
);
