import page from '../page/page.module.css';
import { Input, Select } from '../ui/input.js';
import type { TruthChoice } from './use-truth.js';

interface Props {
  readonly choice: TruthChoice;
}

/** A choice among what people were asked. */
export const TruthField = ({ choice: { sources, source, choose } }: Props) => (
  <label>
    People say the same with
    <Select value={source?.type ?? ''} onChange={({ target }) => choose(target.value)}>
      <option value="">nothing yet</option>
      {sources.map(({ type, title }) => (
        <option key={type} value={type}>
          {title}
        </option>
      ))}
    </Select>
  </label>
);

/** What answers that are texts count as; nothing where they are numbers. */
export const AnswerMap = ({ choice: { source, map, setMap } }: Props) =>
  source !== undefined &&
  source.answers.length > 0 && (
    <div className={page['form']}>
      {source.answers.map((answer) => (
        <label key={answer}>
          <span dir="auto">“{answer}” counts as</span>
          <Input
            type="number"
            step="any"
            placeholder="no label"
            value={map[answer] ?? ''}
            onChange={({ target }) => {
              const { [answer]: _before, ...others } = map;
              setMap(target.value === '' ? others : { ...others, [answer]: target.valueAsNumber });
            }}
          />
        </label>
      ))}
    </div>
  );
