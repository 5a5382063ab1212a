import { Link } from 'wouter';

import { useProject } from '../../../shared/data/project.js';
import type { Row } from '../../../shared/datasets/write-dataset.js';
import { preview } from '../../../shared/format/preview.js';
import page from '../../../shared/page/page.module.css';
import { Table } from '../../../shared/page/table.js';
import { LongText } from '../../../shared/ui/long-text.js';
import { callIdOf } from '../save-as/saved.js';
import { type Mapping, variablesOfRow } from './mapping.js';
import type { RowAnswer, RowAnswers } from './use-rows-run.js';

interface Props {
  readonly rows: readonly Row[];
  readonly mapping: Mapping;
  readonly models: readonly string[];
  readonly answers: RowAnswers;
  readonly isRunning: boolean;
}

/** What was filled in for each row, and the answers of the models. */
export function RowsTable({ rows, mapping, models, answers, isRunning }: Props) {
  const variables = Object.keys(mapping).filter((name) => mapping[name] !== '');
  const done = answers.flat().filter((answer) => answer !== undefined);
  const failed = done.filter(({ error }) => error !== null).length;
  const names = models.map((model, at) => (models.indexOf(model) === at ? model : `${model} (${at + 1})`));
  const columns = [
    { name: 'Row', kind: 'number' as const },
    ...variables.map((name) => ({ name: `{{${name}}}` })),
    ...names.map((name) => ({ name, kind: 'wide' as const })),
  ];
  return (
    <>
      <p role="status">
        {done.length} of {rows.length * models.length} answered
        {failed > 0 && `, ${failed} failed`}
        {!isRunning && done.length < rows.length * models.length && '; cancelled'}.
      </p>
      <Table label="Answers by row" columns={columns}>
        {rows.map((row, index) => {
          const { values } = variablesOfRow(row, mapping);
          return (
            <tr key={index}>
              <td data-kind="number">{index + 1}</td>
              {variables.map((name) => (
                <td key={name} dir="auto">
                  {preview(values[name])}
                </td>
              ))}
              {models.map((_, at) => (
                <td key={at}>
                  <Answer answer={answers[index]?.[at]} isRunning={isRunning} />
                </td>
              ))}
            </tr>
          );
        })}
      </Table>
    </>
  );
}

function Answer({ answer, isRunning }: { readonly answer: RowAnswer | undefined; readonly isRunning: boolean }) {
  const project = useProject();
  if (answer === undefined) return <span className={page['muted']}>{isRunning ? '…' : '–'}</span>;
  const { text, error, completionId } = answer;
  return (
    <>
      {error === null ? (
        <span className={page['text']} dir="auto">
          <LongText text={text} />
        </span>
      ) : (
        <span className={page['problem']}>{error}</span>
      )}{' '}
      {completionId !== null && (
        <Link to={project.path(`calls/${encodeURIComponent(callIdOf(completionId))}`)}>call</Link>
      )}
    </>
  );
}
