import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { exactHone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { parseRef } from '../../../shared/data/refs.js';
import { useDatasetNames } from '../../../shared/datasets/use-dataset-names.js';
import type { Row } from '../../../shared/datasets/write-dataset.js';
import page from '../../../shared/page/page.module.css';
import { Button } from '../../../shared/ui/button.js';
import { Input, Select } from '../../../shared/ui/input.js';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { columnsOf, likelyColumn, type Mapping } from './mapping.js';
import { RowsTable } from './rows-table.js';
import { type RowsRequest, useRowsRun } from './use-rows-run.js';

/** Most rows of a run: each is a request to each model. */
const MAX_ROWS = 200;
const DEFAULT_ROWS = '20';

interface Props {
  /** Names of the variables of the messages. */
  readonly names: readonly string[];
  readonly models: readonly string[];
  readonly canAsk: boolean;
  /** What is asked; undefined: it cannot be read, which the page says. */
  readonly toRequest: () => RowsRequest | undefined;
}

/** Asks what the page would ask with the variables of each row of a dataset. */
export function RowsPanel({ names, models, canAsk, toRequest }: Props) {
  const datasets = useDatasetNames();
  const [dataset, setDataset] = useState('');
  const [limit, setLimit] = useState(DEFAULT_ROWS);
  const [chosen, setChosen] = useState<Mapping>({});
  const { answers, isRunning, run, cancel } = useRowsRun();
  const rows = useDatasetRows(dataset);
  const columns = columnsOf(rows.data ?? []);
  const mapping = Object.fromEntries(names.map((name) => [name, chosen[name] ?? likelyColumn(name, columns)]));
  const count = Number(limit);
  const isCount = Number.isInteger(count) && count >= 1 && count <= MAX_ROWS;
  const isMapped = Object.values(mapping).some((column) => column !== '');
  const asked = rows.data?.slice(0, isCount ? count : 0) ?? [];
  const start = () => {
    const request = toRequest();
    if (request) run(asked, mapping, request);
  };
  return (
    <section className={page['section']} aria-label="Rows of a dataset">
      <h2>Run over a dataset</h2>
      <div className={page['form']}>
        <label>
          Dataset
          <Select value={dataset} disabled={isRunning} onChange={({ target }) => setDataset(target.value)}>
            <option value="">{datasets.data?.length === 0 ? 'There is none yet' : 'Choose one'}</option>
            {datasets.data?.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </label>
        {rows.data &&
          names.map((name) => (
            <label key={name}>
              {`{{${name}}}`}
              <Select
                aria-label={`Column of ${name}`}
                value={mapping[name]}
                disabled={isRunning}
                onChange={({ target }) => setChosen({ ...chosen, [name]: target.value })}
              >
                <option value="">not from the rows</option>
                {columns.map((column) => (
                  <option key={column}>{column}</option>
                ))}
              </Select>
            </label>
          ))}
        <label>
          Rows, at most {MAX_ROWS}
          <Input
            type="number"
            min={1}
            max={MAX_ROWS}
            value={limit}
            disabled={isRunning}
            onChange={({ target }) => setLimit(target.value)}
          />
        </label>
        {isRunning ? (
          <Button onClick={cancel}>Cancel</Button>
        ) : (
          <Button kind="primary" disabled={!canAsk || !isMapped || asked.length === 0} onClick={start}>
            Run {asked.length > 0 && isMapped ? asked.length : ''}
          </Button>
        )}
      </div>
      {names.length === 0 && (
        <p className={page['muted']}>
          The messages have no variable, such as {'{{question}}'}: every row would be asked the same.
        </p>
      )}
      {datasets.error && <ErrorNote error={datasets.error} retry={() => void datasets.refetch()} />}
      {rows.error ? (
        <ErrorNote error={rows.error} retry={() => void rows.refetch()} />
      ) : (
        dataset !== '' && rows.isPending && <Loading what="the rows" />
      )}
      {answers.length > 0 && (
        <RowsTable rows={(rows.data ?? []).slice(0, answers.length)} {...{ mapping, models, answers, isRunning }} />
      )}
    </section>
  );
}

/** The first rows of the newest version of a dataset. */
function useDatasetRows(dataset: string) {
  const project = useProject();
  return useQuery({
    queryKey: ['dataset rows to run', project.id, dataset],
    queryFn: async ({ signal }) => {
      const params = { entity: project.entity, project: project.name, object_id: dataset, digest: 'latest' };
      const table = parseRef((await exactHone.trace.getDataset(params, { signal })).rows)?.name ?? '';
      const body = { project_id: project.id, digest: table, limit: MAX_ROWS };
      return (await exactHone.trace.queryTable(body, { signal })).rows.map(({ val }) => val as Row);
    },
    enabled: dataset !== '',
    // A run and its table have the same rows.
    staleTime: Infinity,
  });
}
