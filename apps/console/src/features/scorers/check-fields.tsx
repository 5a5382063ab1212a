import { QueryLine } from '../../shared/query/query-line.js';
import { Input, Select, TextArea } from '../../shared/ui/input.js';
import { type Check, CHECK_FIELDS, type CheckDraft, type CheckField, isExpression } from './scorer-draft.js';

/** What each check does, in the words of a list to choose from. */
const CHECKS: Readonly<Record<Check, string>> = {
  contains: 'contains a text',
  exact: 'is exactly a text',
  regex: 'matches a pattern',
  json_schema: 'is JSON of a schema',
  json_equal: 'is a JSON value',
  numeric: 'is a number',
  edit_distance: 'is close to a text',
  language: 'is written in a language',
  tool_called: 'calls a tool',
  latency: 'came fast enough',
  cost: 'was cheap enough',
  expression: 'is of a call that meets a condition',
};

export const FIELD_LABELS: Readonly<Record<CheckField, string>> = {
  value: 'Expected',
  reference: 'Or: where in the call the expected value is, as inputs.expected',
  ignore_case: 'Upper and lower case',
  of: 'What is checked, as output.answer; empty: the text that was answered',
  pattern: 'Pattern (RE2)',
  schema: 'JSON Schema',
  abs: 'Largest absolute difference',
  rel: 'Largest relative difference',
  max: 'At most: share of the characters, milliseconds, or US dollars',
  tool: 'Name of the tool',
  language: 'Code of the language (ISO 639-3), as eng',
  query: 'Condition on the call',
};

/** Of upper and lower case. */
export const IGNORED = 'are the same';
const NUMBERS: readonly CheckField[] = ['abs', 'rel', 'max'];

interface Props {
  readonly draft: CheckDraft;
  readonly change: (draft: CheckDraft) => void;
}

/** The rule of a check, to fill in. */
export function CheckFields({ draft, change }: Props) {
  const { check, fields } = draft;
  return (
    <>
      <label>
        The answer
        <Select value={check} onChange={({ target }) => change({ ...draft, check: target.value as Check })}>
          {Object.entries(CHECKS).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </Select>
      </label>
      {CHECK_FIELDS[check].map((field) => (
        <Field
          key={field}
          field={field}
          text={fields[field] ?? ''}
          change={(text) => change({ ...draft, fields: { ...fields, [field]: text } })}
        />
      ))}
    </>
  );
}

interface FieldProps {
  readonly field: CheckField;
  readonly text: string;
  readonly change: (text: string) => void;
}

function Field({ field, text, change }: FieldProps) {
  const label = FIELD_LABELS[field];
  if (field === 'query' && !isExpression(text))
    return (
      <div>
        <span>{label}</span>
        <QueryLine text={text} apply={change} appliesOnBlur />
      </div>
    );
  return (
    <label>
      {label}
      {field === 'ignore_case' ? (
        <Select value={text === 'true' ? text : ''} onChange={({ target }) => change(target.value)}>
          <option value="">differ</option>
          <option value="true">{IGNORED}</option>
        </Select>
      ) : field === 'schema' || field === 'value' || field === 'query' ? (
        <TextArea
          rows={field === 'value' ? 2 : 6}
          spellCheck={false}
          dir="auto"
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      ) : (
        <Input
          type={NUMBERS.includes(field) ? 'number' : 'text'}
          {...(NUMBERS.includes(field) && { min: 0, step: 'any' })}
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </label>
  );
}
