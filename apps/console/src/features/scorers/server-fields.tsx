import form from '../../shared/dialog/dialog.module.css';
import page from '../../shared/page/page.module.css';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { EMPTY_SERVER_RATING, type ServerDraft, type ServerRatingDraft } from './scorer-draft.js';

interface Props {
  readonly draft: ServerDraft;
  readonly change: (draft: ServerDraft) => void;
}

/** Where a server that judges is, and what it finds, to fill in. */
export function ServerFields({ draft, change }: Props) {
  const { url, ratings, tags, timeout } = draft;
  const set = (part: Partial<ServerDraft>) => change({ ...draft, ...part });
  return (
    <>
      <label>
        Address that calls are posted to
        <Input
          type="url"
          required
          maxLength={2_048}
          value={url}
          onChange={({ target }) => set({ url: target.value })}
        />
      </label>
      <p className={form['hint']}>
        On a host that the operator allows in <code>HONE_SCORER_HOSTS</code>. It answers{' '}
        <code>{'{"ratings": {"score": 0.5}, "tags": [], "reason": "…"}'}</code>.
      </p>
      {ratings.map((rating, at) => (
        <Rating
          key={at}
          {...{ rating, at }}
          change={(to) => set({ ratings: ratings.with(at, to) })}
          remove={() => set({ ratings: ratings.toSpliced(at, 1) })}
        />
      ))}
      <div className={page['row']}>
        <Button onClick={() => set({ ratings: [...ratings, EMPTY_SERVER_RATING] })}>Add a rating</Button>
      </div>
      <label>
        Tags that it may give, separated by commas
        <Input value={tags} onChange={({ target }) => set({ tags: target.value })} />
      </label>
      <label>
        Milliseconds that an answer may take
        <Input
          type="number"
          min={1}
          max={60_000}
          placeholder="10000"
          value={timeout}
          onChange={({ target }) => set({ timeout: target.value })}
        />
      </label>
    </>
  );
}

interface RatingProps {
  readonly rating: ServerRatingDraft;
  readonly at: number;
  readonly change: (rating: ServerRatingDraft) => void;
  readonly remove: () => void;
}

const Rating = ({ rating, at, change, remove }: RatingProps) => (
  <fieldset>
    <legend>Rating {at + 1}</legend>
    <div className={page['form']}>
      {(['name', 'min', 'max'] as const).map((field) => (
        <label key={field}>
          {LABELS[field]}
          <Input
            type={field === 'name' ? 'text' : 'number'}
            {...(field === 'name' ? { required: true, maxLength: 64 } : { step: 'any', placeholder: 'any' })}
            value={rating[field]}
            onChange={({ target }) => change({ ...rating, [field]: target.value })}
          />
        </label>
      ))}
      <Button onClick={remove}>Remove</Button>
    </div>
  </fieldset>
);

const LABELS = { name: 'Name', min: 'From', max: 'To' };
