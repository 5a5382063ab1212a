import form from '../../shared/dialog/dialog.module.css';
import { MessageFields } from '../../shared/messages/message-fields.js';
import { ModelField } from '../../shared/models/model-field.js';
import page from '../../shared/page/page.module.css';
import { Input, TextArea } from '../../shared/ui/input.js';
import type { PairwiseDraft } from './pairwise-draft.js';

interface Props {
  readonly draft: PairwiseDraft;
  readonly change: (draft: PairwiseDraft) => void;
}

/** What a judge of two answers reads, to fill in. */
export function PairwiseFields({ draft, change }: Props) {
  const { model, messages, against, description } = draft;
  const set = (part: Partial<PairwiseDraft>) => change({ ...draft, ...part });
  return (
    <>
      <ModelField label="Model that judges" model={model} change={(to) => set({ model: to })} />
      <section className={page['section']} aria-label="What it reads">
        <h2>What it reads</h2>
        <p className={form['hint']}>
          <code>{'{{first}}'}</code> and <code>{'{{second}}'}</code> are the answers, <code>{'{{messages}}'}</code> is
          the conversation, <code>{'{{inputs.topic}}'}</code> a member of the inputs. It is asked in both orders, and
          what it is to answer is said after these messages.
        </p>
        <MessageFields drafts={messages} change={(to) => set({ messages: to })} />
      </section>
      <label>
        What makes an answer better
        <TextArea
          rows={2}
          dir="auto"
          maxLength={2_048}
          value={description}
          onChange={({ target }) => set({ description: target.value })}
        />
      </label>
      <label>
        Where in the call the other answer is, or the ref of a call that has it
        <Input
          placeholder="inputs.expected"
          maxLength={256}
          value={against}
          onChange={({ target }) => set({ against: target.value })}
        />
      </label>
    </>
  );
}
