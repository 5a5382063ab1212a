import { Select } from '../ui/input.js';
import type { NewQuestion } from './question.js';
import { ANNOTATION } from './truth.js';
import type { QuestionChoice } from './use-question.js';

interface Props {
  readonly question: NewQuestion;
  readonly asked: QuestionChoice;
}

/** What people are to be asked: something that they were asked before, or the same as the scorer. */
export const QuestionField = ({ question, asked: { choice, type, choose } }: Props) => (
  <label>
    People are asked
    <Select value={type} onChange={({ target }) => choose(target.value)}>
      <option value="">“{question.title}”, which is new</option>
      {choice.sources
        .filter((source) => source.type.startsWith(ANNOTATION))
        .map((source) => (
          <option key={source.type} value={source.type}>
            {source.title}
          </option>
        ))}
    </Select>
  </label>
);
