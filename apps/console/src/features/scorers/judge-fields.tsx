import type { ReactNode } from 'react';

import form from '../../shared/dialog/dialog.module.css';
import { MessageFields } from '../../shared/messages/message-fields.js';
import { ModelField } from '../../shared/models/model-field.js';
import page from '../../shared/page/page.module.css';
import { Button } from '../../shared/ui/button.js';
import { Input, TextArea } from '../../shared/ui/input.js';
import { EMPTY_RATING, EMPTY_TAG, type JudgeDraft, type RatingDraft, type TagDraft } from './scorer-draft.js';

interface Props {
  readonly draft: JudgeDraft;
  readonly change: (draft: JudgeDraft) => void;
}

/** What a judge reads and finds, to fill in. */
export function JudgeFields({ draft, change }: Props) {
  const { model, messages, ratings, tags, reference, votes, temperature, others } = draft;
  const set = (part: Partial<JudgeDraft>) => change({ ...draft, ...part });
  return (
    <>
      <ModelField label="Model that judges" model={model} change={(to) => set({ model: to })} />
      <section className={page['section']} aria-label="What it reads">
        <h2>What it reads</h2>
        <p className={form['hint']}>
          <code>{'{{messages}}'}</code> is the conversation, <code>{'{{output}}'}</code> the answer,{' '}
          <code>{'{{inputs.topic}}'}</code> a member of the inputs, <code>{'{{reference}}'}</code> the expected answer.
          What it is to find is said after these messages.
        </p>
        <MessageFields drafts={messages} change={(to) => set({ messages: to })} />
      </section>
      <section className={page['section']} aria-label="What it finds">
        <h2>What it finds</h2>
        {ratings.map((rating, at) => (
          <Rating
            key={at}
            {...{ rating, at }}
            change={(to) => set({ ratings: ratings.with(at, to) })}
            remove={() => set({ ratings: ratings.toSpliced(at, 1) })}
          />
        ))}
        {tags.map((tag, at) => (
          <Tag
            key={at}
            {...{ tag, at }}
            change={(to) => set({ tags: tags.with(at, to) })}
            remove={() => set({ tags: tags.toSpliced(at, 1) })}
          />
        ))}
        <div className={page['row']}>
          <Button onClick={() => set({ ratings: [...ratings, EMPTY_RATING] })}>Add a rating</Button>
          <Button onClick={() => set({ tags: [...tags, EMPTY_TAG] })}>Add a yes or no</Button>
        </div>
      </section>
      <label className={form['inline']}>
        <input
          type="checkbox"
          checked={others.expected ?? false}
          onChange={({ target }) => set({ others: { ...others, expected: target.checked } })}
        />
        Rate by the mean over the scale, weighted by how likely each number is
      </label>
      <div className={page['form']}>
        <label>
          Where in the call the expected answer is
          <Input
            placeholder="inputs.expected"
            value={reference}
            onChange={({ target }) => set({ reference: target.value })}
          />
        </label>
        <label>
          How often it is asked
          <Input
            type="number"
            min={1}
            max={9}
            placeholder="1"
            value={votes}
            onChange={({ target }) => set({ votes: target.value })}
          />
        </label>
        <label>
          Temperature
          <Input
            type="number"
            min={0}
            max={2}
            step="any"
            placeholder="0, or 1 for several votes"
            value={temperature}
            onChange={({ target }) => set({ temperature: target.value })}
          />
        </label>
      </div>
    </>
  );
}

interface PartProps<Part> {
  readonly at: number;
  readonly change: (part: Part) => void;
  readonly remove: () => void;
}

function Rating({ rating, at, change, remove }: PartProps<RatingDraft> & { readonly rating: RatingDraft }) {
  const set = (part: Partial<RatingDraft>) => change({ ...rating, ...part });
  return (
    <Part legend={`Rating ${at + 1}`} remove={remove}>
      <div className={page['form']}>
        <label>
          Name
          <Input required maxLength={64} value={rating.name} onChange={({ target }) => set({ name: target.value })} />
        </label>
        <label>
          From
          <Input type="number" required value={rating.min} onChange={({ target }) => set({ min: target.value })} />
        </label>
        <label>
          To
          <Input type="number" required value={rating.max} onChange={({ target }) => set({ max: target.value })} />
        </label>
      </div>
      <label>
        What is rated
        <TextArea
          rows={2}
          dir="auto"
          value={rating.description}
          onChange={({ target }) => set({ description: target.value })}
        />
      </label>
      <label>
        What the numbers mean, one on a line
        <TextArea
          rows={3}
          dir="auto"
          placeholder={'1: does not answer\n5: as good as an expert’s'}
          value={rating.steps}
          onChange={({ target }) => set({ steps: target.value })}
        />
      </label>
    </Part>
  );
}

const Tag = ({ tag, at, change, remove }: PartProps<TagDraft> & { readonly tag: TagDraft }) => (
  <Part legend={`Yes or no ${at + 1}`} remove={remove}>
    <label>
      Name
      <Input
        required
        maxLength={64}
        value={tag.name}
        onChange={({ target }) => change({ ...tag, name: target.value })}
      />
    </label>
    <label>
      When it is so
      <TextArea
        rows={2}
        dir="auto"
        value={tag.description}
        onChange={({ target }) => change({ ...tag, description: target.value })}
      />
    </label>
  </Part>
);

interface FieldsetProps {
  readonly legend: string;
  readonly remove: () => void;
  readonly children: ReactNode;
}

const Part = ({ legend, remove, children }: FieldsetProps) => (
  <fieldset>
    <legend>{legend}</legend>
    {children}
    <div className={form['actions']}>
      <Button onClick={remove}>Remove</Button>
    </div>
  </fieldset>
);
